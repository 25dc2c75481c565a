"""A primary with its replica: the contracts, level replicated, and a replica that takes over."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from events.store.errors import StoreMisconfigured, StoreUnavailable
from events.store.redis import redis_store
from events.store.redis.client import connection as redis_connection
from events.store.redis.client.connection import RedisConnection
from events.store.redis.keys import GameKeys
from events.store.redis.redis_store import RedisEventStore
from service.storage.durability import check_server
from service.storage.levels import Durability
from tests.events.store.dispute_contract import DisputeContract
from tests.events.store.feed_contract import FeedContract
from tests.events.store.server_contract import ServerContract
from tests.events.store.store_contract import StoreContract, append
from tests.support.lossy_proxy import LossyProxy
from tests.support.nodes import Node, follow, running_pair
from tests.support.recorded_events import recorded_run
from tests.support.servers import empty, eventually, opened

pytestmark = pytest.mark.xdist_group("replicated")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Node, Node]]:
    """Run a primary with its replica for the contracts."""
    with running_pair(tmp_path_factory.mktemp("pair")) as nodes:
        yield nodes


@pytest.fixture
def url(pair: tuple[Node, Node]) -> str:
    """Name the primary."""
    return pair[0].url


class TestPrimaryWithReplica(StoreContract, FeedContract, ServerContract, DisputeContract):
    """All contracts, unchanged, on a server that has a replica."""

    @pytest.fixture
    def store(self, url: str) -> Iterator[RedisEventStore]:
        """Open a fresh store there."""
        yield from opened(url)


class TestLevelReplicated(StoreContract, FeedContract, DisputeContract):
    """What every store promises, where each append waits for the replica."""

    @pytest.fixture
    def store(self, url: str) -> Iterator[RedisEventStore]:
        """Open a fresh store there."""
        empty(url)
        store = RedisEventStore.connect(url, await_replica=True)
        yield store
        store.close()


def test_an_append_waits_for_a_replica(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a replica it stays unconfirmed, repeated or asked for; with one again, either confirms it."""
    monkeypatch.setattr(redis_store, "REPLICA_MILLISECONDS", 1500)
    with running_pair(tmp_path) as (first, second):
        primary, copy = RedisConnection(first.url), RedisConnection(second.url)
        store = RedisEventStore(primary, await_replica=True)
        assert append(store, "game", 0).last_version == 1
        assert copy.command("KEYS", "*:game:game:log") != []
        with pytest.raises(StoreMisconfigured, match="names a replica"):
            check_server(copy, Durability.MEMORY, trust=False)

        copy.command("REPLICAOF", "NO", "ONE")
        eventually(lambda: b"connected_slaves:0" in primary.command("INFO", "replication"))
        for _ in range(2):
            with pytest.raises(StoreUnavailable, match="no replica"):
                append(store, "game", 1)
        with pytest.raises(StoreUnavailable, match="no replica"):
            store.idempotency_record("game", "command-1")
        assert store.idempotency_record("game", "command-2") is None
        follow(second, first)
        assert store.idempotency_record("game", "command-1") is not None
        assert append(store, "game", 1).duplicate

        primary.command("CONFIG", "SET", "min-replicas-to-write", "2")
        with pytest.raises(StoreUnavailable, match="NOREPLICAS"):
            append(store, "game", 2)
        primary.close()
        copy.close()


@pytest.mark.parametrize("old_primary", ["killed", "made a replica"])
def test_a_replica_that_takes_over_is_found_at_the_same_address(tmp_path: Path, old_primary: str) -> None:
    """The operator moves the address; no process is started again, and what was acknowledged is there.

    A primary that lives on as a replica keeps its connections open: a client that stayed there would never again
    be able to write.
    """
    with running_pair(tmp_path) as (first, second), LossyProxy(first.url) as address:
        store = RedisEventStore.connect(address.url, await_replica=True)
        for version in range(5):
            append(store, "game", version)
        positions = {store.partition_of("game"): 4}
        assert len(store.follow(positions, 1)[store.partition_of("game")]) == 1

        if old_primary == "killed":
            first.kill()
        second.connection.command("REPLICAOF", "NO", "ONE")
        address.target = second.url
        if old_primary == "killed":
            first.start().await_answer()
        follow(first, second)

        assert append(store, "game", 5).last_version == 6
        assert store.read("game") == recorded_run(0, 6)
        positions = {store.partition_of("game"): 5}
        assert len(store.follow(positions, 1)[store.partition_of("game")]) == 1
        store.close()


def test_a_server_that_stays_a_replica_is_an_outage(tmp_path: Path) -> None:
    """While the address leads to no primary, every append may be sent again later, and nothing is written."""
    with running_pair(tmp_path) as (first, second):
        store = RedisEventStore.connect(first.url)
        append(store, "game", 0)
        second.connection.command("REPLICAOF", "NO", "ONE")
        follow(first, second)

        for _ in range(2):
            with pytest.raises(StoreUnavailable, match=r"READONLY|readonly replica"):
                append(store, "game", 1)

        assert store.head("game") is not None
        first.connection.command("REPLICAOF", "NO", "ONE")
        assert append(store, "game", 1).last_version == 2
        store.close()


def test_what_a_primary_threw_away_while_it_waited_is_not_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That a replica has reached an offset proves nothing when the data before it have been replaced.

    So it happens to a primary that is replaced, takes over the other's data and becomes primary again, all within
    one wait: its replica's offset is higher than what was waited for, and belongs to another history.
    """
    monkeypatch.setattr(redis_store, "REPLICA_MILLISECONDS", 40_000)
    monkeypatch.setattr(redis_connection, "ANSWER_SECONDS", 60.0)
    with running_pair(tmp_path) as (first, second), ThreadPoolExecutor(1) as threads:
        store = RedisEventStore.connect(first.url, await_replica=True)
        append(store, "game", 0)
        log = GameKeys("game", store.partitions).log
        second.connection.command("REPLICAOF", "NO", "ONE")
        eventually(lambda: b"connected_slaves:0" in first.connection.command("INFO", "replication"))
        waiting = threads.submit(append, store, "game", 1)
        eventually(lambda: first.connection.command("XLEN", log) == 2)
        first.connection.command("FLUSHALL")
        follow(second, first)

        with pytest.raises(StoreUnavailable, match="no replica has acknowledged"):
            waiting.result()
        store.close()
