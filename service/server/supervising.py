"""The processes of the Procfile under honcho: what they say, in which order they begin, and how they end."""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from threading import Thread
from typing import IO, Any, Final

from honcho.manager import Manager
from honcho.printer import Printer
from honcho.process import Popen, Process

LOOK_SECONDS: Final = 0.05
FIRST: Final = "web"
"""The process that somebody waits for."""
FIRST_SECONDS: Final = 1.5
"""How long the others wait for it at most: beside it they would take the time of the processor that it needs."""
FINDING: Final = 1


class _Lines:
    """What a process says: as many whole lines at once as are there, because each one that is told costs as much."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._rest = b""

    def readline(self) -> bytes:
        """The next lines; what comes after the last one's end at the end of all."""
        while b"\n" not in self._rest:
            part = os.read(self._pipe.fileno(), 65536)
            if not part:
                rest, self._rest = self._rest, b""
                return rest
            self._rest += part
        lines, _, self._rest = self._rest.rpartition(b"\n")
        return lines + b"\n"

    def close(self) -> None:
        """Close the pipe."""
        self._pipe.close()


class _Child(Popen):  # type: ignore[misc] # honcho is not typed
    """honcho's process of ours."""

    def __init__(self, command: str, **settings: Any) -> None:
        super().__init__(command, **settings)
        pipe: Any = self.stdout
        self.stdout: Any = _Lines(pipe)


class _Process(Process):  # type: ignore[misc] # honcho is not typed
    """honcho's process beside each of ours, which also ends when nobody is left to whom it could tell anything."""

    may_begin: Any = None
    """An event of multiprocessing to wait for, or None where it begins at once."""

    def run(self, *arguments: Any) -> None:
        """Run the process, and tell what it says and how it ends."""
        self._child_ctor = _Child
        # Which signals mean an end is decided above; ignored ones the process would never get either.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)
        if self.may_begin is not None:
            self.may_begin.wait(FIRST_SECONDS)
        Thread(target=self._end_with, args=(os.getppid(),), daemon=True).start()
        super().run(*arguments)

    def _end_with(self, parent: int) -> None:
        """Without a reader the queue fills up, and who waits to be rid of the rest would wait for ever."""
        while os.getppid() == parent or self._child is None:
            time.sleep(LOOK_SECONDS)
        self._child.wait()
        os._exit(FINDING)


class Processes(Manager):  # type: ignore[misc] # honcho is not typed
    """honcho's manager, which may also be told to stop while it still starts processes."""

    def __init__(self, printer: Printer, when_started: Callable[[], object]) -> None:
        """Begin without processes; what they say is printed here. `when_started` is called in `loop`."""
        super().__init__(printer)
        self._process_ctor = _Process
        self._when_started = when_started
        self._first_is_there = multiprocessing.Event()

    def add(self, name: str, command: str, environment: dict[str, str]) -> None:
        """Add a process; all but the first one wait for it, some time at most."""
        process = self.add_process(name, command, env=environment)
        if name != FIRST:
            process.may_begin = self._first_is_there

    def let_others_begin(self) -> None:
        """Let all others begin: the first process is there."""
        self._first_is_there.set()

    def terminate(self) -> None:
        """Stop all processes, as soon as all are there to be stopped."""
        Thread(target=self._terminate_when_started, daemon=True).start()

    def _start(self) -> None:
        super()._start()
        # Threads come after this: to fork beside one that imports could leave a lock held for ever.
        self._when_started()

    def _terminate_when_started(self) -> None:
        self.let_others_begin()
        while not self._all_started():
            time.sleep(LOOK_SECONDS)
        super().terminate()
