"""Failovers under load: games of bots and people on a cluster whose primaries are killed, paused or replaced.

After each failover every append that was acknowledged until then is looked up; in the end every game is played out
and its record verified.
"""

import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from redis.crc import key_slot

from events.rules.systems.registry import BY_KEY
from events.store.partitions import partition_tag
from events.store.redis.client.opening import connect
from service.storage.durability import check_server
from service.storage.levels import Durability
from tests.failovers.games import Play
from tests.failovers.witnessed_store import WitnessedStore
from tests.support.cluster import Cluster, Failure, running_cluster

SYSTEMS: Final = tuple(BY_KEY)
AT_ONCE: Final = 6
"""Games that are being played at any time."""
BETWEEN: Final = 30
"""Appends acknowledged before the next server fails."""


class Failover(NamedTuple):
    """One failover, and what it did to the games."""

    how: Failure
    acknowledged: int
    """Appends acknowledged since the failover before, and until the cluster was whole again."""
    lost: int
    doubled: int
    takeover_seconds: float
    """Until every server agreed on the new primary."""
    interrupted_seconds: float
    """Until the next append to a game on that primary was acknowledged."""


class Result(NamedTuple):
    """What a campaign has come to."""

    failovers: list[Failover]
    games: int
    acknowledged: int
    lost: int
    doubled: int
    broken: list[str]
    """Games whose record does not verify."""
    refused: int
    """Requests that were answered with 503 and sent again."""


@contextmanager
def replicated_cluster(folder: Path) -> Iterator[tuple[Cluster, WitnessedStore]]:
    """Run a cluster in which every primary has a replica, with a store at level replicated on it."""
    with running_cluster(folder, Durability.REPLICATED, replicas=True, min_replicas_to_write=1) as cluster:
        connection = connect(cluster.url)
        check_server(connection, Durability.REPLICATED, trust=False)
        store = WitnessedStore(connection, await_replica=True)
        yield cluster, store
        store.close()


def campaign(folder: Path, failovers: int, report: Callable[[int, Failover], None]) -> Result:
    """Play while so many primaries fail one after the other; `report` is told of each."""
    with replicated_cluster(folder) as (cluster, store), Play(store) as play:
        seeds = itertools.count(1)
        found = []
        for number, how in zip(range(failovers), itertools.cycle(Failure), strict=False):
            first = len(store.acknowledged)
            while len(play.unfinished()) < AT_ONCE:
                seed = next(seeds)
                begin = play.begin_with_people if seed % 3 == 0 else play.begin_with_bots
                begin(SYSTEMS[seed % len(SYSTEMS)], seed)
            play.await_appends(BETWEEN)
            found.append(one_failover(cluster, play, how, first))
            report(number + 1, found[-1])
        play.await_end(seconds=300)
        return Result(
            found,
            len(play.games),
            len(store.acknowledged),
            len(store.lost()),
            len(store.doubled()),
            play.broken_records(),
            play.people.refused,
        )


def one_failover(cluster: Cluster, play: Play, how: Failure, first: int) -> Failover:
    """Let the primary fail that has the game appended to last, and see what became of appends from `first` on."""
    store = play.store
    slot = _slot(store, store.acknowledged[-1].game)
    victim = cluster.primary_of(slot)
    slots = {each for each in range(store.partitions) if cluster.primary_of(_partition_slot(each)) is victim}
    began = time.monotonic()
    took = cluster.fail_over(slot, how)
    play.await_appends(1)
    again = next(
        (
            each.at - began
            for each in store.acknowledged[first:]
            if each.at > began and store.partition_of(each.game) in slots
        ),
        time.monotonic() - began,
    )
    return Failover(
        how,
        len(store.acknowledged) - first,
        len(store.lost(first)),
        len(store.doubled(first)),
        took,
        again,
    )


def _slot(store: WitnessedStore, game: str) -> int:
    return _partition_slot(store.partition_of(game))


def _partition_slot(partition: int) -> int:
    slot: int = key_slot(partition_tag(partition).encode())
    return slot
