"""The bots' games that the tests look at: each is played once, whoever asks for it; `make soak` plays them all."""

from functools import cache

from events.domain_events import DomainEvent
from events.game.table import Table
from events.log.codec import decode_event
from events.log.recorded import RecordedEvent
from service.simulation.self_play import self_play
from tests.support.depth import depth

RANDOM_ONLY = tuple((("random",) * (3 + number % 3), f"random/{number}") for number in range(depth(3, 60)))
"""Random bots among themselves, three to five of them."""
GREEDY_ONLY = tuple((("greedy",) * (3 + number % 3), f"greedy/{number}") for number in range(depth(3, 40)))
"""Greedy bots among themselves."""


def _one_greedy(number: int) -> tuple[str, ...]:
    """One greedy bot among two or three random ones, on every seat in turn."""
    players = 3 + number % 2
    seat = number // 2 % players
    return tuple("greedy" if each == seat else "random" for each in range(players))


MIXED = tuple((_one_greedy(number), f"mixed/{number}") for number in range(depth(5, 60)))
"""One greedy bot against random ones."""

Seating = tuple[tuple[str, ...], str]
"""The bots of a game by seat, and its seed."""


@cache
def played(seating: Seating) -> tuple[Table, tuple[RecordedEvent, ...]]:
    """The game with these bots: the table at its end, and the log."""
    bots, seed = seating
    options = {"bean_protection": ("lenient", "strict")[len(seed) % 2], "start_seat": "random"}
    table, log = self_play("classic", len(bots), bots, seed, options)
    return table, tuple(log)


def events_of(log: tuple[RecordedEvent, ...]) -> list[DomainEvent]:
    """What happened in a game, in order."""
    return [decode_event(entry) for entry in log]


def moves_of(log: tuple[RecordedEvent, ...]) -> int:
    """How many commands the seats sent."""
    return sum(bool(entry.command) and entry.actor.startswith("seat:") for entry in log)
