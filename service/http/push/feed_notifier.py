"""One reader of the feeds in each process wakes whoever waits for a game, and calls whoever follows it.

That a game has moved is a hint; who hears of it reads the log. When the reader loses the store it tries again, and
everybody looks at the log by themselves now and then.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from threading import Condition, Event, Lock, Thread
from typing import Final

from events.store.errors import StoreDamaged, StoreUnavailable
from events.store.event_store import FeedEntry
from events.store.waiting import waiting_at_most
from service.feeds.feed_follower import FeedConsumer, FeedFollower
from service.feeds.poll_schedule import PollSchedule
from service.storage.partition_pauses import AFTER_A_FAILURE_SECONDS
from service.storage.store import Store

MOST_WAITING: Final = 48
"""Requests that wait at once in one process: each holds a thread, and commands need some too."""
LOOK_SECONDS: Final = 1.0
"""How often a waiter looks whether its client is still there: who goes away must not hold a place."""
TOGETHER_SECONDS: Final = 0.02
"""What comes so soon after something else waits a little: reading the feeds costs as much for one as for many."""
_log = logging.getLogger("fieldbook.streams")


class FeedNotifier(FeedConsumer):
    """Tells that a game has moved; safe to use from many threads."""

    batch = 1000
    tolerates_gaps = True

    def __init__(self, store: Store) -> None:
        """Listen to the feeds of this store, from the first listener on."""
        self._store = store
        self._lock = Lock()
        self._moved: dict[str, Condition] = {}
        """Of each game that is waited for: who waits for one is not woken by another."""
        self._waiting: Counter[str] = Counter()
        self._versions: dict[str, int] = {}
        """Where the games that are waited for are known to stand."""
        self._followers: dict[str, Callable[[], None]] = {}
        self._lost = 0
        """How often a feed had lost its end."""
        self._reader: Thread | None = None
        self._stopping = Event()
        """Set when the reader is to end."""
        self._positions: dict[int, int] = {}

    def close(self) -> None:
        """Stop listening; the store may be closed afterwards."""
        with self._lock:
            reader = self._reader
            self._stopping.set()
        if reader is not None:
            reader.join()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return self._waiting.total()

    def follow(self, game: str, heard: Callable[[], None]) -> None:
        """Call this, which must be quick, whenever a game may have moved; follow it before reading its log.

        Raises:
            StoreUnavailable
        """
        with self._lock:
            self._listen()
            self._followers[game] = heard

    def leave(self, game: str) -> None:
        """Follow a game no more."""
        with self._lock:
            self._followers.pop(game, None)

    @contextmanager
    def watch(self, game: str) -> Iterator[bool]:
        """Take a place to wait for a game, before reading its log; False when all places are taken.

        Raises:
            StoreUnavailable
        """
        with self._lock:
            free = self._waiting.total() < MOST_WAITING
            if free:
                self._listen()
                self._waiting[game] += 1
                self._moved.setdefault(game, Condition(self._lock))
        try:
            yield free
        finally:
            if free:
                with self._lock:
                    self._waiting[game] -= 1
                    if not self._waiting[game]:
                        del self._waiting[game], self._moved[game]
                        self._versions.pop(game, None)

    def wait(self, game: str, version: int, seconds: float, is_gone: Callable[[], bool]) -> None:
        """Wait until a watched game has moved past this version or its watcher is gone, so many seconds at most."""
        deadline, lost = time.monotonic() + seconds, self._lost
        while (left := deadline - time.monotonic()) > 0:
            with self._lock:
                if lost != self._lost or self._versions.get(game, 0) > version:
                    return
                self._moved[game].wait(min(left, LOOK_SECONDS))
            if is_gone():
                return

    def position(self, partition: int) -> int:
        """How far a feed was heard; one that did not answer at first is heard from where it ends now."""
        known = self._positions.get(partition)
        if known is None:
            known = self._positions[partition] = self._store.feed_end(partition)
            self._wake_all()
        return known

    def process_batch(self, partition: int, position: int, entries: tuple[FeedEntry, ...]) -> None:
        """Tell of the games that have moved."""
        del position
        self._positions[partition] = entries[-1].position
        self._tell({each.game_id: each.last_version for each in entries})

    def lose_feed(self, partition: int, damage: StoreDamaged) -> None:
        """Go back where a feed has lost its end, and wake everybody: what they wait for may be lost too."""
        _log.warning("%s", damage)
        end = self._store.feed_end(partition)
        if end < self._positions[partition]:
            self._positions[partition] = end
            self._wake_all()

    def _wake_all(self) -> None:
        """Have everybody read the log: what they wait for may be lost, or there already."""
        with self._lock:
            self._versions.clear()
            self._lost += 1
            for each in self._moved.values():
                each.notify_all()
            heard = [*self._followers.values()]
        for follower in heard:
            follower()

    def finish_turn(self, partitions: Sequence[int]) -> bool:
        """End the reader where nobody listens; the next listener starts another one."""
        del partitions
        with self._lock:
            if not (self._waiting or self._followers):
                self._stopping.set()
                self._reader = None
        return False

    def _listen(self) -> None:
        """Start the reader at the feeds' ends of now: what comes after the first listener is told to it."""
        if self._reader is None:
            self._positions = self._ends()
            self._stopping = Event()
            schedule = PollSchedule(TOGETHER_SECONDS)
            follower = FeedFollower(self._store, [self], log=_log, schedule=schedule)
            self._reader = Thread(
                target=follower.run, args=(self._stopping,), name="feed-reader", daemon=True
            )
            self._reader.start()

    def _ends(self) -> dict[int, int]:
        """Where the feeds end that answer.

        Raises:
            StoreUnavailable: none does.
        """
        ends, failure = dict[int, int](), None
        for partition in range(self._store.partitions):
            try:
                with waiting_at_most(AFTER_A_FAILURE_SECONDS if failure else inf):
                    ends[partition] = self._store.feed_end(partition)
            except StoreUnavailable as error:
                failure = error
        if failure is not None and not ends:
            raise failure
        return ends

    def _tell(self, moved: dict[str, int]) -> None:
        """Wake and call those who listen for these games."""
        with self._lock:
            for game in moved.keys() & self._moved.keys():
                self._versions[game] = moved[game]
                self._moved[game].notify_all()
            heard = [self._followers[game] for game in moved.keys() & self._followers.keys()]
        for each in heard:
            each()
