"""Waiting for new events: one reader of the feeds per process wakes whoever waits for a game.

A wake-up is a hint; who is woken reads the log. When the reader loses the store it tries again, and every
waiter looks at the log by itself at least once per heartbeat.
"""

import logging
import select
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Lock, Thread

from events.redis_store import RedisEventStore
from events.store_errors import StoreError

MOST_STREAMS = 48
"""Streams open at once in one process: each holds a thread, and commands need some too."""
LOOK_SECONDS = 1.0
"""How often a waiter looks whether its client is still there: who goes away must not hold a place."""
_log = logging.getLogger("fieldbook.streams")


FOLLOW_SECONDS = 1.0
"""The reader looks this often whether anybody still watches."""


class Streams:
    """Tells watchers of a game that it has moved."""

    def __init__(self, store: RedisEventStore) -> None:
        """Listen to the feeds of this store, from the first watcher on."""
        self._store = store
        self._lock = Lock()
        self._moved: dict[str, Condition] = {}
        """Of each watched game: who waits for one is not woken by another."""
        self._watchers: Counter[str] = Counter()
        self._versions: dict[str, int] = {}
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

    @contextmanager
    def watch(self, game: str) -> Iterator[bool]:
        """Watch a game, before reading its log; False when all places for watchers are taken."""
        with self._lock:
            free = self._watchers.total() < MOST_STREAMS
            if free:
                self._listen()
                self._watchers[game] += 1
                self._moved.setdefault(game, Condition(self._lock))
        try:
            yield free
        finally:
            if free:
                with self._lock:
                    self._watchers[game] -= 1
                    if not self._watchers[game]:
                        del self._watchers[game], self._moved[game]
                        self._versions.pop(game, None)

    @property
    def open(self) -> int:
        """How many watchers there are."""
        return self._watchers.total()

    def moved(self, game: str, version: int) -> bool:
        """Whether a watched game is known to have moved past this version."""
        return self._versions.get(game, 0) > version

    def wait(self, game: str, version: int, seconds: float, is_gone: Callable[[], bool]) -> None:
        """Wait until a watched game has moved past this version or its watcher is gone, so many seconds at most."""
        deadline, lost = time.monotonic() + seconds, self._lost
        while (left := deadline - time.monotonic()) > 0:
            with self._lock:
                if lost != self._lost or self.moved(game, version):
                    return
                self._moved[game].wait(min(left, LOOK_SECONDS))
            if is_gone():
                return

    def _listen(self) -> None:
        """Start the reader at the feeds' ends of now: what comes after the first watcher is told to it."""
        if self._reader is None:
            positions = {each: self._store.feed_end(each) for each in range(self._store.partitions)}
            self._reader = Thread(target=self._read, args=(positions,), name="feed-reader", daemon=True)
            self._reader.start()

    def _read(self, positions: dict[int, int]) -> None:
        """Follow the feeds as long as somebody watches."""
        while not self._is_idle():
            try:
                found = self._store.follow(positions, FOLLOW_SECONDS)
                if not found:
                    self._back_to_the_ends(positions)
                for partition, entries in found.items():
                    positions[partition] = entries[-1].position
                    with self._lock:
                        watched = {
                            each.game_id: each.last_version
                            for each in entries
                            if each.game_id in self._watchers
                        }
                        self._versions.update(watched)
                        for game in watched:
                            self._moved[game].notify_all()
            except StoreError as error:
                _log.warning("the feed cannot be read: %s", error)
                time.sleep(0.5)

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

    def _is_idle(self) -> bool:
        """Whether nobody watches; the reader then ends, and the next watcher starts another one."""
        with self._lock:
            if self._closed or not self._watchers:
                self._reader = None
            return self._reader is None


def gone_at(connection: socket.socket | None) -> Callable[[], bool]:
    """What tells whether the client at the other end has closed this connection; never where there is none."""

    def is_gone() -> bool:
        if connection is None:
            return False
        watching = select.poll()
        watching.register(connection, select.POLLIN)
        try:
            return bool(watching.poll(0)) and not connection.recv(1, socket.MSG_PEEK)
        except OSError:
            return True

    return is_gone
