"""Level replicated: an append is answered only when a replica has it."""

import socket
from pathlib import Path

import pytest

from events import redis_store
from events.redis_connection import RedisConnection
from events.redis_store import RedisEventStore
from events.store_errors import StoreMisconfigured, StoreUnavailable
from service.durability import Durability, check_server
from tests.store.store_contract import append
from tests.support.servers import RunningStore, eventually


def free_port() -> int:
    """Return a loopback port nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as trial:
        port: int = trial.getsockname()[1]
        return port


def test_an_append_waits_for_a_replica(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a replica it stays unconfirmed, repeated or not; with one again, a repetition confirms it."""
    monkeypatch.setattr(redis_store, "REPLICA_MILLISECONDS", 1500)
    with (
        RunningStore(tmp_path / "primary", durability="fsync") as first,
        RunningStore(tmp_path / "copy") as second,
    ):
        primary, copy = RedisConnection(first.url), RedisConnection(second.url)
        port = free_port()
        primary.command("CONFIG", "SET", "repl-diskless-sync-delay", "0")
        primary.command("CONFIG", "SET", "port", port)

        def attach() -> None:
            copy.command("REPLICAOF", "127.0.0.1", port)
            eventually(lambda: b"state=online" in primary.command("INFO", "replication"))

        attach()
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
        attach()
        assert append(store, "game", 1).duplicate

        primary.command("CONFIG", "SET", "min-replicas-to-write", "2")
        with pytest.raises(StoreUnavailable, match="NOREPLICAS"):
            append(store, "game", 2)
        primary.close()
        copy.close()
