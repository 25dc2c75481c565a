"""Which partitions a follower of the feeds looks at: those that have moved, and now and then all of them.

Under load feeds move hundreds of times in a second, one at a time. To look at every partition each time would be most
of a follower's work, and most of what the store is asked.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from events.store import EventStore, FeedEntry

ROUND_SECONDS: Final = 1.0
"""All partitions are looked at this often: what is no news of a feed waits so long at most."""
GATHER_SECONDS: Final = 0.05
"""A follower that has heard of something waits so long for more: to look at many things costs little more."""


def gathered(
    store: EventStore, positions: Mapping[int, int], seconds: float, gather_seconds: float = GATHER_SECONDS
) -> dict[int, tuple[FeedEntry, ...]]:
    """Wait as `EventStore.follow` does and, where something has come, a moment for more.

    Raises:
        StoreUnavailable
    """
    if not store.follow(positions, seconds):
        return {}
    time.sleep(gather_seconds)
    return store.follow(positions, 0.0)


class Rounds:
    """Remembers which feeds have moved."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with all partitions."""
        self._clock = clock
        self._moved: frozenset[int] = frozenset()
        self._next = 0.0

    def due(self, partitions: Sequence[int]) -> list[int]:
        """Those of these partitions that are to be looked at now."""
        now = self._clock()
        if now < self._next:
            return [each for each in partitions if each in self._moved]
        self._next = now + ROUND_SECONDS
        return list(partitions)

    def moved(self, partitions: Iterable[int]) -> None:
        """Look at these next: their feeds have moved."""
        self._moved = frozenset(partitions)

    def begin_anew(self) -> None:
        """Look at all partitions next: nobody knows what has happened."""
        self._next = 0.0
