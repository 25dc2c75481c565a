"""News of games: one reader of the feeds per process wakes whoever waits for a game, and calls whoever follows it.

News are a hint; who hears of them reads the log. When the reader loses the store it tries again, and everybody looks
at the log by themselves now and then.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Lock, Thread
from typing import Final

from events.redis_store import RedisEventStore
from events.store_errors import StoreError

MOST_WAITING: Final = 48
"""Requests that wait at once in one process: each holds a thread, and commands need some too."""
LOOK_SECONDS: Final = 1.0
"""How often a waiter looks whether its client is still there: who goes away must not hold a place."""
FOLLOW_SECONDS: Final = 1.0
"""The reader looks this often whether anybody still listens."""
TOGETHER_SECONDS: Final = 0.02
"""News that come so soon after others are told together: reading the feeds costs as much for one as for many."""
AGAIN_SECONDS: Final = 0.5
"""How long the reader leaves a store alone that does not answer."""
_log = logging.getLogger("fieldbook.streams")


class News:
    """Tells that a game has moved; safe to use from many threads."""

    def __init__(self, store: RedisEventStore) -> None:
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
        self._closed = False

    def close(self) -> None:
        """Stop listening; the store may be closed afterwards."""
        with self._lock:
            self._closed, reader = True, self._reader
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

    def _listen(self) -> None:
        """Start the reader at the feeds' ends of now: what comes after the first listener is told to it."""
        if self._reader is None:
            positions = {each: self._store.feed_end(each) for each in range(self._store.partitions)}
            self._reader = Thread(target=self._read, args=(positions,), name="feed-reader", daemon=True)
            self._reader.start()

    def _read(self, positions: dict[int, int]) -> None:
        """Read the feeds as long as somebody listens."""
        told = time.monotonic()
        while not self._is_idle():
            time.sleep(max(told + TOGETHER_SECONDS - time.monotonic(), 0.0))
            try:
                found = self._store.follow(positions, FOLLOW_SECONDS)
                if not found:
                    self._back_to_the_ends(positions)
                for partition, entries in found.items():
                    positions[partition] = entries[-1].position
                    self._tell({each.game_id: each.last_version for each in entries})
                told = time.monotonic()
            except StoreError as error:
                _log.warning("the feed cannot be read: %s", error)
                time.sleep(AGAIN_SECONDS)

    def _tell(self, moved: dict[str, int]) -> None:
        """Wake and call those who listen for these games."""
        with self._lock:
            for game in moved.keys() & self._moved.keys():
                self._versions[game] = moved[game]
                self._moved[game].notify_all()
            heard = [self._followers[game] for game in moved.keys() & self._followers.keys()]
        for each in heard:
            each()

    def _back_to_the_ends(self, positions: dict[int, int]) -> None:
        """Go back where a feed has lost its end, and wake everybody: what they wait for may be lost too."""
        ends = {partition: self._store.feed_end(partition) for partition in positions}
        shorter = {partition: end for partition, end in ends.items() if end < positions[partition]}
        if shorter:
            positions.update(shorter)
            with self._lock:
                self._versions.clear()
                self._lost += 1
                for each in self._moved.values():
                    each.notify_all()
                heard = [*self._followers.values()]
            for follower in heard:
                follower()

    def _is_idle(self) -> bool:
        """Whether nobody listens; the reader then ends, and the next listener starts another one."""
        with self._lock:
            if self._closed or not (self._waiting or self._followers):
                self._reader = None
            return self._reader is None
