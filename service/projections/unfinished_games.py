"""How many games of a key, or of guests, are open or running: nobody fills the store with games that end never.

A game in which nothing has happened for long counts no more: players leave tables behind, and their creator cannot
end a game. It counts again when somebody goes on with it.

The list of games says it. Nothing is kept besides, so nothing has to be put right: the list is asked anew every few
seconds, and a process adds what it has set up itself and does not find there yet. Several processes may together let
through what each sets up in that time. While the list stands still, since no projector runs, each process goes on
counting what it sets up, and knows nothing of games that have ended since.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from events.store.event_store import EventStore
from service.platform.clock import now_milliseconds
from service.projections.generations import GAMES, creator_part, generation_name, touched_part
from service.projections.store import ReadModelRecords

SECONDS: Final = 3.0
"""How old a count of the list may be."""
REMEMBERED: Final = 20_000
"""Keys and addresses of guests of which a process remembers a count; the one not asked about for longest goes."""


@dataclass(slots=True)
class _Count:
    until: float = 0.0
    listed: int = 0
    unlisted: list[str] = field(default_factory=list)
    """Games that this process has set up and not found in the list."""


class UnfinishedGames:
    """Counts the games of each key, and of guests; safe to use from many threads."""

    def __init__(
        self, store: EventStore, counts_seconds: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Ask the list of this store's games; one counts for so long after its last event."""
        self._counts_milliseconds = 1000 * counts_seconds
        self._partition_of = store.partition_of
        self._records = ReadModelRecords(store)
        self._clock = clock
        self._counts: OrderedDict[str, _Count] = OrderedDict()
        self._lock = Lock()

    def count(self, key: str) -> int:
        """How many games this key has that are open or running, and were touched lately.

        Raises:
            StoreUnavailable, StoreRefused
        """
        now = self._clock()
        with self._lock:
            count = self._count_of(key)
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
        """Count a game that this process has set up for this key; once, however often it is noted."""
        with self._lock:
            unlisted = self._count_of(key).unlisted
            if game not in unlisted:
                unlisted.append(game)

    def _count_of(self, key: str) -> _Count:
        count = self._counts.setdefault(key, _Count())
        self._counts.move_to_end(key)
        if len(self._counts) > REMEMBERED:
            self._counts.popitem(last=False)
        return count

    def _ask(self, key: str, games: tuple[str, ...]) -> tuple[int, frozenset[str]]:
        """How many of the key's games the list has that count, and which of some it has at all."""
        names = [generation_name(each) for each in self._records.all_in_use(GAMES)]
        by_partition: dict[int, list[str]] = {}
        for game in games:
            by_partition.setdefault(self._partition_of(game), []).append(game)
        since = now_milliseconds() - self._counts_milliseconds
        return self._records.count_since(names, touched_part(key), since, creator_part(key), by_partition)
