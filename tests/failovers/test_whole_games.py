"""Whole games on a cluster and on a primary with its replica, while slots move and servers fail.

`python -m tests.failovers` is the long form.
"""

from pathlib import Path

import pytest

from events.store.redis.client.opening import connect
from service.storage.durability import check_server
from service.storage.levels import Durability
from tests.failovers.campaign import SYSTEMS, one_failover, replicated_cluster
from tests.failovers.games import Play
from tests.failovers.witnessed_store import WitnessedStore
from tests.support.cluster import PRIMARIES, Failure, slots_in_use
from tests.support.lossy_proxy import LossyProxy
from tests.support.nodes import follow, running_pair

pytestmark = [pytest.mark.soak, pytest.mark.xdist_group("failovers")]
GAME_SECONDS = 240.0
BY_PEOPLE = "bean-duel"
"""The system that people play, not bots."""


def check(play: Play) -> None:
    """Everything acknowledged is there once, and every game ended with a record that verifies."""
    play.await_end(GAME_SECONDS)
    assert play.store.lost() == []
    assert play.store.doubled() == []
    assert play.broken_records() == []


def test_every_system_is_played_through_moved_slots_and_a_failover(tmp_path: Path) -> None:
    """On three primaries with a replica each, at level replicated."""
    with replicated_cluster(tmp_path) as (cluster, store), Play(store) as play:
        for system in SYSTEMS:
            if system != BY_PEOPLE:
                play.begin_with_bots(system)
        play.begin_with_people(BY_PEOPLE)
        play.await_appends(30)

        for slot in slots_in_use(store.partitions):
            place = cluster.nodes.index(cluster.primary_of(slot))
            cluster.move(slot, cluster.nodes[(place + 1) % PRIMARIES])
        failed = one_failover(cluster, play, Failure.KILLED, first=0)

        assert failed.lost == failed.doubled == 0
        assert play.unfinished()
        check(play)


def test_games_go_on_when_the_replica_takes_over_the_primarys_address(tmp_path: Path) -> None:
    """On a primary with its replica, at level replicated: the old primary becomes the replica of the new one."""
    with running_pair(tmp_path, Durability.REPLICATED) as (first, second), LossyProxy(first.url) as address:
        for node in (first, second):
            node.connection.command("CONFIG", "SET", "min-replicas-to-write", 1)
        connection = connect(address.url)
        check_server(connection, Durability.REPLICATED, trust=False)
        store = WitnessedStore(connection, await_replica=True)
        with Play(store) as play:
            play.begin_with_bots("the-duel")
            play.begin_with_people(BY_PEOPLE)
            play.await_appends(30)

            first.kill()
            second.connection.command("REPLICAOF", "NO", "ONE")
            address.target = second.url
            first.start().await_answer()
            follow(first, second)

            assert play.unfinished()
            check(play)
        store.close()
