"""A projection's checkpoint and its read model move together, or not at all."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from events.store.errors import CheckpointMoved, StoreRefused
from events.store.redis.redis_store import RedisEventStore
from service.storage.checkpoints import Checkpoints, Write


@pytest.fixture
def checkpoints(store: RedisEventStore) -> Checkpoints:
    """Keep checkpoints on the embedded Valkey."""
    return Checkpoints(store)


def test_a_projection_starts_at_the_beginning(checkpoints: Checkpoints) -> None:
    """Position 0 is before the first feed entry."""
    assert checkpoints.checkpoint(3, "games") == 0


def test_every_kind_of_write_is_applied_in_order(checkpoints: Checkpoints, store: RedisEventStore) -> None:
    """Fields, scores and members come and go, and the checkpoint stands where it was moved to."""
    writes = [
        Write("HSET", "games", ("a", "1", "b", "2", "c", "3")),
        Write("HDEL", "games", ("b", "c")),
        Write("ZADD", "by-time", (1_700_000_000_000, "a", 2.5, "b", -1, "c")),
        Write("ZREM", "by-time", ("b",)),
        Write("SADD", "open", ("a", "b")),
        Write("SREM", "open", ("a",)),
        Write("SET", "note", ("old",)),
        Write("DEL", "note"),
        Write("HSET", "note", ("new", b"\xff")),
    ]

    checkpoints.project(3, "games", 0, 7, writes)

    def reply(command: str, part: str, *arguments: str | int) -> object:
        return store.connection.command(command, checkpoints.read_model_key(3, "games", part), *arguments)

    assert reply("HGETALL", "games") == [b"a", b"1"]
    assert reply("ZRANGE", "by-time", 0, -1) == [b"c", b"a"]
    assert reply("SMEMBERS", "open") == [b"b"]
    assert reply("HGETALL", "note") == [b"new", b"\xff"]
    assert checkpoints.checkpoint(3, "games") == 7
    assert checkpoints.checkpoint(4, "games") == 0
    assert checkpoints.checkpoint(3, "players") == 0


def test_a_projection_that_was_overtaken_applies_nothing(
    checkpoints: Checkpoints, store: RedisEventStore
) -> None:
    """The error says where the checkpoint stands, and the read model is as it was."""
    checkpoints.project(0, "games", 0, 5, [])

    with pytest.raises(CheckpointMoved) as refused:
        checkpoints.project(0, "games", 3, 9, [Write("SET", "note", ("x",))])

    assert (refused.value.expected, refused.value.actual) == (3, 5)
    assert store.connection.command("EXISTS", checkpoints.read_model_key(0, "games", "note")) == 0


@pytest.mark.parametrize(
    "bad",
    [
        Write("HSET", "hash", ("odd",)),
        Write("HSET", "hash"),
        Write("ZADD", "sorted", ("no score", "a")),
        Write("ZADD", "sorted", ("nan", "a")),
        Write("ZADD", "sorted", (1, "a", 2)),
        Write("SADD", "hash", ("a",)),
        Write("SADD", "fresh"),
        Write("SET", "fresh", ("a", "EX")),
        Write("DEL", "fresh", ("a",)),
        Write("FLUSHALL", "fresh"),  # type: ignore[arg-type]
        Write("SADD", "fresh", tuple(range(5000))),
    ],
)
def test_one_bad_write_stops_all_of_them(
    checkpoints: Checkpoints, store: RedisEventStore, bad: Write
) -> None:
    """Everything is checked before the first write."""
    checkpoints.project(0, "games", 0, 1, [Write("HSET", "hash", ("a", "1"))])
    before = store.connection.command("KEYS", "*")

    with pytest.raises(StoreRefused, match="was not moved"):
        checkpoints.project(0, "games", 1, 2, [Write("SET", "first", ("x",)), bad])

    assert before == store.connection.command("KEYS", "*")
    assert checkpoints.checkpoint(0, "games") == 1


def test_a_read_model_cannot_write_to_the_checkpoint(checkpoints: Checkpoints) -> None:
    """Its name is taken."""
    with pytest.raises(ValueError, match="no name for a part"):
        checkpoints.project(0, "games", 0, 1, [Write("SET", "checkpoint", ("9",))])


def test_a_rebuild_empties_the_read_model_and_starts_again(
    checkpoints: Checkpoints, store: RedisEventStore
) -> None:
    """The checkpoint may be moved back, in the same step as the deletions."""
    checkpoints.project(0, "games", 0, 5, [Write("SADD", "open", ("a",))])

    checkpoints.project(0, "games", 5, 0, [Write("DEL", "open")])

    assert checkpoints.checkpoint(0, "games") == 0
    assert store.connection.command("EXISTS", checkpoints.read_model_key(0, "games", "open")) == 0


def test_racing_projectors_apply_every_step_once(checkpoints: Checkpoints, store: RedisEventStore) -> None:
    """Four of them move one checkpoint a hundred times; each position is applied by exactly one."""

    def run(runner: int) -> int:
        applied = 0
        while (position := checkpoints.checkpoint(0, "count")) < 100:
            try:
                write = Write("HSET", "steps", (str(position), str(runner)))
                checkpoints.project(0, "count", position, position + 1, [write])
                applied += 1
            except CheckpointMoved:
                continue
        return applied

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(run, range(4))) == 100
    assert store.connection.command("HLEN", checkpoints.read_model_key(0, "count", "steps")) == 100
