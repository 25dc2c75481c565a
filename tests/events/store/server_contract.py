"""What a store on a server promises beyond `store_contract`: its keys, its server, its connection."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from redis.crc import key_slot

from events.chain.hash_chain import GENESIS
from events.store.errors import (
    CommandIdReused,
    GameNotFound,
    HistoryForked,
    StoreDamaged,
    StoreMisconfigured,
    StoreRefused,
    StoreUnavailable,
    VersionConflict,
)
from events.store.redis.client.connection import RedisConnection
from events.store.redis.functions import LIBRARY, SOURCE
from events.store.redis.keys import GameKeys
from events.store.redis.redis_store import RedisEventStore
from tests.events.store.store_contract import append
from tests.support.lossy_proxy import LossyProxy
from tests.support.recorded_events import hash_after, recorded_run
from tests.support.servers import eventually


def dump(connection: RedisConnection) -> dict[bytes, bytes]:
    """Return every key of the server with its whole content."""
    return {key: connection.command("DUMP", key) for key in connection.command("KEYS", "*")}


@contextmanager
def setting(connection: RedisConnection, name: str, value: str) -> Iterator[None]:
    """Change one of the server's settings for a moment."""
    before = connection.command("CONFIG", "GET", name)[1]
    connection.command("CONFIG", "SET", name, value)
    try:
        yield
    finally:
        connection.command("CONFIG", "SET", name, before)
        # A server that is just writing its first append-only file does not stop when told to.
        eventually(lambda: b"aof_rewrite_in_progress:0" in connection.command("INFO", "persistence"))


class ServerContract:
    """To be inherited by the tests of each server, which provide the fixtures `url` and `store`."""

    def test_a_refused_append_changes_no_key(self, store: RedisEventStore) -> None:
        """The whole server is byte for byte the same after every kind of refusal."""
        append(store, "game", 0, 2)
        before = dump(store.connection)

        for game_id, after, command_id, error in (
            ("game", 1, "new", VersionConflict),
            ("game", 5, "new", VersionConflict),
            ("game", 2, "command-0", CommandIdReused),
            ("absent", 2, "new", GameNotFound),
        ):
            with pytest.raises(error):
                store.append(
                    game_id,
                    recorded_run(after, 2),
                    expected_version=after,
                    expected_hash=hash_after(after),
                    command_id=command_id,
                    fingerprint="another",
                    private={"secret": "x"},
                )

        assert before == dump(store.connection)

    @pytest.mark.parametrize("key", ["log", "head", "commands", "private", "feed", "feed_head"])
    def test_a_key_of_the_wrong_kind_stops_the_append_before_the_first_write(
        self, store: RedisEventStore, key: str
    ) -> None:
        """Everything is checked first: a function that failed half-way would keep what it wrote."""
        append(store, "game", 0, 2)
        name = getattr(GameKeys("game", store.partitions), key)
        store.connection.command("DEL", name)
        store.connection.command("SADD", name, "not this")
        before = dump(store.connection)

        with pytest.raises(StoreDamaged):
            store.append(
                "game",
                recorded_run(2, 2),
                expected_version=2,
                expected_hash=hash_after(2),
                command_id="c",
                fingerprint="f",
                private={"secret": "x"},
            )

        assert before == dump(store.connection)

    @pytest.mark.parametrize(
        "damage",
        [
            ("DEL", "log"),
            ("XTRIM", "log", "MAXLEN", "1"),
            ("XDEL", "log", "2-0"),
            ("XADD", "log", "9-0", "t", "forged"),
            ("DEL", "head"),
            ("HSET", "head", "version", "7"),
            ("DEL", "feed"),
            ("XTRIM", "feed", "MAXLEN", "1"),
            ("DEL", "feed_head"),
            ("SET", "feed_head", "7"),
        ],
    )
    def test_a_damaged_log_is_not_continued(self, store: RedisEventStore, damage: tuple[str, ...]) -> None:
        """When head and stream, or the feed and its head, disagree, nothing is appended at any version."""
        append(store, "game", 0, 2)
        append(store, "game", 2, 2)
        command, key, *arguments = damage
        store.connection.command(command, getattr(GameKeys("game", store.partitions), key), *arguments)
        before = dump(store.connection)

        for expected in (0, 4, 7):
            with pytest.raises((StoreDamaged, VersionConflict, HistoryForked)) as refused:
                append(store, "game", expected, 1, command_id="new")
            if expected == 4:
                assert refused.type is StoreDamaged

        assert before == dump(store.connection)

    def test_reading_a_log_with_a_hole_says_so(self, store: RedisEventStore) -> None:
        """A missing event is reported, never skipped."""
        append(store, "game", 0, 4)
        store.connection.command("XDEL", GameKeys("game", store.partitions).log, "3-0")

        with pytest.raises(StoreDamaged, match="version 4 where version 3 must be"):
            store.read("game")

    def test_a_full_server_refuses_and_stays_whole(self, store: RedisEventStore) -> None:
        """Out of memory is refused before the first write, and everything goes on when there is room."""
        append(store, "game", 0)
        before = dump(store.connection)

        with setting(store.connection, "maxmemory", "1"), pytest.raises(StoreRefused, match="out of memory"):
            append(store, "game", 1)

        assert before == dump(store.connection)
        assert append(store, "game", 1).last_version == 2

    def test_two_stores_on_one_server_agree_on_the_installation(
        self, store: RedisEventStore, url: str
    ) -> None:
        """Eight processes that start at once on an empty server read the same."""
        store.connection.command("FLUSHALL")

        with ThreadPoolExecutor(8) as threads:
            stores = list(threads.map(RedisEventStore.connect, [url] * 8))

        assert len({one.installation.token_key for one in stores}) == 1
        assert len({one.installation.installation_id for one in stores}) == 1
        for one in stores:
            one.close()

    def test_the_number_of_partitions_is_fixed_at_first_use(self, store: RedisEventStore, url: str) -> None:
        """Another number is refused, none at all takes what is fixed."""
        store.connection.command("FLUSHALL")
        RedisEventStore.connect(url, partitions=3).close()

        taken = RedisEventStore.connect(url)
        with pytest.raises(StoreMisconfigured, match=r"set up with 3 partitions.*4 are configured"):
            RedisEventStore.connect(url, partitions=4)

        assert taken.partitions == 3
        taken.close()

    def test_another_format_is_refused(self, store: RedisEventStore, url: str) -> None:
        """A store written by a later version is not touched."""
        stored = store.connection.command("GET", "fieldbook:installation")
        changed = stored.replace(b'"format":1', b'"format":2')
        store.connection.command("SET", "fieldbook:installation", changed)

        with pytest.raises(StoreMisconfigured, match="format 2"):
            RedisEventStore.connect(url)

    def test_a_lost_reply_appends_once_and_is_answered(
        self, store: RedisEventStore, lossy: tuple[LossyProxy, str]
    ) -> None:
        """The client asks again by itself, and the command id finds what was written."""
        append(store, "game", 0)
        proxy, address = lossy
        through = RedisEventStore.connect(address)
        assert through.head("game") == store.head("game")
        proxy.lose_next_reply()

        answer = append(through, "game", 1, 2)

        assert proxy.lost == 1
        through.close()
        assert (answer.first_version, answer.last_version, answer.duplicate) == (2, 3, True)
        assert store.read("game") == recorded_run(0, 3)

    def test_a_lost_reply_of_a_command_that_adds_is_reported_and_not_repeated(
        self, lossy: tuple[LossyProxy, str]
    ) -> None:
        """It may have been executed; a read, or what the caller declares repeatable, is sent again."""
        proxy, address = lossy
        through = RedisEventStore.connect(address)
        key = GameKeys("game", through.partitions).private
        through.connection.command("HGETALL", key)
        proxy.lose_next_reply()
        with pytest.raises(StoreUnavailable):
            through.connection.command("HINCRBY", key, "once", 1)
        proxy.lose_next_reply()
        assert through.connection.command("HGETALL", key) == [b"once", b"1"]
        proxy.lose_next_reply()
        assert through.connection.command("HINCRBY", key, "once", 1, repeat=True) == 3
        assert proxy.lost == 3
        through.close()

    def test_a_flushed_library_is_loaded_again(self, store: RedisEventStore) -> None:
        """A server that lost our functions gets them with the next append."""
        store.connection.command("FUNCTION", "FLUSH")

        assert append(store, "game", 0, 2).last_version == 2

    def test_a_library_with_another_body_is_replaced(self, store: RedisEventStore, url: str) -> None:
        """What stands under our name on the server is exactly our source."""
        strange = (
            f"#!lua name={LIBRARY}\nredis.register_function('{LIBRARY}_append', function() return {{}} end)"
        )
        store.connection.command("FUNCTION", "LOAD", "REPLACE", strange)

        with pytest.raises(StoreRefused, match="an answer we do not know"):
            append(store, "game", 0)
        fresh = RedisEventStore.connect(url)

        assert append(fresh, "game", 0).last_version == 1
        found = fresh.connection.command("FUNCTION", "LIST", "LIBRARYNAME", LIBRARY, "WITHCODE")
        assert SOURCE.encode() in found[0]
        fresh.close()

    def test_the_function_refuses_incomplete_arguments(self, store: RedisEventStore) -> None:
        """A call with a missing argument or key writes nothing."""
        keys = GameKeys("game", store.partitions)
        names = [
            keys.log,
            keys.head,
            keys.commands,
            keys.private,
            keys.feed,
            keys.feed_head,
            keys.quarantine,
        ]
        whole = ["game", 0, GENESIS, "c", "[]", 1, 0, *"tvdawcsh"]

        for wrong_keys, wrong in (
            (names, whole[:-1]),
            (names[:-1], whole),
            (names, []),
            (names, [*whole, "x"]),
        ):
            assert store.functions.call("append", wrong_keys, wrong) == [b"incomplete"]

        assert store.connection.command("KEYS", "*game*") == []

    def test_all_keys_of_a_call_live_in_one_cluster_slot(self, store: RedisEventStore) -> None:
        """A game and its feed share the slot of their partition, and partitions differ."""
        slots = {
            frozenset(key_slot(key.encode()) for key in vars(GameKeys(f"game-{number}", 16)).values())
            for number in range(200)
        }

        assert all(len(slot) == 1 for slot in slots)
        assert len(slots) == store.partitions

    def test_many_threads_share_one_store(self, store: RedisEventStore) -> None:
        """Sixty-four threads append and read at once."""

        def play(number: int) -> int:
            append(store, f"game-{number}", 0, 2)
            return len(store.read(f"game-{number}"))

        with ThreadPoolExecutor(64) as threads:
            assert set(threads.map(play, range(256))) == {2}

    def test_a_server_that_is_not_there_is_unavailable_soon(self) -> None:
        """Nobody listening is told within seconds."""
        started = time.monotonic()

        with pytest.raises(StoreUnavailable, match="cannot be reached"):
            RedisEventStore.connect("redis://127.0.0.1:1")

        assert time.monotonic() - started < 5

    def test_an_address_that_cannot_be_understood_is_refused(self) -> None:
        """A typing mistake in the address is no outage."""
        with pytest.raises(StoreRefused, match="REDIS_URL"):
            RedisEventStore.connect("http://127.0.0.1:1")
