"""Which partitions a follower of the feeds looks at: those that have moved, and now and then all of them.

Under load feeds move hundreds of times in a second, one at a time. To look at every partition each time would be most
of a follower's work, and most of what the store is asked.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from events.store.event_store import EventStore, FeedEntry

ROUND_SECONDS: Final = 1.0
"""All partitions are looked at this often: what is no news of a feed waits so long at most."""
GATHER_SECONDS: Final = 0.05
"""A follower that has done something rests so long: to look at many things then costs little more than at one."""


class PollSchedule:
    """Remembers which feeds have moved, and waits for more."""

    def __init__(
        self, gather_seconds: float = GATHER_SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Begin with all partitions."""
        self._gather_seconds = gather_seconds
        self._clock = clock
        self._moved: frozenset[int] = frozenset()
        self._next_round = 0.0

    def due(self, partitions: Sequence[int]) -> list[int]:
        """Those of these partitions that are to be looked at now."""
        now = self._clock()
        if now < self._next_round:
            return [each for each in partitions if each in self._moved]
        self._next_round = now + ROUND_SECONDS
        return list(partitions)

    def wait_and_batch(
        self, store: EventStore, positions: Mapping[int, int], seconds: float
    ) -> dict[int, tuple[FeedEntry, ...]]:
        """Wait as `EventStore.follow` does, and look at the partitions that have moved next.

        After something has come, the next wait begins with a rest in which more can gather. Without `seconds`
        nothing is waited for.

        Raises:
            StoreUnavailable
            ValueError: an entry of a feed cannot be read.
        """
        if seconds and self._moved:
            time.sleep(self._gather_seconds)
        found = store.follow(positions, seconds)
        self.look_at(found)
        return found

    def look_at(self, partitions: Iterable[int]) -> None:
        """Look at these next: their feeds have moved."""
        self._moved = frozenset(partitions)

    def restart(self) -> None:
        """Look at all partitions next: nobody knows what has happened."""
        self._next_round = 0.0
