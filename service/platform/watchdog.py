"""Signs to systemd, which starts again what gives none for long: a loop that turns no more (`WatchdogSec=`)."""

import logging
import time
from collections.abc import Callable
from typing import Final

from gunicorn.systemd import sd_notify

STANDSTILL_SECONDS: Final = 120.0
"""After so long without a turn a loop counts as standing still: one question to each partition must fit."""
_log = logging.getLogger("fieldbook.processes")


def keep_alive() -> None:
    """Tell systemd that this process is at work (sd_notify(3), `WATCHDOG=1`); nothing where systemd did not start it.

    Where nobody listens the work goes on all the same.
    """
    sd_notify("WATCHDOG=1", _log)


class Turns:
    """When the loops turned that a process has in threads, beside the one that gives its signs of life.

    A thread that ends, or waits for ever, is mended by a restart alone, and nobody but its process knows of it.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Know of no loop: each counts from its first turn on. `clock` says how much time has passed (seconds)."""
        self._clock = clock
        self._turned: dict[str, float] = {}

    def turn(self, loop: str) -> None:
        """This loop turns."""
        self._turned[loop] = self._clock()

    def standing(self) -> list[str]:
        """Which loops stand still, or have ended."""
        now = self._clock()
        return [loop for loop, turned in [*self._turned.items()] if now - turned > STANDSTILL_SECONDS]
