"""How many games of a key are open or running, so that nobody fills the store with games that end never.

The list of games says it. Nothing is kept besides, so nothing has to be put right: the list is asked anew every few
seconds, and a process adds what it has set up itself and does not find there yet. Several processes may together let
through what each sets up in that time. While the list stands still, since no projector runs, each process goes on
counting what it sets up, and knows nothing of games that have ended since.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from events.store.event_store import EventStore
from service.projections.generations import GAMES, creator_part, generation_name, status_part
from service.projections.store import ReadModelRecords

SECONDS: Final = 3.0
"""How old a count of the list may be."""
UNFINISHED: Final = ("open", "running")
"""The statuses of games that count."""


@dataclass(slots=True)
class _Count:
    until: float = 0.0
    listed: int = 0
    unlisted: list[str] = field(default_factory=list)
    """Games that this process has set up and not found in the list."""


class UnfinishedGames:
    """Counts the games of each key; safe to use from many threads."""

    def __init__(self, store: EventStore, clock: Callable[[], float] = time.monotonic) -> None:
        """Ask the list of this store's games."""
        self._partition_of = store.partition_of
        self._records = ReadModelRecords(store)
        self._clock = clock
        self._counts: dict[str, _Count] = {}
        self._lock = Lock()

    def count(self, key: str) -> int:
        """How many games this key has that are open or running.

        Raises:
            StoreUnavailable, StoreRefused
        """
        now = self._clock()
        with self._lock:
            count = self._counts.setdefault(key, _Count())
            is_old = now >= count.until
            # Whoever asks meanwhile takes what was known.
            count.until = now + SECONDS if is_old else count.until
            unlisted = tuple(count.unlisted)
        if is_old:
            listed, found = self._ask(key, unlisted)
            with self._lock:
                count.listed = listed
                count.unlisted = [each for each in count.unlisted if each not in found]
        return count.listed + len(count.unlisted)

    def note(self, key: str, game: str) -> None:
        """This process has set up a game for this key."""
        with self._lock:
            self._counts.setdefault(key, _Count()).unlisted.append(game)

    def _ask(self, key: str, games: tuple[str, ...]) -> tuple[int, frozenset[str]]:
        """How many of the key's games the list has that are not finished, and which of some it has at all."""
        names = [generation_name(each) for each in self._records.all_in_use(GAMES)]
        by_partition: dict[int, list[str]] = {}
        for game in games:
            by_partition.setdefault(self._partition_of(game), []).append(game)
        statuses = [status_part(each) for each in UNFINISHED]
        return self._records.count_in_both(names, creator_part(key), statuses, by_partition)
