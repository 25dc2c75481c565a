"""The mark of a forgotten name stays until the store's append-only file was rewritten without the name."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.store.errors import StoreRefused
from events.store.redis.client.opening import connect
from events.store.redis.redis_store import RedisEventStore
from service.players import log_rewriting
from service.players.log_rewriting import LogRewriting
from service.players.store import PlayerRecords
from tests.support.servers import RunningStore, eventually

MARK = "fieldbook:players:forgotten"


@pytest.fixture
def durable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RedisEventStore]:
    """Yield a store with an append-only file, whose rewrites need not be apart."""
    monkeypatch.setattr(log_rewriting, "APART_SECONDS", 0.0)
    with RunningStore(tmp_path, durability="local") as server:
        store = RedisEventStore(connect(server.url))
        yield store
        store.close()


def state(store: RedisEventStore, section: str = "persistence") -> dict[str, str]:
    """Return what the server says about itself."""
    lines = store.connection.command("INFO", section).decode().split()
    return dict(line.split(":", 1) for line in lines if ":" in line)


def test_the_mark_stays_until_the_rewrite_has_succeeded(durable: RedisEventStore) -> None:
    """A rewrite that fails after it was started leaves the name in the file; it is started again."""
    command = durable.connection.command
    players = PlayerRecords(durable)
    players.name("acme:ada", "Ada")
    players.forget("acme:ada")
    look = LogRewriting(durable).declaration().perform
    command("CONFIG", "SET", "rdb-key-save-delay", 60_000_000)  # so that the server's child is still writing
    look(0)
    assert state(durable)["aof_rewrite_in_progress"] == "1"
    server = state(durable, "server")["process_id"]
    for child in Path(f"/proc/{server}/task/{server}/children").read_text().split():
        os.kill(int(child), signal.SIGKILL)
    eventually(lambda: state(durable)["aof_last_bgrewrite_status"] == "err")
    assert command("EXISTS", MARK) == 1
    command("CONFIG", "SET", "rdb-key-save-delay", 0)

    def is_unmarked() -> bool:
        look(0)
        return bool(command("EXISTS", MARK) == 0)

    eventually(is_unmarked)
    assert state(durable)["aof_last_bgrewrite_status"] == "ok"


def test_the_mark_stays_where_the_server_permits_no_rewrite(
    durable: RedisEventStore, caplog: pytest.LogCaptureFixture
) -> None:
    """A warning says so once, and the rewrite follows when the server permits it."""
    command = durable.connection.command
    PlayerRecords(durable).forget("acme:ada")
    command("ACL", "SETUSER", "default", "-bgrewriteaof")
    look = LogRewriting(durable).declaration().perform
    for _ in range(3):
        look(0)
    assert command("EXISTS", MARK) == 1
    assert len([each for each in caplog.records if each.name == "fieldbook.projector"]) == 1
    command("ACL", "SETUSER", "default", "+bgrewriteaof")

    def is_unmarked() -> bool:
        look(0)
        return bool(command("EXISTS", MARK) == 0)

    eventually(is_unmarked)


def test_a_name_is_marked_before_it_is_removed(durable: RedisEventStore) -> None:
    """A process that ends between the two steps leaves the mark, not a name without one."""
    players = PlayerRecords(durable)
    players.name("acme:ada", "Ada")
    command = durable.connection.command
    command("ACL", "SETUSER", "default", "-hdel")
    with pytest.raises(StoreRefused):
        players.forget("acme:ada")
    command("ACL", "SETUSER", "default", "+hdel")
    assert command("EXISTS", MARK) == 1
