"""The invariants find what they look for: each violation, done to a real store or to measurements on purpose."""

from collections import Counter

import pytest

from events.chain.hash_chain import GENESIS
from events.store.redis.keys import GameKeys, feed_head_key, feed_key
from events.store.redis.redis_store import RedisEventStore
from tests.campaigns.campaigns.endurance import FAULTS, growth, lag, schedule
from tests.campaigns.invariants import feed_findings, games_in, stored_game_findings
from tests.campaigns.load import Acknowledged, Sent
from tests.support.recorded_events import recorded_run

GAME = "game"
LENGTHS = (3, 2, 4)  # events of the commands in the log


def sent(number: int) -> Sent:
    """Return a request by its number."""
    return Sent(f"/v1/games/{GAME}/commands", {"type": "reveal"}, "token", f"key {number}", "seat:0")


@pytest.fixture
def acknowledged(store: RedisEventStore) -> list[Acknowledged]:
    """Append three commands to a game, and return the acknowledgements."""
    answers, version, head = [], 0, GENESIS
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
        answers.append(Acknowledged(sent(number), GAME, version, answer.head_hash, length))
    return answers


def found(store: RedisEventStore, acknowledged: list[Acknowledged], *refused: Sent) -> list[str]:
    """Return the findings in the game."""
    return list(stored_game_findings(store, GAME, sum(LENGTHS), acknowledged, refused))


def test_lost_changed_and_refused_commands_are_found(
    store: RedisEventStore, acknowledged: list[Acknowledged]
) -> None:
    """A log as it was acknowledged has no findings."""
    first, partition = acknowledged[0], store.partition_of(GAME)
    assert [*found(store, acknowledged), *feed_findings(store, partition)] == []
    assert games_in(store, partition) == {GAME: sum(LENGTHS)}
    lost = Acknowledged(sent(9), GAME, 9, acknowledged[-1].hash, 1)
    assert found(store, [lost]) == [f"game {GAME}: the acknowledged command seat:0:key-key 9 is lost"]
    assert len(found(store, [first._replace(hash="0" * 64)])) == 1
    assert len(found(store, [first._replace(events=first.events + 1)])) == 1
    assert len(found(store, [], sent(1))) == 1


def test_doubled_commands_and_gaps_are_found(
    store: RedisEventStore, acknowledged: list[Acknowledged]
) -> None:
    """Two commands, or none, have a version; a stream or a feed lacks an entry."""
    commands, command = GameKeys(GAME, store.partitions).commands, store.connection.command
    answer = command("HGET", commands, "seat:0:key-key 1")
    command("HSET", commands, "seat:0:key-twice", answer)
    assert len(found(store, acknowledged)) == 1
    command("HDEL", commands, "seat:0:key-twice", "seat:0:key-key 1")
    assert len(found(store, [acknowledged[0]])) == 1
    command("HSET", commands, "seat:0:key-key 1", answer)
    partition = store.partition_of(GAME)
    command("XDEL", GameKeys(GAME, store.partitions).log, "4-0")
    command("XDEL", feed_key(partition), "2-0")
    assert len(found(store, acknowledged)) == 1
    assert len(list(feed_findings(store, partition))) == 1
    assert command("GET", feed_head_key(partition)) == b"3"


def sawtooth(lives: int, seconds: int, slope: float, drift: float = 0.0) -> list[tuple[float, float]]:
    """Return a value of 50 after each start that rises by `slope`, and by `drift` over all lives, each second."""
    return [(float(at), 50 + slope * (at % seconds) + drift * at) for at in range(0, lives * seconds, 2)]


@pytest.mark.parametrize(
    ("series", "restarts", "allowed", "grew"),
    [
        ([(float(at), 50.0 + at % 7) for at in range(1800)], 0, 0.0, False),
        (sawtooth(1, 1800, 0.05), 0, 0.0, True),
        ([(float(at), min(50 + at * 0.2, 150.0)) for at in range(1800)], 0, 0.0, False),
        (sawtooth(6, 300, 0.3), 5, 0.0, True),
        (sawtooth(6, 300, 0.01), 5, 0.0, False),
        (sawtooth(6, 300, 0.0, drift=0.1), 5, 360.0, False),
        (sawtooth(6, 300, 0.0, drift=0.1), 5, 180.0, True),
        ([(float(at), 50.0) for at in range(900)], 0, 0.0, None),
    ],
    ids=["steady", "rising", "warming", "leak in a life", "sound lives", "allowed", "beyond", "not measured"],
)
def test_growth_is_found(
    series: list[tuple[float, float]], restarts: int, allowed: float, *, grew: bool
) -> None:
    """Restarts do not hide it; warming up is none; the store may grow by what it keeps."""
    begins = [300.0 * (number + 1) for number in range(restarts)]
    judged = growth(series, 0, 1800, least=8, restarts=begins, allowed_per_hour=allowed)
    assert (None if judged is None else judged.grew) == grew


def test_lags_are_found() -> None:
    """A lag may last for half a minute after a restart, and not beyond the next one; elsewhere it must be short."""

    def late(begin: float, end: float, value: float = 3.0) -> list[tuple[float, float]]:
        return [(at / 2, value if begin <= at / 2 < end else 0.02) for at in range(200)]

    assert lag("it", late(50, 54), [(50.0, "web")]) == (["it", "0.02", "0.02", "0.02", "web 3.5"], [])
    overlapping = [(50.0, "web"), (60.0, "worker"), (80.0, "web")]
    assert lag("it", late(50, 70), overlapping)[1] == ["it was not over 10 s after a restart of web"]
    assert len(lag("it", late(50, 100), [(50.0, "web")])[1]) == 2
    assert len(lag("it", late(20, 30, 2.0), [(50.0, "web")])[1]) == 1
    assert len(lag("it", [*late(0, 0) * 9, (10.2, 6.0)], [(50.0, "web")])[1]) == 1


def test_every_process_is_restarted_by_both_signals_in_each_third() -> None:
    """A short run restarts each process once."""
    plan = schedule(FAULTS, 1800)
    thirds = [Counter(each.name for each in plan if each.at // 600 == third) for third in range(3)]
    assert thirds == [Counter(dict.fromkeys(FAULTS, 2))] * 3
    assert {*Counter((each.name, each.signal) for each in plan).values()} == {3}
    assert [each.name for each in schedule(FAULTS, 180)] == [*FAULTS]
