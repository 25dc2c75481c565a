"""The store on a cluster of three primaries keeps the contract, also while slots move and servers fail.

The tests share one cluster: they run in one process.
"""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from redis.crc import key_slot

from events.store.errors import StoreMisconfigured, StoreRefused, StoreUnavailable
from events.store.redis.client import cluster as redis_cluster
from events.store.redis.client.addresses import Addresses, Place
from events.store.redis.client.opening import connect
from events.store.redis.client.pool import Argument
from events.store.redis.functions import LIBRARY
from events.store.redis.keys import GameKeys
from events.store.redis.redis_store import RedisEventStore
from service.platform.clock import now_milliseconds
from service.projections.generations import generation_name
from service.projections.unfinished_games import UnfinishedGames
from service.storage.checkpoints import Checkpoints, Write
from service.storage.durability import check_server
from service.storage.levels import Durability
from service.storage.server import memory_use
from tests.events.store.dispute_contract import DisputeContract
from tests.events.store.feed_contract import FeedContract
from tests.events.store.server_contract import ServerContract
from tests.events.store.store_contract import StoreContract, append
from tests.support.cluster import Cluster, ClusterNode, running_cluster, slots_in_use
from tests.support.lossy_proxy import LossyProxy
from tests.support.recorded_events import recorded_run
from tests.support.servers import ROOT, environment_without_settings, eventually, opened

pytestmark = pytest.mark.xdist_group("cluster")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Run three primaries for all tests of this file."""
    with running_cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture
def url(cluster: Cluster) -> str:
    """Name all nodes of the cluster."""
    return cluster.url


@pytest.fixture
def store(url: str) -> Iterator[RedisEventStore]:
    """Open a fresh store there."""
    yield from opened(url)


@pytest.fixture
def checkpoints(store: RedisEventStore) -> Checkpoints:
    """Keep checkpoints on the cluster."""
    return Checkpoints(store)


def slot_of_game(store: RedisEventStore, game: str) -> int:
    """Return the slot that holds a game."""
    return key_slot(GameKeys(game, store.partitions).log.encode())


@pytest.fixture
def lossy(store: RedisEventStore, cluster: Cluster) -> Iterator[tuple[LossyProxy, str]]:
    """Have the cluster tell its clients to come through a proxy to the server that has the game."""
    node = cluster.primary_of(slot_of_game(store, "game"))

    def announced(port: int) -> bool:
        known = [each.connection.command("CLUSTER", "SLOTS") for each in cluster.nodes]
        return all(port in {primary[1] for _, _, primary, *_ in ranges} for ranges in known)

    with LossyProxy(node.url) as proxy:
        node.connection.command("CONFIG", "SET", "cluster-announce-port", proxy.port)
        eventually(lambda: announced(proxy.port))
        yield proxy, cluster.url
        node.connection.command("CONFIG", "SET", "cluster-announce-port", 0)
        eventually(lambda: announced(node.port))


class TestCluster(StoreContract, FeedContract, ServerContract, DisputeContract):
    """All contracts, unchanged, on three primaries."""


def test_checkpoints_and_read_models_move_in_every_partition(
    checkpoints: Checkpoints, store: RedisEventStore
) -> None:
    """What belongs to one step lies in one slot, wherever that is."""
    for partition in range(store.partitions):
        writes = [Write("HSET", "games", ("a", partition)), Write("SADD", "open", ("a",))]
        checkpoints.project(partition, "games", 0, partition + 1, writes)

    for partition in range(store.partitions):
        assert checkpoints.checkpoint(partition, "games") == partition + 1
        key = checkpoints.read_model_key(partition, "games", "games")
        assert store.connection.command("HGET", key, "a") == str(partition).encode()
    assert store.connection.command("DBSIZE") == 3 * store.partitions + 1


def test_partitions_are_spread_over_all_servers(store: RedisEventStore, cluster: Cluster) -> None:
    """Sixteen partitions keep three servers busy."""
    owners = [cluster.primary_of(slot) for slot in slots_in_use(store.partitions)]

    assert {*owners} == {*cluster.nodes}


def test_appends_go_on_while_every_slot_moves(store: RedisEventStore, cluster: Cluster) -> None:
    """Each move leaves games half moved for a while: nothing is lost, nothing is doubled, nobody is told of it."""
    games = [f"game-{number}" for number in range(2 * store.partitions)]
    for game in games:
        append(store, game, 0)
    stopping = threading.Event()

    def play(mine: list[str]) -> int:
        version = 1
        while not stopping.is_set():
            for game in mine:
                assert not append(store, game, version).duplicate
                assert store.head(game) is not None
            version += 1
        return version

    with ThreadPoolExecutor(4) as threads:
        playing = [threads.submit(play, games[number::4]) for number in range(4)]
        moved = 0
        for slot in slots_in_use(store.partitions):
            place = cluster.nodes.index(cluster.primary_of(slot))
            moved += cluster.move(slot, cluster.nodes[(place + 1) % len(cluster.nodes)])
        stopping.set()
        played = [one.result() for one in playing]

    assert moved >= 3 * len(games)
    for number, version in enumerate(played):
        for game in games[number::4]:
            assert store.read(game) == recorded_run(0, version)
    told = [entry for each in range(store.partitions) for entry in store.read_feed(each, limit=100_000)]
    assert len(told) == sum(played[number % 4] for number in range(len(games)))


def test_a_primary_without_our_functions_gets_them_with_the_next_append(
    store: RedisEventStore, cluster: Cluster
) -> None:
    """As one that was added to the cluster and took over a slot, on the way there too."""
    append(store, "game", 0)
    slot = slot_of_game(store, "game")
    source = cluster.primary_of(slot)
    target = next(node for node in cluster.nodes if node is not source)
    target.connection.command("FUNCTION", "FLUSH")
    cluster.begin_move(slot, target)
    try:
        keys = source.connection.command("CLUSTER", "GETKEYSINSLOT", slot, 100)
        source.connection.command("MIGRATE", "127.0.0.1", target.port, "", 0, 5000, "KEYS", *keys)

        assert store.functions.call("project", (f"{{p{store.partition_of('game'):02d}}}:x",), (0, 1)) == [
            b"moved"
        ]
    finally:
        cluster.end_move(slot, target)

    assert append(store, "game", 1).last_version == 2
    assert target.connection.command("FUNCTION", "LIST", "LIBRARYNAME", LIBRARY) != []


def test_a_slot_that_stays_half_moved_is_an_outage_and_no_refusal(
    store: RedisEventStore, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store asks again for a while, says that it cannot for now, and nothing was appended."""
    monkeypatch.setattr(redis_cluster, "PATIENCE_SECONDS", 0.5)
    append(store, "game", 0)
    slot = slot_of_game(store, "game")
    source = cluster.primary_of(slot)
    target = next(node for node in cluster.nodes if node is not source)
    cluster.begin_move(slot, target)
    try:
        head = GameKeys("game", store.partitions).head
        source.connection.command("MIGRATE", "127.0.0.1", target.port, head, 0, 5000)
        assert store.head("game") is not None

        with pytest.raises(StoreUnavailable, match="TRYAGAIN"):
            append(store, "game", 1)
    finally:
        cluster.end_move(slot, target)
    assert append(store, "game", 1).last_version == 2


def test_a_server_that_joins_is_found_by_its_first_slot(
    store: RedisEventStore, cluster: Cluster, tmp_path: Path
) -> None:
    """A fourth primary knows neither our functions nor any client; a store that was open before appends there."""
    append(store, "game", 0)
    slot = slot_of_game(store, "game")
    source = cluster.primary_of(slot)
    fourth = ClusterNode(tmp_path, Durability.MEMORY).start()
    try:
        cluster.join(fourth)
        cluster.move(slot, fourth)
        assert append(store, "game", 1).last_version == 2
        assert store.read("game") == recorded_run(0, 2)
        assert len(store.connection.servers()) == 4
        cluster.move(slot, source)
        assert append(store, "game", 2).last_version == 3
        cluster.forget(fourth)
    finally:
        fourth.kill()


def test_one_of_the_named_servers_is_enough(url: str) -> None:
    """The others are heard of; a name where nobody listens is passed over."""
    last = url.rpartition(",")[2]
    store = RedisEventStore.connect(f"redis://127.0.0.1:1,{last}")

    assert len(store.connection.servers()) == 3
    store.close()


def test_several_servers_that_are_no_cluster_are_refused(redis_url: str) -> None:
    """Two stores that know nothing of each other would each keep a part of the games."""
    with (
        LossyProxy(redis_url) as proxy,
        pytest.raises(StoreRefused, match="no cluster: name the primary alone"),
    ):
        connect(f"redis://127.0.0.1:{proxy.port},127.0.0.1:{proxy.port}")


def test_every_server_of_a_cluster_must_be_as_durable_as_declared(
    store: RedisEventStore, cluster: Cluster
) -> None:
    """The sentence names the one that is not."""
    weak = cluster.nodes[1]
    check_server(store.connection, Durability.MEMORY, trust=False)
    weak.connection.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    try:
        with pytest.raises(
            StoreMisconfigured, match=f"127.0.0.1:{weak.port}: maxmemory-policy is allkeys-lru"
        ) as no:
            check_server(store.connection, Durability.MEMORY, trust=False)
    finally:
        weak.connection.command("CONFIG", "SET", "maxmemory-policy", "noeviction")

    assert str(no.value).count("127.0.0.1") == 1


def test_following_every_partition_leaves_the_processor_to_others(store: RedisEventStore) -> None:
    """A cluster blocks for one slot only, so all feeds are looked at in turn, with pauses."""
    used = time.thread_time()

    assert store.follow(dict.fromkeys(range(store.partitions), 0), 2.0) == {}

    assert time.thread_time() - used < 0.6


@pytest.mark.parametrize(
    "command",
    [("SCAN", 0), ("WAIT", 1, 10), ("FCALL", "fieldbook_append", 0), ("TIME",)],
)
def test_what_belongs_to_no_server_is_a_mistake_of_ours(
    store: RedisEventStore, command: tuple[Argument, ...]
) -> None:
    """A command without a key is never sent to just any server."""
    with pytest.raises(ValueError, match="has no key"):
        store.connection.command(*command)


def test_addresses_share_user_password_and_options() -> None:
    """Whatever server a cluster names is reached with what REDIS_URL says."""
    addresses = Addresses.parse("rediss://me:p,w@one:7001,[::1]:7002,three/0?ssl_cert_reqs=none")

    assert addresses.places() == (Place("one", 7001), Place("::1", 7002), Place("three", 6379))
    assert addresses.at(Place("::2", 7)) == "rediss://me:p,w@[::2]:7/0?ssl_cert_reqs=none"
    assert addresses.each()[1] == "rediss://me:p,w@[::1]:7002/0?ssl_cert_reqs=none"


@pytest.mark.parametrize("url", ["redis://one:many", "unix:///a/socket", "redis://one:1,/0", "redis://[::1"])
def test_an_address_no_cluster_can_have_is_refused(url: str) -> None:
    """A typing mistake is no outage."""
    with pytest.raises(StoreRefused, match="REDIS_URL"):
        Addresses.parse(url).places()


@pytest.mark.parametrize("process", ["web", "worker", "projector", "command_line"])
def test_a_process_whose_queue_would_be_on_the_cluster_does_not_start(
    url: str, tmp_path: Path, process: str
) -> None:
    """RQ's keys lie in many slots. The sentence says what to set, and the exit status is that of wrong use."""
    arguments = ["up"] if process == "command_line" else []
    ended = subprocess.run(
        [sys.executable, "-m", f"service.{process}", *arguments],
        cwd=ROOT,
        env=environment_without_settings() | {"REDIS_URL": url, "FIELDBOOK_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert "set QUEUE_REDIS_URL to a server of its own" in ended.stderr


def test_a_keys_unfinished_games_are_counted_over_all_servers(store: RedisEventStore) -> None:
    """And how full the fullest of them is; a game that is not listed yet is counted by whoever has set it up."""
    touched, creator = generation_name(1) + ":touched:ann", generation_name(1) + ":creator:ann"
    now = now_milliseconds()
    games = [f"game-{number}" for number in range(8)]
    for number, game in enumerate(games):
        tag = f"{{p{store.partition_of(game):02}}}:projection:"
        store.connection.command("ZADD", tag + creator, number, game)
        if number % 2:
            store.connection.command("ZADD", tag + touched, now - 120_000 * (number // 4), game)
    unfinished = UnfinishedGames(store, 60)
    unfinished.note("ann", "game-new")
    unfinished.note("ann", games[0])
    assert unfinished.count("ann") == 2 + 1
    assert unfinished.count("ben") == 0
    assert memory_use(store).filled == 0
