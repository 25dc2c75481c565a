"""A process of the load, from the side of the one who gives it orders."""

import subprocess
import sys
from collections.abc import Callable
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Final, Self

import msgspec

from tests.benchmarks.endurance.messages import Done, Order, Setting, Told, told
from tests.benchmarks.own_service import plain_environment
from tests.support.servers import ROOT

END_SECONDS: Final = 20.0


class Talker:
    """A module of ours as a process: it is given orders, and `hear` is called with each thing it tells.

    It is killed when this is left, and ends by itself when this process is gone.
    """

    def __init__(self, module: str, setting: Setting, hear: Callable[[Told], None]) -> None:
        """Prepare; it is started when this is entered."""
        self._module = module
        self._setting = setting
        self._hear = hear
        self._done = Event()
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._listener = Thread(target=self._listen, daemon=True)

    def __enter__(self) -> Self:
        """Start it."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", self._module],
            cwd=ROOT,
            env=plain_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._write(msgspec.json.encode(self._setting))
        self._listener.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it, whatever it is at."""
        if self._process is not None:
            self._process.kill()
            self._listener.join(END_SECONDS)
            with self._lock:
                self._process.communicate(timeout=END_SECONDS)

    def tell(self, order: Order) -> None:
        """Give an order; nobody hears it where the process has ended."""
        self._write(msgspec.json.encode(order))

    def is_done(self, seconds: float) -> bool:
        """Whether it has told everything within this time, after `Stop`."""
        return self._done.wait(seconds)

    @property
    def has_ended(self) -> bool:
        """Whether it is gone, which nobody has asked of it."""
        return self._process is not None and self._process.poll() is not None and not self._done.is_set()

    def _write(self, line: bytes) -> None:
        if self._process is None or self._process.stdin is None:
            raise RuntimeError("It is not started.")
        with self._lock:
            if self._process.stdin.closed:
                return
            try:
                self._process.stdin.write(line + b"\n")
                self._process.stdin.flush()
            except BrokenPipeError:
                return

    def _listen(self) -> None:
        if self._process is None or self._process.stdout is None:
            raise RuntimeError("It is not started.")
        for line in self._process.stdout:
            heard = told(line)
            if isinstance(heard, Done):
                self._done.set()
            else:
                self._hear(heard)
