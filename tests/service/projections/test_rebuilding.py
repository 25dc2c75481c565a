"""Building the list anew beside the one that is read: killed and gone on with, switched without a gap, compared."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import pytest

from events.store.errors import ArchiveUnavailable
from events.store.redis.redis_store import RedisEventStore
from service.jobs.dispatching import Dispatcher
from service.projections import rebuilding
from service.projections.game_projection import GameProjection
from service.projections.generations import generation_name
from service.projections.rebuilding import GamesUnprojectable, Rebuild
from service.projections.store import Generations
from service.projector import Projector
from tests.service.in_process import InProcess
from tests.service.in_process_worker import replace_entry, work
from tests.service.projections.listing import Silent, differences, listed, project


class Killed(Exception):
    """The process is gone."""


def some_games(api: InProcess) -> None:
    """Open, running and finished games, one of which nobody can read."""
    for seed in range(3):
        api.people(seed=seed).play(6)
        api.create([{"name": "Ada"}, None, None])
        api.stored(seed + 1)
    replace_entry(api, api.stored(4), 40, t="bean_eaten")


def keys(store: RedisEventStore) -> set[str]:
    """The names of all keys of the list of games."""
    return {key.decode() for key in store.connection.command("KEYS", "*projection:games-*")}


def generations(store: RedisEventStore) -> set[str]:
    """The generations of which anything is kept."""
    return {key.split(":")[2] for key in keys(store)} - {"games-2"}


def rebuild(store: RedisEventStore) -> Rebuild:
    """A whole rebuild."""
    run = Rebuild(store)
    run.build(lambda _done, _total: None)
    run.check()
    run.switch()
    return run


def test_a_rebuilt_list_is_the_same_byte_for_byte(api: InProcess) -> None:
    """Nothing but feeds and logs decides what it says; the old generation leaves no key behind."""
    some_games(api)
    project(api.store)
    before = api.get("/v1/games?limit=200")
    assert differences(api.store) == []
    assert rebuild(api.store).generation == 2
    assert api.get("/v1/games?limit=200") == before
    assert differences(api.store) == []
    assert generations(api.store) == {"games-2.2"}
    assert project(api.store) == []
    assert rebuild(api.store).generation == 3


def test_how_far_each_batch_went_makes_no_difference(api: InProcess) -> None:
    """A game of which the list heard while it was played, and the same game heard of at its end."""
    party = api.people()
    project(api.store)
    assert party.play()
    project(api.store)
    assert differences(api.store) == []


def test_a_difference_is_found(api: InProcess) -> None:
    """A value, a missing index entry, and one too many, each by its place."""
    party = api.people()
    project(api.store)
    place = f"{{p{api.store.partition_of(party.game):02}}}:projection:games-2.1"
    command = api.store.connection.command
    stored = command("HGET", f"{place}:games", party.game)
    command("HSET", f"{place}:games", party.game, stored.replace(b"Ada", b"Eve"))
    command("ZREM", f"{place}:player:Bob", party.game)
    command("ZADD", f"{place}:status:running", 1, "made-up")
    found = {(each.part, each.member): (each.listed, each.rebuilt) for each in differences(api.store)}
    created = str(api.get("/v1/games")["games"][0]["created"])
    assert found.keys() == {("games", party.game), ("player:Bob", party.game), ("status:running", "made-up")}
    assert found["player:Bob", party.game] == (None, created)
    assert found["status:running", "made-up"] == ("1", None)
    rebuild(api.store)
    assert differences(api.store) == []


def killed_after(steps: int, least: int) -> Callable[[int, int], None]:
    """Kill a rebuild after so many steps, which all must be behind what was done before."""
    left = iter(range(steps))

    def told(done: int, _total: int) -> None:
        assert done >= least
        if next(left, None) is None:
            raise Killed

    return told


def test_a_killed_rebuild_goes_on_where_it_stood(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """After any number of steps; none is done twice, and the list that is read stands still meanwhile."""
    monkeypatch.setattr(rebuilding, "BATCH", 3)
    some_games(api)
    project(api.store)
    before = api.get("/v1/games?limit=200")
    done = 0
    for steps in (1, 2, 5, 3):
        with pytest.raises(Killed):
            Rebuild(api.store).build(killed_after(steps, done))
        assert Rebuild(api.store).progress()[0] > done
        done = Rebuild(api.store).progress()[0]
        assert api.get("/v1/games?limit=200") == before
    assert rebuild(api.store).progress() == (2 * (sum(map(api.store.feed_end, range(16))),))
    assert api.get("/v1/games?limit=200") == before
    assert differences(api.store) == []


def test_begun_anew_nothing_of_an_earlier_run_is_used(api: InProcess) -> None:
    """What was built and not brought into use is thrown away."""
    some_games(api)
    project(api.store)
    run = Rebuild(api.store)
    run.build(lambda _done, _total: None)
    Rebuild(api.store).begin_anew()
    assert generations(api.store) == {"games-2.1"}
    assert Rebuild(api.store).progress()[0] == 0


def test_a_rebuild_killed_while_it_switches_is_finished_by_the_next(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some partitions are read in the new generation, others in the old; the list is whole at every moment."""
    some_games(api)
    project(api.store)
    before = api.get("/v1/games?limit=200")
    switch = Generations.switch
    left = iter(range(5))

    def killed(self: Generations, partition: int, old: int, new: int) -> int | None:
        if next(left, None) is None:
            raise Killed
        return switch(self, partition, old, new)

    monkeypatch.setattr(Generations, "switch", killed)
    with pytest.raises(Killed):
        rebuild(api.store)
    monkeypatch.setattr(Generations, "switch", switch)
    in_use = Generations(api.store).in_use
    assert [in_use(partition) for partition in range(16)] == [2] * 5 + [1] * 11
    assert api.get("/v1/games?limit=200") == before
    api.people(seed=9)
    project(api.store)
    assert rebuild(api.store).generation == 2
    assert len(listed(api)) == len(before["games"]) + 1
    assert generations(api.store) == {"games-2.2"}
    assert differences(api.store) == []


@contextmanager
def at_work(stopping: Event, *work: Callable[[], None]) -> Iterator[None]:
    """Threads that do this until they are told to stop."""
    threads = [Thread(target=each) for each in work]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stopping.set()
        for thread in threads:
            thread.join()


def test_the_list_misses_nothing_while_it_is_rebuilt(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """With players, a projector and two rebuilds at work, every page shows every game that was projected before."""
    monkeypatch.setattr(rebuilding, "BATCH", 5)
    for seed in range(4):
        api.people(seed=seed).play(4)
    project(api.store)
    stopping, failures = Event(), list[str]()
    known = set(listed(api))

    def follow() -> None:
        while not stopping.is_set():
            projector = Projector(api.store, Silent(), batch=2)
            projector.catch_up(projector.partitions())

    def play() -> None:
        number = 100
        while not stopping.is_set():
            api.people(seed=number).play(2)
            number += 1

    def read() -> None:
        seen = set(known)
        while not stopping.is_set():
            found = set(listed(api, "limit=3"))
            failures.extend(seen - found)
            seen |= found

    with at_work(stopping, follow, play, read):
        for _ in range(6):
            rebuild(api.store)
    assert failures == []
    project(api.store)
    assert differences(api.store) == []
    assert api.get("/readyz")["projection_lag"] == 0


def test_two_rebuilds_at_once_make_one_list(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step is taken by one of them, and both end with the same generation in use."""
    monkeypatch.setattr(rebuilding, "BATCH", 2)
    some_games(api)
    project(api.store)
    before = api.get("/v1/games?limit=200")
    runs = [Rebuild(api.store), Rebuild(api.store)]

    def finish(run: Rebuild) -> None:
        run.build(lambda _done, _total: None)
        run.switch()

    threads = [Thread(target=finish, args=(run,)) for run in runs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {Generations(api.store).in_use(partition) for partition in range(16)} == {2}
    assert api.get("/v1/games?limit=200") == before
    assert differences(api.store) == []


def test_a_rebuild_that_would_lose_something_is_refused(api: InProcess) -> None:
    """A log that was damaged after it was projected: the game is named, and the list stays as it is."""
    game = api.stored()
    project(api.store)
    before = api.get("/v1/games")
    replace_entry(api, game, 40, t="bean_eaten")
    with pytest.raises(GamesUnprojectable) as refused:
        rebuild(api.store)
    assert list(refused.value.games) == [game.id]
    assert "bean_eaten" in refused.value.games[game.id]
    assert api.get("/v1/games") == before
    assert Generations(api.store).in_use(api.store.partition_of(game.id)) == 1
    run = Rebuild(api.store)
    run.build(lambda _done, _total: None)
    run.switch()
    assert listed(api)[game.id]["quarantined"] is True


def test_nothing_is_validated_again(api: InProcess, queue: Any) -> None:
    """A game with a report is not due in the new generation; one without is."""
    judged = api.stored(1)
    project_and_validate(api, queue)
    waiting = api.stored(2)
    project(api.store)
    rebuild(api.store)
    assert Dispatcher(api.store).sweep() == 1
    assert [job.decode() for job in queue.lrange("rq:queue:fieldbook-validation", 0, -1)] == [
        f"validate-{waiting.id}-{len(waiting.recorded.log)}"
    ]
    assert listed(api, "validation=valid").keys() == {judged.id}


def project_and_validate(api: InProcess, queue: Any) -> None:
    """Let a projector and a worker do what there is to do."""
    projector = Projector(api.store, Dispatcher(api.store))
    projector.catch_up(projector.partitions())
    work(queue)
    Dispatcher(api.store).sweep()


def test_a_feed_that_lost_its_end_stops_its_partition_until_a_rebuild(
    api: InProcess, caplog: pytest.LogCaptureFixture
) -> None:
    """It is said once, the others go on, and the list that is built anew tells what the feed holds."""
    party = api.people()
    party.play(5)
    partition = api.store.partition_of(party.game)
    other = api.people(seed=2)
    while api.store.partition_of(other.game) == partition:
        other = api.people(seed=2)
    project(api.store)
    other.play(1)
    end = api.store.feed_end(partition)
    command = api.store.connection.command
    command("XDEL", f"{{p{partition:02}}}:feed", f"{end}-0")
    command("SET", f"{{p{partition:02}}}:feed:head", end - 1)
    projector = Projector(api.store, Silent())
    for _ in range(3):
        projector.catch_up(projector.partitions())
    said = [each.getMessage() for each in caplog.records if "is projected no further" in each.getMessage()]
    feed = f"The feed of partition {partition} ends at {end - 1}; {end} was read before."
    assert said == [f"partition {partition} is projected no further: {feed}"]
    assert other.game in listed(api)
    ready = api.get("/readyz")
    assert ready["projection_stopped"] == [partition]
    rebuild(api.store)
    assert api.get("/readyz")["projection_stopped"] == []
    assert GameProjection(api.store, generation_name(2)).position(partition) == end - 1


def test_a_cursor_stays_good_when_its_game_leaves_the_filter(api: InProcess) -> None:
    """The next page goes on behind its place, also among games of one time."""
    games = [api.stored(seed) for seed in range(1, 6)]
    logs = {}
    for game in games:
        key = f"{{p{api.store.partition_of(game.id):02}}}:game:{game.id}:log"
        logs[game.id] = key, api.store.connection.command("DUMP", key)
        replace_entry(api, game, 40, t="bean_eaten")
    project(api.store)
    expected = list(listed(api, "quarantined=true"))
    assert sorted(expected) == sorted(logs)
    found, cursor = list[str](), ""
    while len(found) < len(expected):
        page = api.get(f"/v1/games?quarantined=true&limit=1{cursor}")
        [game] = page["games"]
        found.append(game["game"])
        cursor = f"&cursor={page['next']}"
        key, dumped = logs[game["game"]]
        api.store.connection.command("DEL", key)
        api.store.connection.command("RESTORE", key, 0, dumped)
        project(api.store)
    assert found == expected
    assert listed(api, "quarantined=true") == {}


def test_an_archive_that_is_away_makes_only_its_partition_wait(
    api: InProcess, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A game that cannot be read for now is not in quarantine: its partition waits, and the others go on."""
    away, other = api.people(), api.people(seed=2)
    while api.store.partition_of(other.game) == api.store.partition_of(away.game):
        other = api.people(seed=2)
    if api.store.partition_of(other.game) < api.store.partition_of(away.game):
        away, other = other, away  # partitions are read in order: the one that waits comes first
    read = RedisEventStore.read

    def unreachable(self: RedisEventStore, game: str, after: int = 0, limit: int | None = None) -> Any:
        if game == away.game:
            raise ArchiveUnavailable("no answer")
        return read(self, game, after, limit)

    with monkeypatch.context() as broken:
        broken.setattr(RedisEventStore, "read", unreachable)
        projector = Projector(api.store, Silent())
        assert not projector.catch_up(projector.partitions())
        assert other.game in listed(api)
        assert away.game not in listed(api)
    assert projector.catch_up(projector.partitions())
    assert listed(api)[away.game]["quarantined"] is False


def test_pages_are_those_of_a_plain_list(api: InProcess) -> None:
    """Every filter, alone and together, against a list that is filtered game by game; also with games of one time."""
    chance = random.Random(5)
    for number in range(40):
        seats: list[Any] = [{"name": name} for name in chance.sample("ABCDE", 3)]
        api.create([seat if chance.random() < 0.7 else None for seat in seats])
        if number % 10 == 0:
            api.stored(number // 10 + 1)  # all of one time
    replace_entry(api, api.stored(6), 1, v=9)
    project(api.store)
    everything = list(listed(api).values())
    assert len(everything) == 45
    assert everything == sorted(everything, key=lambda each: (each["created"], each["game"]), reverse=True)
    choices: dict[str, list[Any]] = {
        "system": [None, "classic", "the-duel"],
        "status": [None, "open", "running", "finished"],
        "player": [None, "A", "Nobody"],
        "validation": [None, "pending", "valid"],
        "quarantined": [None, "true", "false"],
    }
    for _ in range(40):
        wanted = {name: chance.choice(values) for name, values in choices.items()}
        asked = {name: value for name, value in wanted.items() if value is not None}
        query = "&".join(f"{name}={value}" for name, value in asked.items())
        expected = [each["game"] for each in everything if _matches(each, asked)]
        limit = chance.choice([1, 3, 50])
        assert list(listed(api, f"{query}&limit={limit}")) == expected, (query, limit)


def _matches(game: dict[str, Any], asked: dict[str, Any]) -> bool:
    return all(
        value in game["players"]
        if name == "player"
        else game[name] is (value == "true")
        if name == "quarantined"
        else game[name] == value
        for name, value in asked.items()
    )
