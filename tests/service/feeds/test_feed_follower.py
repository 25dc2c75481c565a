"""The one loop that follows feeds: every entry is handed over once and in order, whatever happens meanwhile."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread

import pytest

from events.store.errors import ArchiveUnavailable, StoreDamaged, StoreUnavailable
from events.store.event_store import FeedEntry
from events.store.redis.redis_store import RedisEventStore
from service.feeds.feed_follower import FeedConsumer, FeedFollower
from service.platform.timer import Due, Timer
from tests.service.in_process import InProcess
from tests.support.servers import eventually

LOG = logging.getLogger("test")


class Notes(FeedConsumer):
    """Notes what it is handed, and begins at the feeds' beginnings."""

    def __init__(self) -> None:
        self.noted: dict[int, list[int]] = {}
        self.lost: list[int] = []
        self.begun = 0

    def begin(self, partitions: Sequence[int]) -> None:
        self.begun += len(partitions)

    def position(self, partition: int) -> int:
        return len(self.noted.get(partition, ()))

    def process_batch(self, partition: int, position: int, entries: tuple[FeedEntry, ...]) -> None:
        assert position == self.position(partition)
        self.noted.setdefault(partition, []).extend(each.position for each in entries)

    def lose_feed(self, partition: int, damage: StoreDamaged) -> None:
        assert "was read before" in str(damage)
        self.lost.append(partition)
        self.noted[partition] = []

    def is_complete(self, store: RedisEventStore) -> bool:
        return all(
            self.noted.get(each, []) == [*range(1, store.feed_end(each) + 1)]
            for each in range(store.partitions)
        )


@contextmanager
def running(follower: FeedFollower) -> Iterator[None]:
    """Follow in a thread, which has to end soon after it was told to."""
    stopping = Event()
    thread = Thread(target=follower.run, args=(stopping,), daemon=True)
    thread.start()
    yield
    stopping.set()
    thread.join(30)
    assert not thread.is_alive()


def test_every_consumer_is_handed_everything_once_and_in_order(api: InProcess) -> None:
    """What is there already and what comes in, in batches of whatever size."""
    one, two = Notes(), Notes()
    one.batch, two.batch = 3, 7
    api.people(seed=1).play(6)
    with running(FeedFollower(api.store, [one, two], log=LOG)):
        for seed in range(2, 5):
            api.people(seed=seed).play(6)
        eventually(lambda: one.is_complete(api.store) and two.is_complete(api.store), seconds=60)


class Broken(Notes):
    """Cannot even begin: one partition of its store does not answer."""

    def begin(self, partitions: Sequence[int]) -> None:
        super().begin(partitions)
        raise StoreUnavailable("a partition is away")


def test_what_is_due_is_done_also_while_the_feeds_cannot_be_followed(api: InProcess) -> None:
    """Webhooks that wait in a healthy partition are sent while another one is away."""
    performed: list[int] = []
    timer = Timer(Due("Anything", performed.append, 0.01))
    broken = Broken()
    with running(FeedFollower(api.store, [broken], log=LOG, timer=timer)):
        eventually(lambda: broken.begun > api.store.partitions, seconds=30)
    assert performed


def test_an_outage_of_the_store_is_outlived(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Consumers begin again, and nothing is handed over twice."""
    notes = Notes()
    follow = RedisEventStore.follow
    failures = iter([True, False, True])

    def failing(self: RedisEventStore, positions: dict[int, int], seconds: float) -> object:
        if next(failures, False):
            raise StoreUnavailable("no answer")
        return follow(self, positions, seconds)

    monkeypatch.setattr(RedisEventStore, "follow", failing)
    with running(FeedFollower(api.store, [notes], log=LOG)):
        api.people().play(6)
        eventually(
            lambda: notes.begun == 3 * api.store.partitions and notes.is_complete(api.store), seconds=60
        )


class Hindered(Notes):
    """Cannot take the entries of some partitions, as where they take no writes."""

    def __init__(self) -> None:
        super().__init__()
        self.sick: set[int] = set()

    def process_batch(self, partition: int, position: int, entries: tuple[FeedEntry, ...]) -> None:
        if partition in self.sick:
            raise StoreUnavailable("too few replicas")
        super().process_batch(partition, position, entries)


def test_a_partition_that_fails_holds_up_no_other(api: InProcess, caplog: pytest.LogCaptureFixture) -> None:
    """The log says once that it waits, and which one; it catches up by itself when it works again."""
    hindered = Hindered()
    hindered.sick = {api.store.partition_of(api.people(seed=each).game) for each in range(2)}
    sound = set(range(api.store.partitions)) - hindered.sick
    with running(FeedFollower(api.store, [hindered], log=LOG)):
        for seed in range(2, 8):
            api.people(seed=seed).play(3)

        def is_heard(partition: int) -> bool:
            return len(hindered.noted.get(partition, ())) == api.store.feed_end(partition)

        eventually(lambda: all(map(is_heard, sound)), seconds=30)
        assert not any(hindered.noted.get(each) for each in hindered.sick)
        for each in hindered.sick:
            assert sum(f"partition {each} waits" in line for line in caplog.messages) == 1
        hindered.sick = set()
        eventually(lambda: hindered.is_complete(api.store), seconds=30)
    assert sum("goes on" in line for line in caplog.messages) >= 1


def test_a_partition_that_alone_has_moved_and_fails_is_no_outage(
    api: InProcess, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody begins anew with the others: only a round over all of them tells that the store is away."""
    hindered = Hindered()
    party = api.people()
    sick = api.store.partition_of(party.game)
    with running(FeedFollower(api.store, [hindered], log=LOG)):
        eventually(
            lambda: hindered.begun == api.store.partitions and hindered.is_complete(api.store), seconds=30
        )
        hindered.sick = {sick}
        party.play(3)
        eventually(lambda: any(f"partition {sick} waits" in line for line in caplog.messages), seconds=30)
        hindered.sick = set()
        eventually(lambda: hindered.is_complete(api.store), seconds=30)
    assert hindered.begun < 2 * api.store.partitions
    assert not any("waiting for the store" in line for line in caplog.messages)


def test_a_partition_that_is_not_to_be_followed_is_left_out_until_it_is(api: InProcess) -> None:
    """As one in quarantine; the others go on."""
    api.people().play(6)
    held = next(each for each in range(api.store.partitions) if api.store.feed_end(each))
    others = [each for each in range(api.store.partitions) if each != held]
    allowed = [others]
    notes = Notes()
    with running(FeedFollower(api.store, [notes], log=LOG, partitions=lambda: allowed[0])):
        other = api.people(seed=2)
        while api.store.partition_of(other.game) == held:
            other = api.people(seed=2)
        eventually(lambda: api.store.partition_of(other.game) in notes.noted, seconds=60)
        assert held not in notes.noted
        allowed[0] = [*others, held]
        eventually(lambda: notes.is_complete(api.store), seconds=60)


def test_a_feed_that_has_lost_its_end_is_told_to_its_consumer(api: InProcess) -> None:
    """Which decides where to go on; here, at the beginning."""
    party = api.people()
    party.play(6)
    partition = api.store.partition_of(party.game)
    notes = Notes()
    follower = FeedFollower(api.store, [notes], log=LOG)
    follower.catch_up(range(api.store.partitions))
    end = api.store.feed_end(partition)
    api.store.connection.command("XDEL", f"{{p{partition:02}}}:feed", f"{end}-0")
    api.store.connection.command("SET", f"{{p{partition:02}}}:feed:head", end - 1)
    with running(follower):
        eventually(lambda: notes.lost == [partition] and notes.is_complete(api.store), seconds=60)


def test_an_archive_that_is_away_holds_up_only_its_partition(api: InProcess) -> None:
    """It is tried again within seconds, and nothing of it is left out."""
    api.people().play(6)
    held = next(each for each in range(api.store.partitions) if api.store.feed_end(each))
    away = [True]

    class Archived(Notes):
        def process_batch(self, partition: int, position: int, entries: tuple[FeedEntry, ...]) -> None:
            if partition == held and away[0]:
                raise ArchiveUnavailable("no answer")
            super().process_batch(partition, position, entries)

    notes = Archived()
    with running(FeedFollower(api.store, [notes], log=LOG)):
        other = api.people(seed=2)
        while api.store.partition_of(other.game) == held:
            other = api.people(seed=2)
        eventually(lambda: api.store.partition_of(other.game) in notes.noted, seconds=60)
        assert held not in notes.noted
        away[0] = False
        eventually(lambda: notes.is_complete(api.store), seconds=60)


def test_a_follower_with_nothing_to_read_wakes_for_what_is_due(api: InProcess) -> None:
    """Its timer shortens the wait."""
    woken: list[int] = []

    def perform(now: int) -> int:
        woken.append(now)
        return now + 50

    timer = Timer(Due("alarm", perform, poll_seconds=60))
    with running(FeedFollower(api.store, [Notes()], log=LOG, timer=timer)):
        eventually(lambda: len(woken) > 5, seconds=60)
