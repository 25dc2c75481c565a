"""Waiting until processes have nothing left to do, so that nobody is measured beside what others have left undone."""

import time
from collections.abc import Sequence
from typing import Final

from tests.benchmarks.processor import processor_seconds

LOOK_SECONDS: Final = 0.5
PATIENCE_SECONDS: Final = 30.0
QUIET_PROCESSORS: Final = 0.15
"""What the processes of a service may keep busy together; those that follow the feeds never rest altogether."""


def await_quiet(processes: Sequence[int]) -> float:
    """Wait until these and all below them do next to nothing, but half a minute at most.

    Returns how many processors they kept busy in the last half second. Where processor time is not known (see
    `processor`) that is 0 at once.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    before = _used(processes)
    while True:
        time.sleep(LOOK_SECONDS)
        used = _used(processes)
        busy = (used - before) / LOOK_SECONDS
        if busy < QUIET_PROCESSORS or time.monotonic() >= deadline:
            return busy
        before = used


def _used(processes: Sequence[int]) -> float:
    return sum(processor_seconds(processes).values())
