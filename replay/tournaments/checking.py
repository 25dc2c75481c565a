"""A whole tournament, from its log and the records of its tables."""

from collections import Counter
from collections.abc import Iterable, Iterator

from events.game.record import RecordBroken
from events.tournaments import events as e
from events.tournaments.entries import TournamentEntry, TournamentLogBroken, read_log
from events.tournaments.scoring.standings import compute_standings
from events.tournaments.state import LATE, Tournament
from replay.platform.safe_text import safe
from replay.tournaments.decided import DecidedAgain, NotDecided
from replay.tournaments.report import (
    CHECKS,
    COMPLETE,
    DEALS,
    DECIDED,
    LOG,
    PLAYERS,
    RECORDS,
    RESULTS,
    RULES,
    GivenUp,
    Ruled,
    TournamentFinding,
    TournamentReport,
)
from replay.tournaments.tables import Difference, check_finished, check_forfeited, check_table, read_table
from replay.verification.attestations import Trust

MOST_FINDINGS = 100
"""So many are told; what is wrong at the first of them is wrong enough."""
_Place = tuple[int, int]
_Ended = e.TableFinished | e.TableForfeited


class TournamentCheck:
    """Reads the log, then one record after the other, and says what does not hold."""

    def __init__(self, trust: Trust) -> None:
        """Begin; `trust` is what the reader brings along for the records."""
        self._trust = trust
        self._again = DecidedAgain()
        self._findings: list[TournamentFinding] = []
        self._made = Counter(dict.fromkeys(CHECKS, 0))
        self._last: TournamentEntry | None = None
        self._ended: dict[_Place, tuple[TournamentEntry, _Ended]] = {}
        self._started: dict[str, _Place] = {}
        self._given_up: list[GivenUp] = []
        self._rulings: list[Ruled] = []
        self._catalogue = ""
        self._seen: set[str] = set()

    def read_log(self, lines: Iterable[bytes]) -> None:
        """Check the log, up to the first entry that does not hold: what follows would mean nothing."""
        try:
            for entry in read_log(lines):
                self._made[LOG] += 1
                self._follow(entry)
            self._again.finish()
            if self._last is None:
                self._find(LOG, 0, "there is no entry")
        except (TournamentLogBroken, RecordBroken) as broken:
            self._find(LOG, self._next, str(broken))
        except NotDecided as wrong:
            self._find(DECIDED, self._next, str(wrong))

    def read_record(self, lines: Iterable[bytes], source: str) -> None:
        """Check a record, and hold it against its table."""
        tournament = self._again.tournament
        versions = {ended.version for _, ended in self._ended.values()}
        found = read_table(lines, self._trust, versions)
        game = found.report.game
        place = self._started.get(game)
        if tournament is None or place is None:
            self._find(RECORDS, 0, f"{safe(source, 200)} is the record of no table of this tournament", game)
            return
        self._seen.add(game)
        self._made[RECORDS] += 1
        entry, ended = self._ended.get(place, (None, None))
        number = 0 if entry is None else entry.number
        for finding in found.report.findings:
            self._find(
                RECORDS, number, f"it does not verify at version {finding.version}: {finding.reason}", game
            )
        if not found.report.ok:
            return
        players = {each.player: each for each in tournament.players}
        played = tournament.rounds[place[0] - 1]
        table = played.tables[place[1] - 1]
        self._take(
            number, game, check_table(tournament.settings, players, played, table, found), PLAYERS, RULES
        )
        self._made[DEALS] += bool(tournament.settings.deals)
        self._catalogue = self._catalogue or found.report.catalogue_hash
        if found.report.catalogue_hash != self._catalogue:
            self._find(RULES, number, "it was played with another catalogue than other tables", game)
        if isinstance(ended, e.TableFinished):
            self._take(number, game, check_finished(ended, found), RESULTS)
        elif isinstance(ended, e.TableForfeited):
            self._take(number, game, check_forfeited(ended, found), RESULTS)

    def finish(self) -> TournamentReport:
        """What has come out, once every record was read."""
        tournament = self._again.tournament
        games = {place: game for game, place in self._started.items()}
        for place, (entry, _) in self._ended.items():
            game = games.get(place, "")
            if not game:
                continue
            self._made[COMPLETE] += 1
            if game not in self._seen:
                where = f"table {place[1]} of round {place[0]}"
                self._find(COMPLETE, entry.number, f"there is no record of {where}", game)
        return self._report(tournament)

    def _follow(self, entry: TournamentEntry) -> None:
        self._again.follow(entry)
        self._made[DECIDED] += 1
        self._last = entry
        event = entry.happened.event
        if isinstance(event, e.TableStarted):
            self._started[event.game] = event.round, event.table
        elif isinstance(event, e.TableFinished | e.TableForfeited):
            self._ended[event.round, event.table] = entry, event
        elif isinstance(event, e.TableGivenUp):
            self._given_up.append(GivenUp(event.round, event.table, event.reason))
        elif isinstance(event, e.TableRuled):
            self._rulings.append(
                Ruled(event.round, event.table, event.kind, entry.happened.by, event.case, event.reason)
            )

    @property
    def _next(self) -> int:
        """The number of the entry that is being checked."""
        return 1 if self._last is None else self._last.number + 1

    def _take(self, number: int, game: str, differences: Iterator[Difference], *checks: str) -> None:
        self._made.update(checks)
        for check, reason in differences:
            self._find(check, number, reason, game)

    def _find(self, check: str, entry: int, reason: str, game: str = "") -> None:
        if len(self._findings) < MOST_FINDINGS:
            self._findings.append(TournamentFinding(check, entry, safe(reason, 600), safe(game, 64)))

    def _report(self, tournament: Tournament | None) -> TournamentReport:
        findings = tuple(self._findings)
        if tournament is None or self._last is None:
            return TournamentReport(ok=False, findings=findings, checks=dict(self._made))
        tables = [table for played in tournament.rounds for table in played.tables]
        settings = tournament.settings
        return TournamentReport(
            ok=not findings,
            tournament=settings.tournament,
            name=settings.name,
            format=settings.format,
            system=settings.system,
            status=tournament.status,
            entries=self._last.number,
            head=self._last.hash,
            players=len(tournament.players),
            rounds=len(tournament.rounds),
            tables=len(tables),
            late=sum(table.outcome is not None and table.outcome.kind == LATE for table in tables),
            given_up=tuple(self._given_up),
            records=len(self._seen),
            rulings=tuple(self._rulings),
            standings=compute_standings(tournament),
            names={each.player: each.name for each in tournament.players},
            checks=dict(self._made),
            findings=findings,
        )
