"""The table at any version of a very long game: for a reviewer with its record, and from the service's store."""

import random
import time
from collections.abc import Callable, Iterable, Sequence

from events.game.record import header_for
from events.game.table import Table
from events.log.disclosure import ALL, form_for
from events.log.recorded import RecordedEvent
from events.rules.table.state import GameState
from replay.timeline.timeline import read_timeline
from service.play.tables import Tables
from service.storage.levels import Durability
from tests.benchmarks.figures import Comparison, Goal
from tests.benchmarks.long_game import ENTRIES, long_game
from tests.benchmarks.measuring import Side, compared, percentile
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.stores import measured_store, put

SOUGHT = 1_000
"""Versions asked for in a round, of a record."""
SOUGHT_IN_STORE = 20
"""And of the store."""


class Seeking:
    """The 99th percentile of the time until a table is there, at versions anywhere in the game."""

    name = "seek"
    about = "the state at any version of a game of 100,000 events, p99"

    def __init__(
        self, entries: int = ENTRIES, sought: int = SOUGHT, sought_in_store: int = SOUGHT_IN_STORE
    ) -> None:
        """Look up so many versions a round in a game of so many entries."""
        self._entries = entries
        self._sought = sought
        self._sought_in_store = sought_in_store

    def run(self, rounds: int, peers: Peers) -> Iterable[Comparison]:
        del peers
        table, log = long_game(self._entries)
        yield self._in_record(table, log, rounds)
        yield self._in_store(table, log, rounds)

    def _in_record(self, table: Table, log: Sequence[RecordedEvent], rounds: int) -> Comparison:
        began = time.process_time()
        timeline = read_timeline(
            header_for(table, ALL), (form_for(entry, table.key, ALL) for entry in log), ALL
        )
        if timeline.broken is not None:
            raise ValueError(f"the record does not verify: {timeline.broken}")
        took = time.process_time() - began
        return compared(
            f"{self.name}/record",
            "ms",
            goal=Goal(of="figure", at_most=5.0),
            ours=Side(
                f"table at a version of {timeline.last:,}, p99, replay tools",
                _p99(
                    lambda version: timeline.at(version).state, timeline.last, self._sought, time.process_time
                ),
            ),
            rounds=rounds,
            notes=(
                f"processor time. Reading and verifying the record, which comes once before, took {took:.0f} s.",
            ),
        )

    def _in_store(self, table: Table, log: Sequence[RecordedEvent], rounds: int) -> Comparison:
        with measured_store(Durability.MEMORY) as store:
            put(store, table, log)
            tables = Tables(store)
            loaded = tables.newest(table.game)
            return compared(
                f"{self.name}/service",
                "ms",
                goal=Goal(of="figure", at_most=5.0),
                ours=Side(
                    f"table at a version of {len(log):,}, p99, service",
                    _p99(
                        lambda version: tables.at(loaded, version).state,
                        len(log),
                        self._sought_in_store,
                        time.perf_counter,
                    ),
                ),
                rounds=rounds,
                notes=(
                    (
                        "what `GET /v1/games/{id}?at=` does before it answers, by the clock on the wall:"
                        f" {self._sought_in_store} versions a round, the p99 is the slowest of them."
                    ),
                ),
            )


def _p99(
    at: Callable[[int], GameState], last: int, sought: int, clock: Callable[[], float]
) -> Callable[[], float]:
    """Measures the p99, in milliseconds, of looking up versions from 1 to `last`."""
    chance = random.Random(7)

    def measure() -> float:
        taken = []
        for _ in range(sought):
            version = chance.randint(1, last)
            began = clock()
            at(version)
            taken.append(1000 * (clock() - began))
        return percentile(taken, 99)

    return measure
