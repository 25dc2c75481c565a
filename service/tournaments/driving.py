"""What moves a tournament on: pairs, sets tables up, takes their results, closes what is late, and counts rulings.

Every step is decided on the log as it stands, and names what it does by tournament, round and table: the game of a
table has an id of its own from the beginning, and a step that was done before changes nothing. So whoever is killed
between any two of them, or works beside another one, leaves nothing that would be done twice, or not at all.
"""

import logging
from collections import OrderedDict
from collections.abc import Iterator
from itertools import chain
from typing import Final

from events.store.errors import GameNotFound, PartitionQuarantined, StoreDamaged, VersionConflict
from events.tournaments.commands import (
    SERVICE,
    CloseRegistration,
    Command,
    GiveUpTable,
    PairRound,
    StartTable,
    Step,
)
from events.tournaments.errors import TournamentRefused
from events.tournaments.limits import LONGEST_EXCUSE
from events.tournaments.pairing.pair import count_tables
from events.tournaments.progress import late_from, next_command
from events.tournaments.state import FINISHED, RUNNING, Round, Table, Tournament
from replay.platform.safe_text import safe
from service.access.store import Keys
from service.catalogues.catalogues import Catalogues, UnknownCatalogue
from service.platform.configuration import BOT_PATIENCE, UNFINISHED_GAMES, UNTOUCHED_AFTER
from service.play.command_handling import CommandHandling
from service.play.deciding import Refused
from service.play.lobby import Lobby, NotPlayed
from service.play.rounds import RoundGoesOn
from service.play.tables import Tables
from service.projections.unfinished_games import UnfinishedGames
from service.storage.store import Store
from service.tournaments.pending import LOOK_SECONDS, count_paired
from service.tournaments.promises import Promises, game_id
from service.tournaments.tables import TableGames, left_behind
from service.tournaments.tournaments import RULED_FOR, TournamentLog, Tournaments

ROOM_SECONDS: Final = 3
"""How often one is looked at whose next round waits for room among the organiser's unfinished games."""
UNREADABLE_SECONDS: Final = 3600
"""How long a game that cannot be read has to be repaired, where its table is never late."""
RULED_SECONDS: Final = 600
"""How often one that is over is looked at, while a dispute may still change its table or a late game goes on."""
_MAX_LOGGED: Final = 10_000
"""Messages that are remembered so that they are not repeated."""
MOST_STEPS: Final = 20
"""Steps of one tournament at once: others, and whoever wants to stop, wait for them."""
_UNOPENED: Final = (Refused, UnknownCatalogue, GameNotFound, PartitionQuarantined, StoreDamaged)
"""Why the secret of a round cannot be opened in a game now; other games are opened nevertheless."""
_log = logging.getLogger("fieldbook.tournaments")


class TournamentDriver:
    """Drives the tournaments of a store. Every method may raise what a store raises."""

    def __init__(self, store: Store, catalogues: Catalogues) -> None:
        """Drive these; their tables are played with these catalogues."""
        self.tournaments = Tournaments(store)
        self._tables = Tables(store)
        self._handling = CommandHandling(store, self._tables)
        lobby = Lobby(store, self._tables, self._handling, catalogues, int(BOT_PATIENCE.value()))
        self.games = TableGames(store, self._tables, lobby)
        self._promises = Promises(store.installation.token_key)
        self._keys = Keys(store)
        self._unfinished = UnfinishedGames(store, UNTOUCHED_AFTER.value())
        self._most_unfinished = UNFINISHED_GAMES.value()
        self._unreadable: dict[str, int] = {}
        """Games that could not be read at the last look, and since when."""
        self._logged: OrderedDict[tuple[str, str], None] = OrderedDict()
        """Messages that were logged as such, by what they are about: repetitions are for debugging only."""

    def move_on(self, name: str, now: int) -> bool:
        """Do what is to be done in a tournament, and have it looked at again; whether there is more to do at once.

        Raises:
            TournamentNotFound
        """
        log, steps = self.tournaments.of(name), 0
        plays_on = self._open_late_games(log.tournament, now)
        wanted = self._rulings(log.tournament)
        while True:
            is_done = True
            for command in chain(wanted, self._due(log.tournament, now)):
                try:
                    log, events = self.tournaments.send(name, Step(command, SERVICE, now))
                except TournamentRefused:
                    if self.tournaments.of(name).last.hash == log.last.hash:
                        raise
                    # Somebody else has done it, and more: such as to pair the round and start its tables.
                    return True
                is_done, steps = False, steps + 1
                if not events or steps >= MOST_STEPS:
                    # Where nothing came of it somebody else was faster.
                    return True
            if is_done:
                if steps:
                    # A round that was closed just now may have left games behind.
                    plays_on = self._open_late_games(log.tournament, now)
                self.tournaments.look_again(log, _look_at(log, now, plays_on=plays_on))
                return False
            wanted = iter(())

    def _open_late_games(self, tournament: Tournament, now: int) -> bool:
        """Open the secret in games that have ended after their duplicate round; whether any still goes on.

        One that goes on is shown to everybody: an auditor needs its record up to where it was late.
        """
        plays_on = False
        for game in left_behind(tournament):
            try:
                self._handling.open_round_secret(game, now)
            except RoundGoesOn:
                plays_on = True
                self.games.show(game)
            except _UNOPENED as error:
                self._log_once(
                    logging.ERROR, game, f"tournament {tournament.settings.tournament}: game {game}: {error}"
                )
        return plays_on

    def _open_deal(self, tournament: Tournament, played: Round, now: int) -> None:
        """Open the secret of a duplicate round in its games once all of them have ended."""
        for game in self.games.waiting_for_their_deal(played):
            try:
                self._handling.open_round_secret(game, now)
            except _UNOPENED as error:
                self._log_once(
                    logging.ERROR, game, f"tournament {tournament.settings.tournament}: game {game}: {error}"
                )

    def _log_once(self, level: int, about: str, message: str) -> None:
        """Log a message at this level, and at level DEBUG when the same one is repeated."""
        is_known = (about, message) in self._logged
        self._logged[about, message] = None
        if len(self._logged) > _MAX_LOGGED:
            self._logged.popitem(last=False)
        _log.log(logging.DEBUG if is_known else level, "%s", message)

    def open_registration_secret(self, name: str) -> CloseRegistration:
        """What closes the registration of a tournament."""
        return CloseRegistration(self._promises.pairing_secret(name))

    def _due(self, tournament: Tournament, now: int) -> Iterator[Command]:
        """What is to be done now, the first thing first."""
        if tournament.status != RUNNING:
            return
        played = tournament.open_round
        late = late_from(tournament)
        is_late = late is not None and late <= now
        if played is not None:
            if played.deal:
                self._open_deal(tournament, played, now)
            for place, table in enumerate(played.tables, start=1):
                if table.outcome is None:
                    yield from self._serve(tournament, played, place, table, now, is_late=is_late)
        secret = ""
        if played is not None and played.deal:
            secret = self._promises.deal_secret(tournament.settings.tournament, played.number)
        command = next_command(tournament, secret)
        if command is not None and not (
            isinstance(command, PairRound) and not self._has_room(tournament, now)
        ):
            yield command

    def _has_room(self, tournament: Tournament, now: int) -> bool:
        """Return whether the organiser's key may have the games of the next round beside its unfinished ones.

        Tables that were late may go on and count too, and so do those of other rounds that are paired and not set up
        yet. A round larger than the bound waits until it is alone.
        """
        if not self._is_bounded(tournament):
            return True
        tables, most = count_tables(tournament), self._most_unfinished
        unfinished = self._unfinished.count(tournament.organiser)
        if unfinished == 0 or unfinished + tables <= most:
            unfinished += count_paired(self.tournaments, tournament.organiser, now)
        if unfinished == 0 or unfinished + tables <= most:
            return True
        name, number = tournament.settings.tournament, len(tournament.rounds) + 1
        message = (
            f"tournament {name}: round {number} waits until key {tournament.organiser} has room for {tables} games,"
            f" with {most} unfinished ones at most"
        )
        self._log_once(logging.WARNING, f"{name}/{number}", message)
        return False

    def _is_bounded(self, tournament: Tournament) -> bool:
        """Return whether the organiser's key may have a limited number of unfinished games only."""
        key = self._keys.get(tournament.organiser) if self._most_unfinished else None
        return key is not None and not key.is_operator

    def _rulings(self, tournament: Tournament) -> Iterator[Command]:
        """Yield rulings that do not count yet, as far as the tournament takes them.

        One whose case cannot be read counts once the case is repaired.
        """
        if tournament.status not in {RUNNING, FINISHED}:
            return
        name = tournament.settings.tournament
        for number, place, game, result in self.games.results_to_count(tournament):
            try:
                ruling = self.games.ruling_of(number, place, game, result)
                self.tournaments.check(tournament, ruling)
            except StoreDamaged as error:
                self._log_once(logging.ERROR, game, f"tournament {name}: game {game}: {error}")
                continue
            except TournamentRefused as refused:
                _log.warning(
                    "tournament %s: the ruling about table %d of round %d does not count: %s",
                    name,
                    place,
                    number,
                    refused,
                )
                continue
            yield ruling

    def _serve(
        self, tournament: Tournament, played: Round, place: int, table: Table, now: int, *, is_late: bool
    ) -> Iterator[Command]:
        """Yield the command that is due for a table that is not over.

        A table whose game cannot be read is given up: when it is late, or after `UNREADABLE_SECONDS`.
        """
        name = tournament.settings.tournament
        game = game_id(name, played.number, place)
        command: Command | None
        try:
            command = self._command_for(tournament, played, place, table, now, is_late=is_late)
        except PartitionQuarantined as error:
            self._log_once(logging.ERROR, game, f"tournament {name}: game {game}: {error}")
            return
        except (UnknownCatalogue, GameNotFound, StoreDamaged) as error:
            self._log_once(logging.ERROR, game, f"tournament {name}: game {game}: {error}")
            since = self._unreadable.setdefault(game, now)
            if not is_late and now < since + 1000 * UNREADABLE_SECONDS:
                return
            command = _give_up(played, place, error)
        self._unreadable.pop(game, None)
        if command is not None:
            yield command

    def _command_for(
        self, tournament: Tournament, played: Round, place: int, table: Table, now: int, *, is_late: bool
    ) -> Command | None:
        if not table.game:
            return self._set_up(tournament, played, place, now)
        if is_late:
            self._handling.record_overdue(self._tables.newest(table.game), now)
        ended = self.games.how_it_ended(played.number, place, table)
        if ended is None and is_late:
            return self.games.how_it_stands(played.number, place, table)
        return ended

    def _set_up(
        self, tournament: Tournament, played: Round, place: int, now: int
    ) -> StartTable | GiveUpTable:
        """Set up the game of a table; where it is refused, which no later try would change, give the table up."""
        try:
            game = self.games.set_up(tournament, played, place, now)
        except (NotPlayed, Refused, UnknownCatalogue, VersionConflict) as error:
            name = tournament.settings.tournament
            _log.error("tournament %s: round %d gives up table %d: %s", name, played.number, place, error)
            return _give_up(played, place, error)
        if self._is_bounded(tournament):
            self._unfinished.note(tournament.organiser, game)
        return StartTable(played.number, place, game)


def _give_up(played: Round, place: int, error: Exception) -> GiveUpTable:
    return GiveUpTable(played.number, place, safe(str(error))[:LONGEST_EXCUSE] or "unknown")


def _look_at(log: TournamentLog, now: int, *, plays_on: bool) -> int | None:
    """When a tournament is looked at again without being heard of; None for never."""
    if log.tournament.status == FINISHED:
        is_disputable = now < log.last.happened.at + RULED_FOR
        return now + 1000 * RULED_SECONDS if is_disputable or plays_on else None
    if log.tournament.status != RUNNING:
        return None
    late = late_from(log.tournament)
    soon = now + 1000 * (ROOM_SECONDS if log.tournament.open_round is None else LOOK_SECONDS)
    return min(soon, late) if late is not None and late > now else soon
