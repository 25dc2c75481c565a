"""Asking with little effort and little patience: what was found out is remembered, and nobody waits for long."""

import time
from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock, Thread
from typing import Generic, TypeVar

Found = TypeVar("Found")


class CachedCall(Generic[Found]):
    """Asks at most once in so many seconds; one caller asks, the others wait for what it finds."""

    def __init__(self, ask: Callable[[], Found], seconds: float) -> None:
        """Remember what `ask` returns; what it raises is not remembered."""
        self._ask = ask
        self._seconds = seconds
        self._lock = Lock()
        self._until = 0.0
        self._found: Found | None = None

    def __call__(self) -> Found:
        """What was found at most so many seconds ago."""
        with self._lock:
            if self._found is None or time.monotonic() >= self._until:
                self._found = self._ask()
                self._until = time.monotonic() + self._seconds
            return self._found


class TimeBounded(Generic[Found]):
    """Waits for an answer only so long; whoever asks meanwhile waits for the same one.

    A server that is paused answers no sooner for being asked by every probe, and must not hold a thread for each.
    """

    def __init__(self, ask: Callable[[], Found], seconds: float) -> None:
        """Return what `ask` returns, or raise what it raises."""
        self._ask = ask
        self._seconds = seconds
        self._lock = Lock()
        self._asked: Future[Found] | None = None

    def __call__(self) -> Found:
        """The answer.

        Raises:
            TimeoutError: there is none yet.
        """
        with self._lock:
            if self._asked is None or self._asked.done():
                self._asked = Future()
                Thread(target=self._answer, args=(self._asked,), daemon=True).start()
            asked = self._asked
        return asked.result(self._seconds)

    def _answer(self, asked: "Future[Found]") -> None:
        try:
            asked.set_result(self._ask())
        except Exception as error:  # noqa: BLE001 - it is raised where the answer is awaited
            asked.set_exception(error)
