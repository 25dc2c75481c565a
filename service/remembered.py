"""What was found out is remembered for a moment, so that asking often costs little."""

import time
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

Found = TypeVar("Found")


class Remembered(Generic[Found]):
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
