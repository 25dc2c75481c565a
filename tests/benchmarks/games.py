"""The games that are measured: whole games of four at `classic`, played at random and always the same ones."""

from dataclasses import dataclass
from functools import cache

from events.game.table import Table
from events.log.recorded import RecordedEvent
from service.simulation.self_play import self_play

SYSTEM = "classic"
PLAYERS = 4
GAMES = 20
"""So many make about 16,000 events: more than any cache of a processor holds."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game: its last table, and every entry of its log."""

    table: Table
    log: tuple[RecordedEvent, ...]


@cache
def played_games(count: int = GAMES) -> tuple[PlayedGame, ...]:
    """Games of random bots; the n-th is the same on every machine."""
    return tuple(
        PlayedGame(table, tuple(log))
        for table, log in (
            self_play(SYSTEM, PLAYERS, ["random"] * PLAYERS, f"bench/{number}", {}) for number in range(count)
        )
    )
