"""Partitions that did not do what they were asked, each left alone for a while: one of them holds up nobody else.

In a cluster some partitions may be away, or take no writes for want of a replica, while all others work. Whoever
works for many partitions asks each, leaves alone the one that fails, and asks it again, soon and then less often.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

from events.store.errors import ArchiveUnavailable, StoreError, StoreRefused, StoreUnavailable
from events.store.waiting import waiting_at_most

FIRST_PAUSE_SECONDS: Final = 1.0
LONGEST_PAUSE_SECONDS: Final = 5.0
FAILURES: Final = (StoreUnavailable, StoreRefused)
"""By these a partition that is away, or takes no writes, is told from a game that is the matter."""
AFTER_A_FAILURE_SECONDS: Final = 0.1
"""How long a partition is waited for in vain by somebody whom another one has just failed."""
RETRY_SECONDS: Final = 0.05
"""How long a partition that has failed is waited for when it is asked again: others wait meanwhile."""


class PartitionPauses:
    """Which partitions are left alone by somebody, and until when; safe to use from many threads."""

    def __init__(self, log: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with none; the log is told when one begins to wait, and when it goes on."""
        self._log = log
        self._clock = clock
        self._until: dict[int, float] = {}
        self._pauses: dict[int, float] = {}
        self._lock = Lock()

    @property
    def waiting(self) -> list[int]:
        """The partitions that have failed and have not worked since."""
        return sorted(self._pauses)

    def is_left_alone(self, partition: int) -> bool:
        """Whether a partition has failed lately, and is not to be asked yet."""
        return self._clock() < self._until.get(partition, 0.0)

    def fail(self, partition: int, error: StoreError) -> None:
        """A partition has failed: leave it alone for a while, longer than the last time."""
        with self._lock:
            is_new = partition not in self._pauses
            pause = min(2 * self._pauses.get(partition, FIRST_PAUSE_SECONDS / 2), LONGEST_PAUSE_SECONDS)
            self._pauses[partition] = pause
            self._until[partition] = self._clock() + pause
        if is_new:
            self._log.warning("partition %d waits for the store, and the others go on: %s", partition, error)

    def work(self, partition: int) -> None:
        """A partition has done what it was asked."""
        if partition in self._pauses:
            with self._lock:
                self._pauses.pop(partition, None)
                self._until.pop(partition, None)
            self._log.warning("partition %d goes on", partition)

    def forget(self) -> None:
        """Ask every partition again: it was the whole store that was away."""
        with self._lock:
            self._pauses.clear()
            self._until.clear()

    @contextmanager
    def asking(self, partition: int) -> Iterator[None]:
        """Ask something of a partition; one that has failed before is waited for no longer than a moment.

        One that does not answer, or takes no writes, is left alone from now on.

        Raises:
            StoreError
        """
        try:
            if partition in self._pauses:
                with waiting_at_most(RETRY_SECONDS):
                    yield
            else:
                yield
        except ArchiveUnavailable:
            raise
        except FAILURES as error:
            self.fail(partition, error)
            raise
        self.work(partition)
