"""Who was said to be low on time in a game that streams follow: each wait is told once."""

from typing import Final

from events.game.clock import Awaited, Clock, Wait
from service.play.low_time import find_low
from service.play.timekeeping import TimeUncertain
from service.storage.life_marks import Life

UNCERTAIN: Final = 5_000
"""Milliseconds after which it is looked again where nobody can say whether time has passed."""
_Name = tuple[Awaited, int]
"""What tells a wait from others: what is awaited, and since when."""


class LowWaits:
    """What a clock waits for, and which of it was told."""

    def __init__(self) -> None:
        """Follow no clock yet."""
        self._clock: Clock | None = None
        self._told: frozenset[_Name] = frozenset()
        self._due: int | None = None
        """When the next one may be low (milliseconds since the epoch)."""

    def follow(self, clock: Clock, at: int) -> None:
        """Take note of the clock as it runs now; what is low when the first one is told of counts as told with it."""
        running = {_name(each) for each in clock.waits}
        known = (
            {_name(each) for each in clock.waits if each.low_at <= at} if self._clock is None else self._told
        )
        self._clock, self._told = clock, frozenset(known & running)
        self._due = min((each.low_at for each in clock.waits if _name(each) not in self._told), default=None)

    def is_due(self, at: int) -> bool:
        """Whether one may be low by this moment that was not told."""
        return self._due is not None and at >= self._due

    def find_new(self, at: int, life: Life) -> list[Wait]:
        """Those that are low and were not told before; they count as told from now on."""
        if self._clock is None or not self.is_due(at):
            return []
        try:
            low = find_low(self._clock, at, life)
        except TimeUncertain:
            self._due = at + UNCERTAIN
            return []
        found = [each for each in low.waits if _name(each) not in self._told]
        self._told |= {_name(each) for each in found}
        self._due = low.next
        return found


def _name(wait: Wait) -> _Name:
    return wait.awaited, wait.since
