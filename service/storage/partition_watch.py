"""Keeping watch over the partitions: a damaged one, or one that has lost something, is quarantined and said.

The projector asks before it projects, and tells what it has read. The others go on.
"""

import logging
import time
from typing import Final

from events.store.event_store import EventStore, FeedEntry
from service.storage.feed_watermarks import FeedWatermarks
from service.storage.levels import Durability
from service.storage.partition_damage import find_damage, find_loss
from service.storage.partition_pauses import FAILURES, PartitionPauses
from service.storage.settings import StoreSettings

LOOK_SECONDS: Final = 0.3
_log = logging.getLogger("fieldbook.partitions")


class PartitionWatch:
    """Which partitions may be worked on; one that does not answer by itself may not, and is asked again.

    Every method may raise what a store raises.
    """

    def __init__(self, store: EventStore, watermarks: FeedWatermarks | None = None) -> None:
        """Watch this store; without watermarks, one that keeps nothing for ever anyway."""
        self._store = store
        self._watermarks = watermarks
        self._held: set[int] = set()
        """Partitions that are known to be quarantined."""
        self._unchecked = set(range(store.partitions))
        """Partitions whose heads have not been compared with their logs since this process began."""
        self._pauses = PartitionPauses(_log)
        self._lately: list[int] = []
        self._looked_at = float("-inf")

    def healthy(self) -> list[int]:
        """The partitions that may be worked on now, after a look at each of them.

        At first this compares every game's head with its log, which takes some seconds for many games; from
        then on it looks whether the feeds still hold what was seen of them.
        """
        reasons = self._store.quarantine.reasons()
        found = []
        for partition in range(self._store.partitions):
            if self._pauses.is_left_alone(partition):
                continue
            if partition in reasons:
                self._hold(partition, reasons[partition])
                continue
            if partition in self._held:
                self._let_go(partition)
            try:
                with self._pauses.asking(partition):
                    reason = self._loss(partition) or self._damage(partition)
            except FAILURES:
                continue
            if reason is None:
                found.append(partition)
            else:
                self._store.quarantine.put(partition, reason)
                self._hold(partition, reason)
        return found

    def healthy_lately(self) -> list[int]:
        """As `healthy`, looking at most some times a second: a follower under load asks far more often."""
        now = time.monotonic()
        if now - self._looked_at >= LOOK_SECONDS:
            self._lately = self.healthy()
            self._looked_at = now
        return self._lately

    def seen(self, partition: int, entries: tuple[FeedEntry, ...]) -> None:
        """Remember what was read of a feed."""
        if self._watermarks is not None and partition not in self._held:
            self._watermarks.see(partition, entries)

    def close(self) -> None:
        """Write down what was seen last."""
        if self._watermarks is not None:
            self._watermarks.save(now=True)

    def _loss(self, partition: int) -> str | None:
        if self._watermarks is None:
            return None
        self._watermarks.save()
        return find_loss(self._store, partition, self._watermarks.feeds.get(partition, ()))

    def _damage(self, partition: int) -> str | None:
        if partition not in self._unchecked:
            return None
        damage = find_damage(self._store, partition)
        self._unchecked.discard(partition)
        if damage is not None and damage == self._store.quarantine.accepted(partition):
            _log.warning("partition %d is damaged, which was accepted: %s", partition, damage)
            return None
        return damage

    def _hold(self, partition: int, reason: str) -> None:
        if partition not in self._held:
            self._held.add(partition)
            _log.error(
                "partition %d is quarantined, nothing is appended to it: %s"
                " See `fieldbook partitions`; the other partitions go on.",
                partition,
                reason,
            )

    def _let_go(self, partition: int) -> None:
        """Somebody has released it: what is there now is what counts."""
        self._held.discard(partition)
        self._unchecked.discard(partition)
        if self._watermarks is not None:
            self._watermarks.forget(partition)
        _log.warning("partition %d was released", partition)


def feed_watermarks(settings: StoreSettings, store: EventStore) -> FeedWatermarks | None:
    """The watermarks in the data folder; none at the level `memory`, which promises nothing that could be missed."""
    if settings.durability is Durability.MEMORY:
        return None
    settings.data_folder.mkdir(parents=True, exist_ok=True)
    return FeedWatermarks(settings.data_folder, store.installation.installation_id)
