"""One timer for everything that is due at a moment: deadlines, patience, retries, what is done again and again.

What is due, and when, stays where it is kept, which is the store for all that has to survive a restart: a timer only
asks for it, at the moment that it was told last, and now and then in between, because others may bring in something
that is due sooner.
"""

import logging
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from events.store.errors import StoreError
from service.platform.clock import now_milliseconds

PAUSE_SECONDS: Final = 1.0
"""How long something is left alone for which the store did not answer."""
_log = logging.getLogger("fieldbook.timer")


class Due(NamedTuple):
    """The declaration of something that is due at a moment, or at many."""

    name: str
    """What it is, for the log."""
    perform: Callable[[int], int | None]
    """Does what is due by this moment, and returns when the next thing will be, None where nothing is known of it.

    Both are milliseconds since the epoch. It is to be quick, and to change nothing where nothing is due. It may raise
    what a store raises, and is then called again a second later.
    """
    poll_seconds: float = 1.0
    """It is called this often at least."""


def every(name: str, seconds: float, act: Callable[[], object]) -> Due:
    """The declaration of something that is done at the start and then so many seconds apart."""

    def perform(_now: int) -> None:
        act()

    return Due(name, perform, seconds)


class Timer:
    """Performs what is due; its loop asks it how long it may wait."""

    def __init__(
        self,
        *declared: Due,
        now: Callable[[], int] = now_milliseconds,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Have these looked at, each at once; `now` says the time, `clock` how much of it has passed (seconds)."""
        self._declared = declared
        self._now = now
        self._clock = clock
        # By a clock that nobody sets: one that is put back must not hold everything up.
        self._next = dict.fromkeys(range(len(declared)), float("-inf"))

    def run_due(self) -> None:
        """Perform what has come due by now; what fails does not hold up the others."""
        for number, due in enumerate(self._declared):
            if self._clock() >= self._next[number]:
                pause = self._perform(due)
                self._next[number] = self._clock() + pause

    def seconds_left(self, most: float) -> float:
        """How long nothing will be due, and so many seconds at most."""
        first = min(self._next.values(), default=float("inf"))
        return max(0.0, min(most, first - self._clock()))

    def _perform(self, due: Due) -> float:
        """Perform what is due of one declaration; the seconds until it is called again."""
        try:
            now = self._now()
            moment = due.perform(now)
        except StoreError as error:
            _log.warning("%s have to wait for the store: %s", due.name, error)
            return min(PAUSE_SECONDS, due.poll_seconds)
        left = (moment - now) / 1000 if moment is not None else due.poll_seconds
        # What is due and could not be done, as while a queue is away, is tried again at the usual pace.
        return min(left, due.poll_seconds) if left > 0 else due.poll_seconds
