"""One reader of the feeds in each process wakes whoever waits for a game, and calls whoever follows it.

That a game has moved is a hint; who hears of it reads the log. When the reader loses the store it tries again, and
everybody looks at the log by themselves now and then.
"""

import logging
from collections.abc import Callable, Sequence
from math import inf
from threading import Event, Lock, Thread
from typing import Final

from events.store.errors import StoreDamaged, StoreUnavailable
from events.store.event_store import FeedEntry
from events.store.waiting import waiting_at_most
from service.feeds.feed_follower import FeedConsumer, FeedFollower
from service.feeds.poll_schedule import PollSchedule
from service.http.push.watch import Watch
from service.storage.partition_pauses import AFTER_A_FAILURE_SECONDS
from service.storage.store import Store

MOST_WAITING: Final = 1000
"""Requests that wait at once in one process: each holds a connection."""
TOGETHER_SECONDS: Final = 0.005
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
        self._watches: dict[str, set[Watch]] = {}
        self._waiting = 0
        self._followers: dict[str, Callable[[], None]] = {}
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
        return self._waiting

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

    def watch(self, game: str) -> Watch | None:
        """Take a place to wait for a game, before reading its log, and leave it later; None when all are taken.

        Raises:
            StoreUnavailable
        """
        with self._lock:
            if self._waiting >= MOST_WAITING:
                return None
            self._listen()
            watch = Watch(game)
            self._watches.setdefault(game, set()).add(watch)
            self._waiting += 1
        return watch

    def leave_watch(self, watch: Watch) -> None:
        """Give a place back."""
        with self._lock:
            watches = self._watches[watch.game]
            watches.remove(watch)
            if not watches:
                del self._watches[watch.game]
            self._waiting -= 1

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
            lost = [watch for each in self._watches.values() for watch in each]
            heard = [*self._followers.values()]
        for watch in lost:
            watch.lose()
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
            told = [
                (watch, moved[game])
                for game in moved.keys() & self._watches.keys()
                for watch in self._watches[game]
            ]
            heard = [self._followers[game] for game in moved.keys() & self._followers.keys()]
        for watch, version in told:
            watch.tell(version)
        for each in heard:
            each()
