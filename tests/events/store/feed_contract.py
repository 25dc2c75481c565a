"""What every store promises about its feeds, as tests."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from events.store.event_store import EventStore, FeedEntry
from tests.events.store.store_contract import append
from tests.support.recorded_events import hash_after


class FeedContract:
    """To be inherited by each store's tests, which provide the fixture `store`."""

    def test_the_feed_tells_every_append_in_order(self, store: EventStore) -> None:
        """One entry per append, with positions from 1 on and its last hash, and nothing for a repeated command."""
        append(store, "game", 0, 2)
        append(store, "game", 2, 1)
        append(store, "game", 0, 2)
        partition = store.partition_of("game")

        first = FeedEntry(position=1, game_id="game", first_version=1, last_version=2, hash=hash_after(2))
        second = FeedEntry(position=2, game_id="game", first_version=3, last_version=3, hash=hash_after(3))
        assert (first, second) == store.read_feed(partition)
        assert (second,) == store.read_feed(partition, after=1)
        assert (first,) == store.read_feed(partition, limit=1)
        assert store.read_feed(partition, after=2) == ()
        assert store.feed_end(partition) == 2

    def test_a_game_appears_in_the_feed_of_its_partition_only(self, store: EventStore) -> None:
        """Partitions are counted from 0, and each feed tells of its own games."""
        games = [f"game-{number}" for number in range(40)]
        for game_id in games:
            append(store, game_id, 0)

        told = {
            entry.game_id: partition
            for partition in range(store.partitions)
            for entry in store.read_feed(partition)
        }

        assert {game_id: store.partition_of(game_id) for game_id in games} == told
        assert sum(store.feed_end(partition) for partition in range(store.partitions)) == len(games)

    def test_feeds_stay_gapless_while_many_write_at_once(self, store: EventStore) -> None:
        """A reader that follows while eight threads write sees every position once, in order."""
        games = [f"game-{number}" for number in range(12)]

        def play(game_id: str) -> None:
            for version in range(15):
                append(store, game_id, version)

        positions = dict.fromkeys(range(store.partitions), 0)
        told: list[FeedEntry] = []
        deadline = time.monotonic() + 20
        with ThreadPoolExecutor(8) as threads:
            done = [threads.submit(play, game_id) for game_id in games]
            while len(told) < 12 * 15 and time.monotonic() < deadline:
                for partition, entries in store.follow(positions, 0.5).items():
                    for entry in entries:
                        assert positions[partition] + 1 == entry.position
                        positions[partition] = entry.position
                        told.append(entry)
            for one in done:
                one.result()

        for game_id in games:
            seen = [entry.first_version for entry in told if entry.game_id == game_id]
            assert seen == list(range(1, 16))

    def test_following_wakes_up_when_something_is_appended(self, store: EventStore) -> None:
        """A follower of several partitions is answered at once with what is new in one of them."""
        append(store, "game", 0)
        partition = store.partition_of("game")
        positions = dict.fromkeys(range(store.partitions), 0) | {partition: 1}
        timer = threading.Timer(0.2, append, (store, "game", 1))
        timer.start()

        started = time.monotonic()
        found = store.follow(positions, 10)
        waited = time.monotonic() - started
        timer.join()

        expected = FeedEntry(position=2, game_id="game", first_version=2, last_version=2, hash=hash_after(2))
        assert found == {partition: (expected,)}
        assert waited < 5

    def test_following_ends_when_time_is_up(self, store: EventStore) -> None:
        """Nothing new is an empty answer, after the time that was asked for."""
        started = time.monotonic()

        assert store.follow({0: 0}, 0.3) == {}
        assert 0.25 < time.monotonic() - started < 5
        assert store.follow({0: 0}, 0) == {}

    def test_following_does_not_wait_for_what_is_there(self, store: EventStore) -> None:
        """Everything after the position is told at once, also without any time to wait."""
        append(store, "game", 0)

        assert list(store.follow({store.partition_of("game"): 0}, 0)) == [store.partition_of("game")]
