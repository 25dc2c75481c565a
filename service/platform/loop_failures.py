"""Failures in loops that must not stop, counted in this process, for the store to keep.

Such a loop logs an unexpected exception and continues with the next game, stream or webhook. An alert watches these.
"""

from collections import Counter
from collections.abc import Callable
from threading import Lock
from typing import Final

NAME: Final = "loop_failures"
"""Under this name they are counted."""


class LoopFailures:
    """The failures of one process that the store does not have yet, by loop; safe to use from many threads."""

    def __init__(self) -> None:
        """Begin with none."""
        self.on_failure: Callable[[], object] = lambda: None
        """Is called after each: it sees that what was counted is handed in."""
        self._counted = Counter[str]()
        self._lock = Lock()

    def count(self, loop: str) -> None:
        """Count a failure of this loop; never waits for the store."""
        with self._lock:
            self._counted[loop] += 1
        self.on_failure()

    def take(self) -> Counter[tuple[str, ...]]:
        """Return what was counted since the last time, under the names that the store keeps."""
        with self._lock:
            counted, self._counted = self._counted, Counter()
        return Counter({(NAME, loop): number for loop, number in counted.items()})


LOOP_FAILURES: Final = LoopFailures()
"""Those of this process."""
