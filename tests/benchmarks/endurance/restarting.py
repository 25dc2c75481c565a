"""Carrying out the restarts of a run at their moments, and seeing when each process works again."""

import signal
import time
from collections.abc import Callable
from contextlib import closing
from typing import Final

import msgspec

from tests.benchmarks.endurance.installation import Installation
from tests.benchmarks.endurance.ledger import Ledger
from tests.benchmarks.endurance.readiness import READY_SECONDS, Readiness
from tests.benchmarks.endurance.schedule import Restart

LOOK_SECONDS: Final = 0.2


class Restarted(msgspec.Struct, frozen=True):
    """A restart that has happened."""

    moment: float
    """When the signal was sent (time.monotonic)."""
    name: str
    signal: signal.Signals
    ready: float | None
    """Seconds until it worked again; None where it did not."""


class Restarting:
    """Restarts processes of an installation; to be called from the thread that started them."""

    def __init__(self, installation: Installation, ledger: Ledger, look_after: Callable[[], None]) -> None:
        """`look_after` is called several times a second, whatever else is waited for."""
        self._installation = installation
        self._ledger = ledger
        self._look_after = look_after
        self.restarted: list[Restarted] = []

    def carry_out(self, restarts: tuple[Restart, ...], begin: float, seconds: float) -> None:
        """Carry out restarts, whose moments count from `begin`, and wait until so many seconds are over."""
        with (
            closing(self._installation.open_store()) as store,
            closing(Readiness(self._installation, store)) as readiness,
        ):
            for each in restarts:
                self._await(begin + each.after)
                self.restarted.append(self._restart(each, readiness))
        self._await(begin + seconds)

    def _restart(self, restart: Restart, readiness: Readiness) -> Restarted:
        moment, since, workers = time.monotonic(), time.time(), readiness.workers()
        if self._installation.end(restart.name, restart.signal) is None:
            self._ledger.find(f"{restart.name} did not stop after {restart.signal.name}, and was killed")
        self._installation.start(restart.name)
        ready = readiness.await_ready(restart.name, since, workers, self._look_after)
        if ready is None:
            self._ledger.find(
                f"{restart.name} did not work again within {READY_SECONDS:.0f} s after {restart.signal.name}: "
                f"{self._installation.said(restart.name)}"
            )
        return Restarted(moment, restart.name, restart.signal, ready)

    def _await(self, moment: float) -> None:
        while (left := moment - time.monotonic()) > 0:
            self._installation.mend()
            self._look_after()
            time.sleep(min(LOOK_SECONDS, left))
