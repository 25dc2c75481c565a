"""A read model declares itself: the projector keeps it, and a rebuild builds it anew, without knowing what it is."""

from collections import Counter
from collections.abc import Sequence

from events.store.event_store import FeedEntry
from events.store.redis.redis_store import RedisEventStore, require_redis
from service.projections.declared import PROJECTIONS
from service.projections.generations import Shape
from service.projections.projection import Projection
from service.projections.rebuilding import Rebuild
from service.projections.store import Generations
from service.projector import Projector
from service.storage.checkpoints import Write
from tests.service.in_process import InProcess
from tests.service.projections.listing import Silent, listed

DAY = 24 * 60 * 60 * 1000


class GamesPerDay(Projection):
    """How many games were set up on which day since the epoch."""

    title = "The games per day"
    shape = Shape("games-per-day-1", ("days",))

    def writes(self, partition: int, entries: Sequence[FeedEntry]) -> list[Write]:
        """Count the games whose first version is among these entries."""
        days: Counter[int] = Counter()
        for entry in entries:
            if entry.first_version == 1:
                days[self._store.read(entry.game_id, 0, 1)[0].at // DAY] += 1
        key = self.key(partition, "days")
        connection = require_redis(self._store).connection
        known = {day: int(connection.command("HGET", key, day) or 0) for day in days}
        return [Write("HSET", "days", (day, known[day] + count)) for day, count in days.items()]


def counted(store: RedisEventStore) -> Counter[int]:
    """What the read model says."""
    found: Counter[int] = Counter()
    generations = Generations(store, GamesPerDay.shape)
    for partition in range(store.partitions):
        name = generations.name(generations.in_use(partition))
        stored = store.connection.command("HGETALL", GamesPerDay(store, name).key(partition, "days"))
        for day, count in zip(stored[::2], stored[1::2], strict=True):
            found[int(day)] += int(count)
    return found


def projector(api: InProcess, batch: int = 200) -> Projector:
    """A fresh projector that keeps this read model too."""
    return Projector(api.store, Silent(), batch=batch, projections=(*PROJECTIONS, GamesPerDay))


def expected(api: InProcess) -> Counter[int]:
    """What the list of games says about it."""
    return Counter(game["created"] // DAY for game in listed(api).values())


def test_a_declared_read_model_is_kept_beside_the_others(api: InProcess) -> None:
    """Whatever the batches are, and however often a projector was killed between two of them."""
    for seed in range(5):
        api.people(seed=seed).play(3)
    for _ in range(4):
        killed = projector(api, batch=2)
        for partition in range(api.store.partitions):
            killed.project(partition)
    at_last = projector(api)
    at_last.catch_up(at_last.partitions())
    assert counted(api.store) == expected(api)
    assert counted(api.store).total() == 5


def test_one_that_is_new_catches_up_with_the_feeds_from_their_beginnings(api: InProcess) -> None:
    """The others are where they were, and nothing is asked of them."""
    for seed in range(3):
        api.people(seed=seed).play(3)
    before = Projector(api.store, Silent())
    before.catch_up(before.partitions())
    now = projector(api)
    now.catch_up(now.partitions())
    assert counted(api.store) == expected(api)


def test_a_rebuild_builds_it_anew_and_leaves_the_others_alone(api: InProcess) -> None:
    """A new generation is read once it knows all that the old one does, which is thrown away."""
    for seed in range(3):
        api.people(seed=seed).play(3)
    at_work = projector(api)
    at_work.catch_up(at_work.partitions())
    games = set(api.store.connection.command("KEYS", "*projection:games-2*"))

    run = Rebuild(api.store, GamesPerDay)
    run.build(lambda _progress: None)
    run.check()
    run.switch()

    assert run.generation == 2
    assert counted(api.store) == expected(api)
    assert api.store.connection.command("KEYS", "*projection:games-per-day-1.1:*") == []
    assert set(api.store.connection.command("KEYS", "*projection:games-2*")) == games
    api.people(seed=9)
    at_work.catch_up(at_work.partitions())
    assert counted(api.store) == expected(api)
