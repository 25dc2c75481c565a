"""A record, and the table of a tournament that it is said to be.

The record is verified as any other. What it is compared by stands in its entries, as any reader has them: so a record
in any scope will do.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from events import domain_events as e
from events.commands import ClockSettings
from events.game.record import RecordBroken, read_record
from events.log.redacted import data_in
from events.rules.systems.registry import system_named
from events.rules.table.waiting import waiting_behind
from events.tournaments.absent import absent_from
from events.tournaments.events import TableFinished, TableForfeited, TournamentCreated
from events.tournaments.state import DUPLICATE, Player, Round, Table
from replay.platform.safe_text import safe
from replay.records.report import Report
from replay.tournaments.report import DEALS, PLAYERS, RECORDS, RESULTS, RULES
from replay.verification.attestations import AttestationChecks, Trust
from replay.verification.verify import Verifier, broken_report

DEALING = 2
"""The version of dealing in which all tables of a round can have one deal."""


class Moment(msgspec.Struct, frozen=True):
    """A game at one version."""

    hash: str
    awaited: tuple[int, ...]
    """The seats that it waited for, or would have waited for if nothing had held it up."""
    is_paused: bool
    """Whether a case held it up."""
    left: tuple[int, ...]
    """The seats whose players had left it, or were waited for when it was closed."""


class PlayedTable(msgspec.Struct, frozen=True):
    """What a record says of a game."""

    report: Report
    created: Mapping[str, Any]
    """The members of its first event, as they stand there."""
    seats: Mapping[int, Mapping[str, Any]]
    """Of each seat what was said when it was taken."""
    moments: Mapping[int, Moment]
    """The versions that were asked for, as far as it has them."""
    last: Moment | None = None
    scores: tuple[int, ...] = ()
    """The scores of the result, which a ruling may have replaced."""


def read_table(lines: Iterable[bytes], trust: Trust, versions: Iterable[int] = ()) -> PlayedTable:
    """Verify a record, and keep what a tournament says about it; `versions` are those that are looked at."""
    try:
        header, forms = read_record(lines)
    except RecordBroken as broken:
        return PlayedTable(broken_report(broken), {}, {}, {})
    verifier, wanted = Verifier(header, AttestationChecks(trust)), {*versions}
    created: Mapping[str, Any] = {}
    seats: dict[int, Mapping[str, Any]] = {}
    moments: dict[int, Moment] = {}
    last: Moment | None = None
    for entry in verifier.iterate_verified(forms):
        if isinstance(entry.event, e.GameCreated):
            created = data_in(entry.form.entry)
        elif isinstance(entry.event, e.SeatTaken):
            seats[entry.event.seat] = data_in(entry.form.entry)
        last = Moment(
            entry.hash, waiting_behind(entry.state), bool(entry.state.paused_by), absent_from(entry.state)
        )
        if entry.version in wanted:
            moments[entry.version] = last
    result = verifier.state.result
    scores = () if result is None else result.scores
    return PlayedTable(verifier.report(), created, seats, moments, last, scores)


Difference = tuple[str, str]
"""The name of a check, and what does not hold in it."""


def check_table(
    settings: TournamentCreated,
    players: Mapping[str, Player],
    played: Round,
    table: Table,
    found: PlayedTable,
) -> Iterator[Difference]:
    """What of a game is not as the tournament says: who sits where, what is played, and how it was dealt."""
    yield from _check_players(players, table, found)
    yield from _check_rules(settings, table, found)
    if settings.format == DUPLICATE:
        yield from _check_deal(settings, played, found)


def _check_players(players: Mapping[str, Player], table: Table, found: PlayedTable) -> Iterator[Difference]:
    if {*found.seats} != {*range(len(table.players))}:
        yield PLAYERS, f"{len(table.players)} players were paired here, and {len(found.seats)} have sat down"
    for seat, player in enumerate(table.players):
        sat, paired = found.seats.get(seat, {}), players[player]
        # Where a seat says which player sits there, that counts; else what they are called.
        same = sat.get("player") == player if sat.get("player") else sat.get("name") == paired.name
        if not same or sat.get("bot", "") != paired.bot:
            who = safe(str(sat.get("player") or sat.get("name", "nobody")), 60)
            yield PLAYERS, f"seat {seat} is {player!r} by the pairing, and {who!r} in the record"


def _check_rules(settings: TournamentCreated, table: Table, found: PlayedTable) -> Iterator[Difference]:
    created = found.created
    options = {
        name: settings.options.get(name, option.default)
        for name, option in system_named(settings.system).options.items()
    }
    clock = msgspec.convert(created["clock"], ClockSettings) if created.get("clock") else None
    expected = (settings.system, len(table.players), options, settings.clock)
    if (created.get("system"), created.get("players"), created.get("options"), clock) != expected:
        yield (
            RULES,
            "it was played by another system, with other options or another clock than the tournament",
        )


def _check_deal(settings: TournamentCreated, played: Round, found: PlayedTable) -> Iterator[Difference]:
    if found.created.get("commitment") != settings.deals[played.number - 1]:
        yield DEALS, f"its deal is not the one that the tournament had committed to for round {played.number}"
    if found.created.get("dealing") != {"version": DEALING, "seed": played.deal}:
        yield DEALS, f"it was not dealt by the seed of round {played.number}"


def check_finished(event: TableFinished, found: PlayedTable) -> Iterator[Difference]:
    """What of an ended game is not as the tournament says."""
    report = found.report
    if (event.version, event.hash) != (report.entries, report.head) or report.status != "finished":
        yield RECORDS, f"the record does not end with version {event.version} and the hash in the log"
    if (event.scores, event.winners, event.reason) != (found.scores, report.winners, report.reason):
        yield RESULTS, "the game had another result than the log says"
    if found.last is None or event.left != found.last.left:
        yield RESULTS, "other players had left the game than the log says"


def check_forfeited(event: TableForfeited, found: PlayedTable) -> Iterator[Difference]:
    """What of a game that was late is not as the tournament says."""
    moment = found.moments.get(event.version)
    if moment is None or moment.hash != event.hash:
        yield RECORDS, f"the record does not pass by version {event.version} with the hash in the log"
    elif not (moment.awaited == event.late or (moment.is_paused and {*event.late} <= {*moment.awaited})):
        yield RESULTS, f"at version {event.version} the game waited for others than the log says"
