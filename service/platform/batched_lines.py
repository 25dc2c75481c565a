"""Log lines of a process with many threads: written together, a few times in a second, by one thread.

Written one by one, each line is a call of the system under a lock: the thread that writes lets all others run, those
that want to write wait for the lock, and a request's line costs more than its rules. Warnings and errors are written
at once, with everything before them. Who is killed loses the lines of the last moment; who ends writes them.
"""

import atexit
import logging
import os
import threading
import time
from collections import deque
from typing import Any, Final, TextIO

PAUSE_SECONDS: Final = 0.05
"""A line is written this long after it was logged at most."""
IDLE_PAUSES: Final = 20
"""After so many pauses without a line the thread ends; the next line starts another."""


class BatchedLines(logging.Handler):
    """Writes lines in the order in which they were logged."""

    def __init__(self, stream: TextIO) -> None:
        """Write to this stream, in this process and in those that it becomes by forking."""
        super().__init__()
        self._stream = stream
        self._waiting: deque[str] = deque()
        # A signal's handler may log while its thread holds it.
        self._writing = threading.RLock()
        self._at_it = 0
        self._writer: threading.Thread | None = None
        atexit.register(self.flush)
        os.register_at_fork(before=self.flush, after_in_child=self._begin_anew)

    def createLock(self) -> None:  # noqa: N802 - the base class's name
        """Need none: lines are put into a deque."""
        self.lock = None

    def handle(self, record: logging.LogRecord) -> bool:
        """Keep a line that no filter holds back; the base class would want its lock for it, from Python 3.13 on."""
        # From Python 3.12 on a filter may put another record in its place.
        found: Any = self.filter(record)
        if found:
            self.emit(found if isinstance(found, logging.LogRecord) else record)
        return bool(found)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line until it is written."""
        try:
            self._waiting.append(f"{self.format(record)}\n")
            if self._writer is None:
                self._start()
            if record.levelno >= logging.WARNING:
                self.flush()
        except Exception:  # noqa: BLE001 - as every handler does: what cannot be logged must not stop a request
            self.handleError(record)

    def flush(self) -> None:
        """Write what waits."""
        if self._at_it == threading.get_ident():
            return  # A signal's handler logs while its thread writes, which goes on with that line.
        with self._writing:
            self._at_it = threading.get_ident()
            try:
                while self._waiting:
                    lines = [self._waiting.popleft() for _ in range(len(self._waiting))]
                    self._stream.write("".join(lines))
                    self._stream.flush()
            finally:
                self._at_it = 0

    def _start(self) -> None:
        with self._writing:
            if self._writer is None:
                self._writer = threading.Thread(target=self._write, name="log-writer", daemon=True)
                self._writer.start()

    def _write(self) -> None:
        idle = 0
        while idle < IDLE_PAUSES:
            time.sleep(PAUSE_SECONDS)
            idle = 0 if self._waiting else idle + 1
            self.flush()
        self._writer = None
        # One that was logged while this thread still seemed to be there.
        self.flush()

    def _begin_anew(self) -> None:
        """Begin without the lines and the thread of the process that this one was forked from."""
        self._waiting.clear()
        self._writing = threading.RLock()
        self._at_it = 0
        self._writer = None
