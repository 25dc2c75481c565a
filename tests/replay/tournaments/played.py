"""Small tournaments between bots, really played: their logs, and the records of their tables."""

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from events.commands import RuleGame
from events.domain_events import SeatTaken
from events.game.folding import Folding
from events.log.codec import decode_event
from events.log.disclosure import ALL
from events.rules.table.waiting import waiting_for
from events.tournaments import commands as c
from events.tournaments.entries import next_entries
from events.tournaments.state import SWISS
from replay.tournaments.checking import TournamentCheck
from replay.tournaments.report import TournamentReport
from replay.verification.attestations import Trust
from service.simulation.self_play import self_play
from tests.events.tournaments.given import MINUTE, ORGANISER, Host, settings
from tests.support.recorded_games import RecordedGame
from tests.support.ruled_games import ruled_record

LATE_AT = 40
"""The version at which the late table is closed."""


@dataclass
class Played:
    """A tournament, with the records of its tables by their games."""

    host: Host
    records: dict[str, list[bytes]] = field(default_factory=dict)

    @property
    def log(self) -> list[bytes]:
        """The lines of its log."""
        return [entry.line for entry in next_entries("t", None, self.host.happened)]

    def check(self) -> TournamentReport:
        """What the auditor finds."""
        return check(self.log, self.records)


def check(log: list[bytes], records: dict[str, list[bytes]]) -> TournamentReport:
    """What the auditor finds in these."""
    checked = TournamentCheck(Trust())
    checked.read_log(log)
    for name, lines in records.items():
        checked.read_record(lines, name)
    return checked.finish()


def play_table(host: Host, table: int, **others: Any) -> RecordedGame:
    """Play the game of a table of the open round between the bots that were paired there."""
    paired = host.round.tables[table - 1].players
    players = [each for player in paired if (each := host.tournament.find_player(player))]
    game = f"g{host.round.number}-{table}"
    wanted: dict[str, Any] = {
        "bots": [each.bot for each in players],
        "names": [each.name for each in players],
        "options": host.tournament.settings.options,
        "game": game,
        "since": host.at,
    }
    whole, log = self_play(host.tournament.settings.system, len(players), seed=game, **{**wanted, **others})
    return RecordedGame(whole, tuple(log))


def finish_table(host: Host, table: int, game: RecordedGame) -> None:
    """Note how the game of a table ended."""
    result = game.table.state.result
    assert result is not None
    host.do(c.StartTable(host.round.number, table, game.table.game))
    ended = (result.scores, result.winners, result.reason, game.table.version, game.table.hash)
    host.do(c.FinishTable(host.round.number, table, *ended))


def close_late(host: Host, table: int, game: RecordedGame) -> None:
    """Close a table as its game stood at `LATE_AT`."""
    folding = Folding()
    for entry in game.log[:LATE_AT]:
        folding.follow(decode_event(entry), begins=bool(entry.command))
    host.do(c.StartTable(host.round.number, table, game.table.game))
    host.at += 10 * MINUTE
    late = waiting_for(folding.state)
    host.do(c.ForfeitTable(host.round.number, table, late, LATE_AT, game.log[LATE_AT - 1].hash))


def announce() -> Host:
    """Five bots at tables of two, two rounds; a table is late after a minute."""
    host = Host(settings(SWISS, (2,), 2, late_after=60))
    for number, bot in enumerate(("greedy", "random", "greedy", "random", "greedy")):
        host.do(c.RegisterPlayer(f"p{number}", f"Bot {number}", bot), ORGANISER)
    host.do(c.WithdrawPlayer("p4"), ORGANISER)
    host.begin()
    return host


@cache
def _played() -> Played:
    host = announce()
    records = {}
    while host.tournament.open_round is not None:
        for table in (1, 2):
            game = play_table(host, table)
            is_late = (host.round.number, table) == (2, 2)
            (close_late if is_late else finish_table)(host, table, game)
            records[game.table.game] = game.record(ALL)
        host.move_on()
    host.do(c.RuleTable(1, 1, "annulled", "The wrong cards were used."), "key_arbiter")
    return Played(host, records)


def played() -> Played:
    """The whole tournament; what is done to it stays with the caller."""
    done = _played()
    host = Host(done.host.tournament.settings)
    host.happened, host.at = [*done.host.happened], done.host.at
    return Played(host, dict(done.records))


def play_ruled_table() -> Played:
    """Return a tournament of one table, whose game an arbiter ended by replacing its result."""
    ruling = RuleGame(
        1, "replaced", "Ada", "the game", "Both had counted wrong.", winners=(0,), scores=(5, 1)
    )
    game = ruled_record(23, "bean-duel", 2, ruling)
    taken = [event for entry in game.log if isinstance(event := decode_event(entry), SeatTaken)]
    order = (0, 1)
    while True:
        host = Host(settings(SWISS, (2,), 1))
        for player, seat in enumerate(order):
            host.do(c.RegisterPlayer(f"p{player}", taken[seat].name, taken[seat].bot), ORGANISER)
        host.begin()
        paired = [int(player[1:]) for player in host.round.tables[0].players]
        if [order[player] for player in paired] == [0, 1]:
            break
        order = (1, 0)
    finish_table(host, 1, game)
    host.move_on()
    return Played(host, {game.table.game: game.record(ALL)})
