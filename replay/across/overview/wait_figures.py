"""For whom a game waited alone, and how long until they acted: no part of the time is lost on the way."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from events import domain_events as e
from events.rules.table.waiting import waiting_for
from replay.across.played_game import PlayedGame, Step
from replay.terminal.table_text import is_dated

STRETCHES: Final = (1, 5, 15, 60, 300, 3600, 86_400)
"""Seconds up to which waits are counted together; what is longer makes a class of its own."""
_DEALER: Final = "dealer"


class WaitFigures(msgspec.Struct):
    """How long seats of a kind were waited for alone in a phase.

    Attributes:
        waits: how often.
        expired: in how many of them the seat's time was over.
        seconds: how long in all.
        by_length: how many there were of each class of `STRETCHES`, and longer ones.
    """

    waits: int = 0
    expired: int = 0
    seconds: float = 0.0
    by_length: list[int] = msgspec.field(default_factory=lambda: [0] * (len(STRETCHES) + 1))

    def add(self, seconds: float, *, has_expired: bool = False) -> None:
        """Count one wait."""
        self.waits += 1
        self.expired += has_expired
        self.seconds += seconds
        self.by_length[sum(seconds > longest for longest in STRETCHES)] += 1

    def join(self, other: "WaitFigures") -> None:
        """Count those of other games, too."""
        self.waits += other.waits
        self.expired += other.expired
        self.seconds += other.seconds
        self.by_length = [ours + theirs for ours, theirs in zip(self.by_length, other.by_length, strict=True)]


@dataclass(slots=True)
class Wait:
    """One wait.

    Attributes:
        seat: who was waited for.
        phase: in which phase of the turn.
        milliseconds: how long.
        has_expired: whether the seat's time was over before it acted, or its bot for it.
    """

    seat: int
    phase: str
    milliseconds: int = 0
    has_expired: bool = False


def count_waits(played: PlayedGame, steps: Sequence[Step]) -> dict[tuple[str, str], WaitFigures]:
    """The waits of a game, by kind of who was waited for, and phase; nothing where no clock saw it."""
    found: dict[tuple[str, str], WaitFigures] = {}
    for wait in list_waits(steps):
        seat = played.end.seats[wait.seat]
        figures = found.setdefault((seat.away or seat.kind, wait.phase), WaitFigures())
        figures.add(wait.milliseconds / 1000, has_expired=wait.has_expired)
    return found


def list_waits(steps: Sequence[Step]) -> Iterator[Wait]:
    """The waits for one seat alone, in order; none where no clock saw the game.

    A wait goes on while others act, when the seat's time is over, and behind a dispute that held the game up, whose
    own time is nobody's. It ends when the seat acts, when the game waits for somebody else or in another phase, or
    with the game. Stretches that do not count, since the game went back, are part of none.
    """
    under_way: Wait | None = None
    since = steps[0].at
    for step in steps if is_dated(steps[-1].at) else ():
        if step.command is None or step.actor == _DEALER:
            continue
        stretch, since = step.at - since, step.at
        waited = waiting_for(step.before)
        if not waited or not step.counts:
            continue
        if under_way is not None and (waited, step.before.phase) != ((under_way.seat,), under_way.phase):
            yield under_way
            under_way = None
        if len(waited) > 1:
            continue
        under_way = under_way or Wait(waited[0], step.before.phase)
        under_way.milliseconds += stretch
        under_way.has_expired |= _is_over(step, under_way.seat)
        if step.actor == f"seat:{under_way.seat}":
            yield under_way
            under_way = None
    if under_way is not None:
        yield under_way


def _is_over(step: Step, seat: int) -> bool:
    """Whether this seat's time for its move is over here; the time to answer an offer is another one."""
    event = step.event
    return isinstance(event, e.TimeExpired) and event.seat == seat and event.offer is None
