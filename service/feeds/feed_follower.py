"""The loop of all who follow feeds: read on, hand the entries over, do what is due, wait for more.

It goes on by itself after an outage of the store, and leaves out partitions that must not be followed, or that do not
answer while others do. It takes one batch of a partition after that of another, so it stops soon when it is told to,
however far behind it is.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from math import inf
from threading import Event
from typing import Final

from events.store.errors import ArchiveUnavailable, CheckpointMoved, StoreDamaged, StoreError
from events.store.event_store import FOLLOWED_ENTRIES, EventStore, FeedEntry
from events.store.waiting import waiting_at_most
from service.feeds.feed_batch import check_gapless, read_batch
from service.feeds.poll_schedule import PollSchedule
from service.platform.timer import Timer
from service.storage.partition_pauses import AFTER_A_FAILURE_SECONDS, FAILURES, PartitionPauses

PAUSE_SECONDS: Final = 1.0
"""How long a store that does not answer is left alone."""
WAIT_SECONDS: Final = 1.0
"""How long a follower waits at once for something new, and so the time within which it stops when it is idle."""
LOOK_AGAIN_SECONDS: Final = 0.05
"""How long a follower rests where the wait for all feeds together has failed."""
BATCH: Final = 200


class FeedConsumer:
    """What somebody makes of the feeds. How far it is it keeps itself: stored, or only remembered."""

    batch: int = BATCH
    """Entries that are handed over at once at most."""
    tolerates_gaps: bool = False
    """Whether a feed that lacks a position is read on."""

    def begin(self, partitions: Sequence[int]) -> None:
        """Get ready to follow these partitions: at the start, and again after each outage of the store, or of one."""

    def position(self, partition: int) -> int | None:
        """Behind which entry of a partition's feed to go on; None while it is not followed.

        Raises:
            StoreError
        """
        raise NotImplementedError

    def process_batch(self, partition: int, position: int, entries: tuple[FeedEntry, ...]) -> object:
        """Do what these entries, which follow a position, call for, and move on.

        Raises:
            CheckpointMoved: somebody else was faster; the position is asked for again.
            ArchiveUnavailable: the partition is tried again within a second, and the others go on.
            StoreDamaged: it cannot go on here; handled as a lost feed.
            StoreError
        """
        raise NotImplementedError

    def lose_feed(self, partition: int, damage: StoreDamaged) -> None:
        """Take note that a feed has lost what was read of it, or cannot be read; it is tried again in a second."""
        raise NotImplementedError

    def finish_turn(self, partitions: Sequence[int]) -> bool:
        """Do what is left to do after these partitions were looked at; whether there is more to do at once."""
        del partitions
        return False


class FeedFollower:
    """Follows the feeds of a store for some consumers."""

    def __init__(
        self,
        store: EventStore,
        consumers: Sequence[FeedConsumer],
        *,
        log: logging.Logger,
        partitions: Callable[[], Sequence[int]] | None = None,
        beat: Callable[[], object] = lambda: None,
        timer: Timer | None = None,
        schedule: PollSchedule | None = None,
    ) -> None:
        """Follow all partitions, or those that `partitions` names at each turn; `beat` is called again and again."""
        self._store = store
        self._consumers = consumers
        self._log = log
        self._partitions = partitions or (lambda: range(store.partitions))
        self._beat = beat
        self._timer = timer or Timer()
        self._schedule = schedule or PollSchedule()
        self._reached: dict[tuple[int, int], int] = {}
        """By a consumer's number and a partition: behind which position something new is waited for."""
        self._begun: set[int] = set()
        """The partitions for which the consumers are ready."""
        self._pauses = PartitionPauses(log)
        self._batches: dict[int, tuple[FeedEntry, ...]] = {}
        """What the last wait has brought, by partition."""

    def run(self, stopping: Event) -> None:
        """Follow until told to stop, through outages of the store."""
        self._forget()
        while not stopping.is_set():
            try:
                self._turn(stopping)
            except StoreError as error:
                self._log.warning("waiting for the store: %s", error)
                self._forget()
                # One partition that fails must not hold up what is due elsewhere.
                self._timer.run_due()
                stopping.wait(PAUSE_SECONDS)

    def catch_up(self, partitions: Iterable[int], stopping: Event | None = None) -> bool:
        """Hand over all that these partitions hold; False where the archive is needed and away.

        Raises:
            StoreUnavailable
        """
        complete = True
        for partition in partitions:
            for number in range(len(self._consumers)):
                try:
                    while not (stopping is not None and stopping.is_set()) and self._step(number, partition):
                        pass
                except ArchiveUnavailable as away:
                    self._log.warning("partition %d waits for the archive: %s", partition, away)
                    complete = False
        return complete

    def step(self, partition: int) -> bool:
        """Hand the next batch of a partition to each consumer; whether there may be more."""
        found = [self._step(number, partition) for number in range(len(self._consumers))]
        return any(found)

    def _forget(self) -> None:
        """Begin anew with every partition."""
        self._reached.clear()
        self._batches.clear()
        self._begun.clear()
        self._pauses.forget()
        self._schedule.restart()

    def _turn(self, stopping: Event) -> None:
        """Look once at all partitions that are due, then wait for more.

        Raises:
            StoreError: all were looked at, and none has answered.
        """
        self._beat()
        partitions = [each for each in self._partitions() if not self._pauses.is_left_alone(each)]
        looked_at = self._schedule.due(partitions)
        has_more, failed = False, dict[int, StoreError]()
        for partition in looked_at:
            if stopping.is_set():
                return
            self._beat()
            try:
                # Where one has just failed, the next ones are not waited for as long.
                with (
                    waiting_at_most(AFTER_A_FAILURE_SECONDS if failed else inf),
                    self._pauses.asking(partition),
                ):
                    has_more |= self._look_at(partition, stopping)
            except FAILURES as error:
                failed[partition] = error
                self._leave(partition)
            self._timer.run_due()
        # Fewer may be what alone has moved.
        if failed and len(failed) == len(partitions):
            raise failed[looked_at[0]]
        partitions = [each for each in partitions if each not in failed]
        looked_at = [each for each in looked_at if each not in failed]
        self._batches = {}
        self._timer.run_due()
        for each in self._consumers:
            has_more |= each.finish_turn(looked_at)
        self._timer.run_due()
        if not stopping.is_set():
            self._wait(partitions, stopping, 0.0 if has_more else self._timer.seconds_left(WAIT_SECONDS))

    def _look_at(self, partition: int, stopping: Event) -> bool:
        """Hand the next batch of a partition to each consumer, once they are ready; whether there may be more."""
        has_more = False
        if partition not in self._begun:
            for each in self._consumers:
                each.begin((partition,))
            self._begun.add(partition)
        for number in range(len(self._consumers)):
            if stopping.is_set():
                break
            try:
                has_more |= self._step(number, partition)
            except ArchiveUnavailable as away:
                self._log.warning("partition %d waits for the archive: %s", partition, away)
        return has_more

    def _leave(self, partition: int) -> None:
        """Forget what is known of a partition that has failed: it may come back older than it was."""
        self._begun.discard(partition)
        for number in range(len(self._consumers)):
            self._reached.pop((number, partition), None)

    def _wait(self, partitions: Sequence[int], stopping: Event, seconds: float) -> None:
        positions: dict[int, int] = {}
        for (_, partition), position in self._reached.items():
            if partition in partitions:
                positions[partition] = min(position, positions.get(partition, position))
        if not positions:
            stopping.wait(seconds)
            self._schedule.restart()
            return
        try:
            self._batches = self._schedule.wait_and_batch(self._store, positions, seconds)
        except ValueError as error:
            # Which one it is comes out when each is read by itself.
            self._log.error("a feed cannot be read: %s", error)
            self._schedule.restart()
        except FAILURES as error:
            # So does which of them does not answer; and all may come back older than they were.
            self._log.warning("waiting for the store: %s", error)
            self._reached.clear()
            self._begun.clear()
            self._schedule.restart()
            stopping.wait(LOOK_AGAIN_SECONDS)

    def _step(self, number: int, partition: int) -> bool:
        """Hand the next batch of a partition to a consumer; whether there may be more."""
        self._beat()
        consumer = self._consumers[number]
        # What goes wrong is not waited for: it is tried again when all partitions are looked at.
        self._reached.pop((number, partition), None)
        position = consumer.position(partition)
        if position is None:
            return False
        try:
            entries = self._batch(consumer, partition, position)
            if entries:
                consumer.process_batch(partition, position, entries)
        except CheckpointMoved as moved:
            self._log.warning("another process follows partition %d too: %s", partition, moved)
            return True
        except StoreDamaged as damage:
            consumer.lose_feed(partition, damage)
            return False
        self._reached[number, partition] = entries[-1].position if entries else position
        return len(entries) >= min(consumer.batch, FOLLOWED_ENTRIES)

    def _batch(self, consumer: FeedConsumer, partition: int, position: int) -> tuple[FeedEntry, ...]:
        known = self._batches.get(partition, ())
        if known and known[0].position == position + 1:
            entries = known[: consumer.batch]
        else:
            entries = read_batch(self._store, partition, position, consumer.batch)
        if not consumer.tolerates_gaps:
            check_gapless(partition, position, entries)
        return entries
