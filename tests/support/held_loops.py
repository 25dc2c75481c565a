"""Processes whose loops stand still while all of their other threads go on: as by a call that does not come back."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from tests.support.servers import ROOT, eventually

HOLD: Final = signal.SIGRTMIN
"""Tells a process to stand still; it means nothing else to any of them."""
STAND_STILL: Final = f"""
import os, signal

def stand_still(*_):
    mine = os.path.join(os.environ["HELD_LOOPS"], str(os.getpid()))
    open(mine + ".held", "w").close()
    open(mine).close()

signal.signal({int(HOLD)}, stand_still)
"""
"""What Python reads when it starts. Signals are handled in the main thread, where the loop is, and so it waits in the
kernel, in open(2) of a pipe to which nobody writes."""


class HeldLoops:
    """Holds up the loops of processes.

    Attributes:
        environment: the variables with which these are started.
    """

    def __init__(self, folder: Path) -> None:
        """Prepare it in this new folder."""
        folder.mkdir()
        (folder / "sitecustomize.py").write_text(STAND_STILL)
        self.environment = {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "HELD_LOOPS": str(folder)}
        self._folder = folder

    @contextmanager
    def held(self, *processes: int) -> Iterator[None]:
        """While this lasts the loops of these stand still."""
        for each in processes:
            os.mkfifo(self._folder / str(each))
        try:
            for each in processes:
                os.kill(each, HOLD)
            eventually(lambda: all(map(self._is_held, processes)))
            yield
        finally:
            for each in filter(self._is_held, processes):
                eventually(partial(self._goes_on, each))

    def _is_held(self, process: int) -> bool:
        return (self._folder / f"{process}.held").exists()

    def _goes_on(self, process: int) -> bool:
        """Be the one at the other end; whether the process was there."""
        try:
            os.close(os.open(self._folder / str(process), os.O_WRONLY | os.O_NONBLOCK))
        except OSError:
            return False
        (self._folder / str(process)).unlink()
        (self._folder / f"{process}.held").unlink()
        return True
