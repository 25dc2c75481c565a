"""What a sweep costs, by the count of the store's own server, with few games that wait and with many."""

from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import Final, NamedTuple

from events.store.redis.redis_store import RedisEventStore
from service.platform.clock import now_milliseconds
from service.storage.levels import Durability
from service.timekeeping.sweeper import Sweeper
from tests.benchmarks.stores import measured_store
from tests.benchmarks.waiting.games import index_all, put_all, watched
from tests.support.server_counts import READING, count_commands

DUE: Final = 10
SHORT: Final = 20
LONG: Final = 7200
"""Seconds that a game waits."""
HEAD: Final = (
    "| games that wait | commands, nothing due | commands, ten due | logs read, nothing due | logs read, ten due |\n"
    "|---:|---:|---:|---:|---:|"
)


class Cost(NamedTuple):
    """What sweeps have the server do, with so many games that wait."""

    games: int
    nothing_due: Counter[str]
    """How often it carries out which command where nothing is over."""
    ten_due: Counter[str]

    def as_row(self) -> str:
        """A row below the head."""
        idle, busy = self.nothing_due, self.ten_due
        return f"| {self.games:,} | {idle.total()} | {busy.total()} | {idle[READING]} | {busy[READING]} |"


def sweep_costs(sizes: Iterable[int]) -> list[Cost]:
    """The costs at these numbers of games, in one store that fills up.

    Raises:
        StoreError: the store does not start or does not take what it is given.
    """
    found, stored = list[Cost](), 0
    with measured_store(Durability.MEMORY) as store:
        for size in sizes:
            with watched(store):
                put_all(store, f"waiting-{size}", size - stored - DUE, now_milliseconds(), LONG)
                index_all(store)
            idle = _sweep(store)
            with watched(store):
                # They have waited for longer than they may: they are due as soon as they are there.
                put_all(store, f"due-{size}", DUE, now_milliseconds() - 10 * SHORT * 1000, SHORT)
                index_all(store)
            found.append(Cost(size, idle, _sweep(store)))
            stored = size
    return found


def _sweep(store: RedisEventStore) -> Counter[str]:
    return count_commands(store, partial(Sweeper(store).perform, now_milliseconds()))
