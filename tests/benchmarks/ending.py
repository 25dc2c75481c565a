"""How long a service takes to end: from SIGTERM of `fieldbook up` until the last of its processes is gone."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.benchmarks.own_service import ServiceFailed
from tests.benchmarks.processor import below

LOOK_SECONDS: Final = 0.01
LONGEST_SECONDS: Final = 60.0
_PROC: Final = Path("/proc")


def seconds_until_ended(process: int) -> float:
    """End a process by SIGTERM; seconds until it and all that it started are gone.

    Where there is no /proc only the process itself is looked at.

    Raises:
        ServiceFailed: some are there after a minute; they are killed then.
    """
    running = set(below(process))
    began = time.perf_counter()
    os.kill(process, signal.SIGTERM)
    while running:
        # What is started at the last moment counts as well.
        running = {each for every in running for each in below(every) if runs(each)}
        took = time.perf_counter() - began
        if took > LONGEST_SECONDS:
            _kill(running)
            raise ServiceFailed(f"{len(running)} processes have not ended {took:.0f} s after SIGTERM.")
        time.sleep(LOOK_SECONDS)
    return time.perf_counter() - began


def runs(process: int) -> bool:
    """Whether it is there, and not only its name, which its parent has yet to take away."""
    if not _PROC.exists():
        return os.waitpid(process, os.WNOHANG) == (0, 0)
    try:
        return (_PROC / str(process) / "stat").read_text(encoding="ascii").rpartition(")")[2].split()[
            0
        ] not in "ZX"
    except OSError:
        return False


def _kill(processes: set[int]) -> None:
    for each in processes:
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)
