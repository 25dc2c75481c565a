"""The examination finds what it looks for: each thing that could be wrong, done to a real store on purpose."""

import pytest

from events.chain.hash_chain import GENESIS
from events.store.redis.keys import GameKeys, feed_head_key, feed_key
from events.store.redis.redis_store import RedisEventStore
from tests.faults.in_the_store import feed_findings, games_in, stored_game_findings
from tests.faults.ledger import Acknowledged, Asked, Refused
from tests.support.recorded_events import recorded_run

GAME = "game"
LENGTHS = (3, 2, 4)
"""Events of the commands that are in the log."""


def asked(number: int) -> Asked:
    """A request by its number."""
    return Asked(f"/v1/games/{GAME}/commands", {"type": "reveal"}, "token", f"key {number}", "seat:0")


@pytest.fixture
def acknowledged(store: RedisEventStore) -> list[Acknowledged]:
    """Append three commands to a game, and return what their sender was told."""
    told, version, head = [], 0, GENESIS
    for number, length in enumerate(LENGTHS):
        answer = store.append(
            GAME,
            recorded_run(version, length),
            expected_version=version,
            expected_hash=head,
            command_id=f"seat:0:key-key {number}",
            fingerprint="f",
        )
        version, head = answer.last_version, answer.head_hash
        told.append(Acknowledged(asked(number), GAME, version, answer.head_hash, length))
    return told


def found(
    store: RedisEventStore, acknowledged: list[Acknowledged], refused: tuple[Refused, ...] = ()
) -> list[str]:
    """What the examination of the game finds."""
    return list(stored_game_findings(store, GAME, sum(LENGTHS), acknowledged, refused))


def test_a_log_as_it_was_acknowledged_is_without_findings(
    store: RedisEventStore, acknowledged: list[Acknowledged]
) -> None:
    """The game, its commands and its feed."""
    partition = store.partition_of(GAME)
    assert found(store, acknowledged) == []
    assert list(feed_findings(store, partition)) == []
    assert games_in(store, partition) == {GAME: sum(LENGTHS)}


def test_a_lost_command_is_found(store: RedisEventStore, acknowledged: list[Acknowledged]) -> None:
    """It was acknowledged, and the log does not know it."""
    lost = Acknowledged(asked(9), GAME, 9, acknowledged[-1].hash, 1)
    assert found(store, [*acknowledged, lost]) == [
        f"game {GAME}: the acknowledged command seat:0:key-key 9 is lost"
    ]


def test_another_history_is_found(store: RedisEventStore, acknowledged: list[Acknowledged]) -> None:
    """The version is there, but with another hash, or with another number of events."""
    first = acknowledged[0]
    forked = Acknowledged(first.asked, GAME, first.version, "0" * 64, first.events)
    longer = Acknowledged(first.asked, GAME, first.version, first.hash, first.events + 1)
    assert len(found(store, [forked])) == 1
    assert len(found(store, [longer])) == 1


def test_a_refused_command_in_the_log_is_found(
    store: RedisEventStore, acknowledged: list[Acknowledged]
) -> None:
    """A refusal promises that nothing has happened."""
    assert len(found(store, [], (Refused(acknowledged[1].asked, GAME),))) == 1


def test_a_command_that_was_applied_twice_is_found(
    store: RedisEventStore, acknowledged: list[Acknowledged]
) -> None:
    """Its events stand in the log once more than they should: two commands, or none, have a version."""
    commands = GameKeys(GAME, store.partitions).commands
    answer = store.connection.command("HGET", commands, "seat:0:key-key 1")
    store.connection.command("HSET", commands, "seat:0:key-twice", answer)
    assert len(found(store, acknowledged)) == 1
    store.connection.command("HDEL", commands, "seat:0:key-twice", "seat:0:key-key 1")
    assert len(found(store, [acknowledged[0]])) == 1


def test_gaps_are_found(store: RedisEventStore, acknowledged: list[Acknowledged]) -> None:
    """In a game's stream, and in a feed."""
    partition = store.partition_of(GAME)
    store.connection.command("XDEL", GameKeys(GAME, store.partitions).log, "4-0")
    store.connection.command("XDEL", feed_key(partition), "2-0")
    assert len(found(store, acknowledged)) == 1
    assert len(list(feed_findings(store, partition))) == 1
    assert store.connection.command("GET", feed_head_key(partition)) == b"3"
