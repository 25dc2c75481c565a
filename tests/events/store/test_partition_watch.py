"""Partitions that are damaged, or have lost what was acknowledged: quarantined and named; the others go on."""

import json
from pathlib import Path

import pytest

from events.store.errors import PartitionQuarantined, StoreMisconfigured
from events.store.redis.keys import GameKeys
from events.store.redis.redis_store import RedisEventStore
from service.storage import feed_watermarks
from service.storage.feed_watermarks import FILE, FeedWatermarks, check_installation
from service.storage.partition_damage import find_damage
from service.storage.partition_watch import PartitionWatch
from tests.events.store.store_contract import append
from tests.support.rolled_back import Moment

ALL = list(range(16))


def watermarks_at(folder: Path, store: RedisEventStore) -> FeedWatermarks:
    """Watermarks of this store, as a process that has just begun makes it."""
    return FeedWatermarks(folder, store.installation.installation_id)


def played(store: RedisEventStore, watch: PartitionWatch, game: str, after: int, count: int) -> None:
    """Append so many times to a game, and let the watch see it."""
    for version in range(after, after + count):
        append(store, game, version, command_id=f"{game}-{version}")
    partition = store.partition_of(game)
    watch.seen(partition, store.read_feed(partition))


def test_a_partition_that_lost_its_end_is_quarantined_and_named(
    store: RedisEventStore, tmp_path: Path
) -> None:
    """How many appends, from which position, and which games; every process refuses, and the others go on."""
    partition, other = store.partition_of("game"), "another"
    assert store.partition_of(other) != partition
    watch = PartitionWatch(store, watermarks_at(tmp_path, store))
    played(store, watch, "game", 0, 3)
    before = Moment(store.connection)
    played(store, watch, "game", 3, 2)
    assert watch.healthy() == ALL

    before.return_to()
    healthy = watch.healthy()

    assert healthy == [each for each in ALL if each != partition]
    reason = store.quarantine.reasons()[partition]
    assert "has lost 2 appends" in reason
    assert "from position 4 of the feed on: the feed had come to position 5 and is at 3" in reason
    assert "game (it was at version 5)" in reason
    with pytest.raises(PartitionQuarantined, match="lost 2 appends"):
        append(store, "game", 3)
    assert append(store, "game", 0, command_id="game-0").duplicate
    assert len(store.read("game")) == 3
    assert append(store, other, 0).last_version == 1


def test_a_partition_that_lost_its_end_and_went_on_is_quarantined(
    store: RedisEventStore, tmp_path: Path
) -> None:
    """Another entry at a position that was seen is a loss too, however long the feed is."""
    watch = PartitionWatch(store, watermarks_at(tmp_path, store))
    played(store, watch, "game", 0, 2)
    before = Moment(store.connection)
    played(store, watch, "game", 2, 1)
    before.return_to()
    for version in range(2, 6):
        append(store, "game", version, count=1, command_id=f"other-{version}")
    # The same versions with the same hashes: only what the feed tells of the second append differs.
    assert watch.healthy() == ALL
    before.return_to()
    append(store, "game", 2, count=2, command_id="elsewhere")
    append(store, "game", 4, count=2, command_id="further")

    assert store.partition_of("game") not in watch.healthy()
    assert "has lost 1 append that" in store.quarantine.reasons()[store.partition_of("game")]


def test_what_is_seen_after_a_loss_does_not_cover_it(store: RedisEventStore, tmp_path: Path) -> None:
    """Others may play on, and be read, before anybody compares: what was seen before the loss is kept till then."""
    partition = store.partition_of("game")
    watch = PartitionWatch(store, watermarks_at(tmp_path, store))
    before = Moment(store.connection)
    played(store, watch, "game", 0, 3)
    before.return_to()
    for version in range(0, 24, 2):
        append(store, "game", version, 2)
        watch.seen(partition, store.read_feed(partition, max(0, version // 2 - 1)))

    assert partition not in watch.healthy()
    assert "has lost 3 appends" in store.quarantine.reasons()[partition]


def test_a_loss_is_found_by_the_next_process(store: RedisEventStore, tmp_path: Path) -> None:
    """What was seen is in the data folder; where all that is remembered is gone, the least loss is named."""
    watch = PartitionWatch(store, watermarks_at(tmp_path, store))
    empty = Moment(store.connection)
    played(store, watch, "game", 0, 12)
    watch.close()
    empty.return_to()

    PartitionWatch(store, watermarks_at(tmp_path, store)).healthy()

    reason = store.quarantine.reasons()[store.partition_of("game")]
    assert "at least 8 appends" in reason
    assert "is at 0" in reason


def test_a_released_partition_goes_on_from_what_is_there(store: RedisEventStore, tmp_path: Path) -> None:
    """The running process notices, forgets what it had seen, and watches from here on."""
    partition = store.partition_of("game")
    watch = PartitionWatch(store, watermarks_at(tmp_path, store))
    before = Moment(store.connection)
    played(store, watch, "game", 0, 2)
    before.return_to()
    assert partition not in watch.healthy()

    store.quarantine.release(partition)

    assert watch.healthy() == ALL
    played(store, watch, "game", 0, 1)
    assert watch.healthy() == ALL
    assert PartitionWatch(store, watermarks_at(tmp_path, store)).healthy() == ALL


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        (("DEL", "log"), "game game: the head says version 4, the stream holds 0 entries."),
        (("XTRIM", "log", "MAXLEN", "3"), "game game: the head says version 4, the stream holds 3 entries."),
        (("DEL", "head"), "game game: it has no head."),
        (("HSET", "head", "version", "3"), "the feed tells of version 4, the head says version 3"),
        (("HSET", "head", "hash", "0" * 64), "head and feed have different chain hashes at version 4"),
        (("XADD", "log", "9-0", "t", "x"), "the head says version 4, the stream holds 5 entries"),
        (
            ("XADD", "feed", "9-0", "g", "x"),
            "the feed head says position 2, the feed holds 3 entries up to 9",
        ),
        (("DEL", "feed_head"), "the feed head says position 0, the feed holds 2 entries up to 2"),
    ],
)
def test_heads_that_disagree_with_their_logs_are_found_at_the_start(
    store: RedisEventStore, damage: tuple[str, ...], named: str
) -> None:
    """The partition is quarantined with the games named; the others are not."""
    append(store, "game", 0, 2)
    append(store, "game", 2, 2)
    append(store, "another", 0, 2)
    command, key, *arguments = damage
    store.connection.command(command, getattr(GameKeys("game", store.partitions), key), *arguments)

    healthy = PartitionWatch(store).healthy()

    partition = store.partition_of("game")
    assert healthy == [each for each in ALL if each != partition]
    assert named in store.quarantine.reasons()[partition]


def test_many_games_are_compared_and_the_first_damaged_ones_named(store: RedisEventStore) -> None:
    """Ten at most: the sentence stays readable, whatever has happened."""
    games = [f"game-{number}" for number in range(400)]
    for game in games:
        for version in range(8):
            append(store, game, version)
    assert PartitionWatch(store).healthy() == ALL
    partition = store.partition_of(games[0])
    mine = [game for game in games if store.partition_of(game) == partition]
    for game in mine:
        store.connection.command("DEL", GameKeys(game, store.partitions).log)

    damage = find_damage(store, partition)

    assert damage is not None
    assert f"game {mine[0]}: " in damage
    assert damage.endswith(f"and {len(mine) - 10} more games.")


def test_accepted_damage_is_no_reason_any_more(store: RedisEventStore) -> None:
    """A release says which damage it accepts; new damage is a reason again."""
    append(store, "game", 0, 2)
    keys = GameKeys("game", store.partitions)
    store.connection.command("XTRIM", keys.log, "MAXLEN", "1")
    partition = store.partition_of("game")
    assert partition not in PartitionWatch(store).healthy()

    store.quarantine.release(partition, find_damage(store, partition) or "")

    assert PartitionWatch(store).healthy() == ALL
    store.connection.command("DEL", keys.log)
    assert partition not in PartitionWatch(store).healthy()


def test_the_witness_is_written_at_most_some_times_a_second(
    store: RedisEventStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It remembers the last entries of each feed, in one small file that is replaced as a whole."""
    monkeypatch.setattr(feed_watermarks, "SAVE_SECONDS", 3600.0)
    watermarks = watermarks_at(tmp_path, store)
    partition = store.partition_of("game")
    for version in range(20):
        append(store, "game", version)
        watermarks.see(partition, store.read_feed(partition, version))
    first = json.loads((tmp_path / FILE).read_bytes())["feeds"][str(partition)]
    watermarks.save(now=True)
    last = json.loads((tmp_path / FILE).read_bytes())["feeds"][str(partition)]

    assert [entry["position"] for entry in first] == [1]
    assert [entry["position"] for entry in last] == list(range(13, 21))
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
    assert watermarks_at(tmp_path, store).feeds == watermarks.feeds


def test_another_installation_is_refused(store: RedisEventStore, tmp_path: Path) -> None:
    """A store that is not the one this data folder has seen; without a memory of one every store is taken."""
    check_installation(tmp_path, "one")
    watermarks = FeedWatermarks(tmp_path, "one")
    append(store, "game", 0)
    watermarks.see(1, store.read_feed(store.partition_of("game")))
    check_installation(tmp_path, "one")

    with pytest.raises(StoreMisconfigured, match=r"belongs to installation one.*holds installation two"):
        check_installation(tmp_path, "two")
