"""/readyz tells the truth: not ready as soon as a command would fail, or be kept less safely than declared."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from rq.utils import now, utcformat

from events.store.redis.client.connection import RedisConnection
from events.store.redis.keys import INSTALLATION
from events.store.redis.redis_store import RedisEventStore
from service.operations.readiness import Readiness
from service.operations.store_metrics import StoreMetrics
from service.storage.heartbeats import Heartbeat
from service.storage.queues import VALIDATION, QueueWatch
from tests.events.store.server_contract import setting
from tests.service.in_process import InProcess
from tests.support.servers import RunningStore, eventually


@contextmanager
def running(folder: Path) -> Iterator[tuple[RunningStore, RedisEventStore, Readiness]]:
    """A server at level fsync, and what looks at it at every question."""
    with RunningStore(folder, durability="fsync") as server:
        store = RedisEventStore.connect(server.url)
        try:
            yield server, store, Readiness(store, "fsync", look_seconds=0)
        finally:
            store.close()


@pytest.fixture
def fsync(tmp_path: Path) -> Iterator[tuple[RedisEventStore, Readiness]]:
    """A store of its own, and what looks at it."""
    with running(tmp_path) as (_, store, readiness):
        yield store, readiness


WEAKER: dict[str, tuple[str, str, str]] = {
    "written out every second only": ("appendfsync", "everysec", "appendfsync is everysec"),
    "never written out": ("appendfsync", "no", "appendfsync is no"),
    "no append-only file": ("appendonly", "no", "appendonly is no"),
    "games thrown away when it is full": (
        "maxmemory-policy",
        "allkeys-lru",
        "maxmemory-policy is allkeys-lru",
    ),
    "it is full": ("maxmemory", "1", "out of memory"),
    "a replica is needed and there is none": ("min-replicas-to-write", "1", "NOREPLICAS"),
}


@pytest.mark.parametrize("name", WEAKER)
def test_a_setting_that_is_changed_while_it_runs(fsync: tuple[RedisEventStore, Readiness], name: str) -> None:
    """Nobody restarts anything, and yet what was promised does not hold any more; set back, it does."""
    store, readiness = fsync
    changed, value, said = WEAKER[name]
    assert readiness.look()[0] is None
    with setting(store.connection, changed, value):
        assert said in str(readiness.look()[0])
    assert readiness.look()[0] is None


def test_lost_functions_are_loaded_again(fsync: tuple[RedisEventStore, Readiness]) -> None:
    """After a failover to a server without them: ready means that they are there."""
    store, readiness = fsync
    store.connection.command("FUNCTION", "FLUSH")
    assert readiness.look()[0] is None
    assert store.connection.command("FUNCTION", "LIST")


def test_a_store_that_was_emptied_or_exchanged(fsync: tuple[RedisEventStore, Readiness]) -> None:
    """The process knows the installation that it was started with; another one's games are not its own."""
    store, readiness = fsync
    stored = store.connection.command("GET", INSTALLATION)
    other = stored.replace(store.installation.installation_id.encode(), b"0" * 16)
    store.connection.command("SET", INSTALLATION, other)
    assert "another installation" in str(readiness.look()[0])
    store.connection.command("FLUSHALL")
    assert "it is empty" in str(readiness.look()[0])
    store.connection.command("SET", INSTALLATION, stored)
    assert readiness.look()[0] is None


def test_a_store_that_is_away(tmp_path: Path) -> None:
    """Killed, it is not ready; started again, it is, with no other process restarted."""
    with running(tmp_path) as (server, store, readiness):
        server.kill()
        assert "does not answer" in str(readiness.look()[0])
        with RunningStore(tmp_path, durability="fsync"):
            assert readiness.look()[0] is None
            assert store.installation.partitions == 16


def test_a_paused_store_does_not_hold_those_who_probe(tmp_path: Path) -> None:
    """They are told within two seconds, before their own patience ends, however many they are; so is a scrape."""
    with running(tmp_path) as (server, store, readiness):
        os.kill(server.process.pid, signal.SIGSTOP)
        try:
            began = time.monotonic()
            with ThreadPoolExecutor(8) as probes:
                found = list(probes.map(lambda _: readiness.look()[0], range(8)))
            scrape = {each.name: each for each in StoreMetrics(store, readiness).collect()}
            took = time.monotonic() - began
        finally:
            os.kill(server.process.pid, signal.SIGCONT)
        assert {str(each) for each in found} == {"The log's store does not answer within 2 seconds."}
        assert scrape["fieldbook_store_up"].samples[0].value == 0
        assert took < 8
        eventually(lambda: readiness.look()[0] is None, seconds=60)


def test_ready_says_how_durable_and_on_what_that_rests(api: InProcess) -> None:
    """The level, the server's settings, how far things are behind, who lives, and the release."""
    api.people()
    Heartbeat(api.store, "projector").beat()
    document: dict[str, Any] = api.get("/readyz")
    assert document["status"] == "ready"
    assert document["durability"] == "memory"
    assert document["settings"]["maxmemory-policy"] == "noeviction"
    assert set(document["settings"]) == {
        "appendonly",
        "appendfsync",
        "maxmemory-policy",
        "min-replicas-to-write",
    }
    assert document["projection_lag"] == 1
    assert document["processes"] == {
        "projector": "alive",
        "bots": "gone",
        "webhooks": "gone",
        "worker": "gone",
    }
    assert document["release"]


def test_what_only_delays_things_is_degraded(api: InProcess) -> None:
    """Without queue, workers and bots commands are appended all the same."""
    answer = api.call("GET", "/readyz")
    assert answer.status == 200
    assert set(answer.json["degraded"]) == {"projector", "bots", "webhooks", "worker", "queue"}
    assert answer.json["queue"] == {"reachable": False, "waiting": 0}


def test_the_queue_is_looked_at(redis_url: str, store: RedisEventStore, queue: Any) -> None:
    """How many jobs wait, and which workers live; one whose last heartbeat is old or expired does not count."""
    look = QueueWatch().look
    assert (look().reachable, look().workers) == (True, 0)
    queue.rpush(f"rq:queue:{VALIDATION}", "job")
    names = ("rq:worker:here", "rq:worker:silent", "rq:worker:gone")
    queue.sadd(f"rq:workers:{VALIDATION}", *names)
    for name, seconds in zip(names, (4, 16), strict=False):
        queue.hset(name, "last_heartbeat", utcformat(now() - timedelta(seconds=seconds)))
    assert look().depth[VALIDATION] == 1
    assert look().workers == 1


def test_unready_is_a_problem_document(store: RedisEventStore) -> None:
    """503 with Retry-After, with the reason and what to do; /healthz still says that the process lives."""
    api = InProcess(store)
    try:
        store.connection.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
        answer = api.call("GET", "/readyz")
        assert (answer.status, answer.json["code"]) == (503, "not_ready")
        assert "set it to noeviction" in answer.json["detail"]
        assert int(answer.headers["retry-after"]) > 0
        assert api.get("/healthz") == {"status": "alive"}
    finally:
        store.connection.command("CONFIG", "SET", "maxmemory-policy", "noeviction")
        api.close()


def test_no_secret_stands_in_the_reason(tmp_path: Path) -> None:
    """An address with a password is not repeated to whoever asks."""
    with running(tmp_path) as (_, store, _readiness):
        store.connection = RedisConnection("redis://user:hunter2@127.0.0.1:1/0")
        said = Readiness(store, "fsync").look()[0]
    assert said is not None
    assert "hunter2" not in said
