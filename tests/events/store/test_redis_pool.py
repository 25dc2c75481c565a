"""Connections that are lent for one exchange each, on a real server."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep

import pytest
import redis

from events.store.redis.client import pool as redis_pool
from events.store.redis.client.connection import RedisConnection
from events.store.redis.client.pool import Pool
from tests.support.servers import RunningStore


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server whose connections nobody else uses."""
    with RunningStore(tmp_path_factory.mktemp("valkey")) as running:
        yield running.url


@pytest.fixture
def pool(url: str) -> Iterator[Pool]:
    """A pool of two."""
    pool = Pool(url, 2, connect_seconds=1.0, answer_seconds=3.0, wait_seconds=0.2)
    yield pool
    pool.disconnect()


def number(pool: Pool) -> int:
    """The server's number of the connection that is lent next."""
    return int(pool.exchange(("CLIENT", "ID"))[0])


def test_a_connection_is_lent_again(pool: Pool) -> None:
    """One after the other needs one connection; several commands share it, and their replies keep their order."""
    first = number(pool)
    assert pool.exchange(("CLIENT", "ID"), ("PING",), ("CLIENT", "ID")) == [first, b"PONG", first]


def test_a_refusal_leaves_the_connection_as_good_as_it_was(pool: Pool) -> None:
    """It stands among the replies, and those after it are read."""
    first = number(pool)
    refusal, reply = pool.exchange(("NONSENSE",), ("PING",))
    assert isinstance(refusal, redis.ResponseError)
    assert (reply, number(pool)) == (b"PONG", first)


def test_so_many_are_lent_at_once_and_the_next_one_waits(pool: Pool) -> None:
    """Where none becomes free in time that is a lost connection; afterwards everything is lent again."""
    waiting = ("BLPOP", "nothing-here", 0.6)
    with ThreadPoolExecutor(2) as threads:
        held = [threads.submit(pool.exchange, waiting) for _ in range(2)]
        sleep(0.1)
        with pytest.raises(redis.ConnectionError, match="free in time"):
            pool.exchange(("PING",))
        assert [each.result() for each in held] == [[None], [None]]
    assert pool.exchange(("PING",)) == [b"PONG"]


def test_what_was_closed_while_idle_is_not_lent(
    url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that has been idle for a while is asked whether it is still good."""
    monkeypatch.setattr(redis_pool, "IDLE_SECONDS", 0.0)
    first = number(pool)
    RedisConnection(url).command("CLIENT", "KILL", "ID", first)
    assert number(pool) != first


def test_one_that_is_lost_takes_the_idle_ones_with_it(url: str, pool: Pool) -> None:
    """What ended one has ended them too: whoever tries again begins with a new one."""
    with ThreadPoolExecutor(2) as threads:
        for each in [threads.submit(pool.exchange, ("BLPOP", "nothing-here", 0.2)) for _ in range(2)]:
            each.result()
    before = number(pool)
    RedisConnection(url).command("CLIENT", "KILL", "TYPE", "normal")
    with pytest.raises(redis.ConnectionError):
        pool.exchange(("PING",))
    assert number(pool) > before


@pytest.mark.process
def test_a_forked_process_has_connections_of_its_own(pool: Pool) -> None:
    """The parent's go on working, and the child reads no reply of theirs."""
    first = number(pool)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, str(number(pool)).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert int(os.read(reading, 20)) != first
    os.close(reading)
    os.close(writing)
    assert number(pool) == first


def test_a_restarted_server_is_found_again(tmp_path: Path) -> None:
    """A command that meets a server's restart is sent again, on a new connection."""
    with RunningStore(tmp_path) as before:
        connection = RedisConnection(before.url)
        assert connection.command("PING") == b"PONG"
    with RunningStore(tmp_path) as after:
        assert after.url == before.url
        assert connection.command("PING") == b"PONG"
