"""The sweeper in this process, at moments that the test chooses: what it records, and what a sweep costs."""

from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any

import pytest

from events.store.redis.keys import life_keys
from service.platform.clock import now_milliseconds
from service.play.timekeeping import SOON
from service.storage.life_marks import SETTLING, LifeMarks
from service.timekeeping.due_games import due_index
from service.timekeeping.sweeper import Sweeper
from tests.service.in_process import NAMES, InProcess
from tests.service.sweeping import catch_up, sweep
from tests.support.http_play import events_of
from tests.support.watched_time import QUICK, WatchedTime

MOST_SWEEPS = 20
"""A mark that a slow machine has sent too late says nothing; the next sweep sends another one."""


def create(api: InProcess, **settings: Any) -> str:
    """A game by the clock that has just begun."""
    return str(api.create([{"name": name} for name in NAMES[:3]], clock=QUICK | settings)["game"])


def found(api: InProcess, game: str) -> list[Any]:
    """What the clock has brought about in a game."""
    entries = [each["entry"] for each in events_of(api, game)]
    return [each for each in entries if each["type"] in {"time_expired", "time_credited"}]


def due(api: InProcess) -> dict[str, int]:
    """Every game that waits, and until when."""
    return due_index(api.store, list(range(api.store.partitions))).due(2**53)


def test_a_sweep_records_what_is_over_and_says_when_to_come_again(api: InProcess, time: WatchedTime) -> None:
    """Not a moment before; and again, when the game has waited for the next one."""
    game = create(api)
    catch_up(api)
    began = time.now
    assert sweep(api, time) == began + 21_000
    time.watch(20.999)
    sweep(api, time)
    assert found(api, game) == []
    time.watch(0.001)
    sweep(api, time)
    assert [each["data"]["seat"] for each in found(api, game)] == [0]
    sweep(api, time)
    assert len(found(api, game)) == 1
    for number in range(2, 6):
        catch_up(api)
        time.watch(21)
        sweep(api, time)
        assert len(found(api, game)) >= number


def test_games_without_a_clock_are_nowhere(api: InProcess, time: WatchedTime) -> None:
    """Nor are games that nobody plays yet; a game that has finished is there no more."""
    api.people()
    api.stored()
    api.create([{"name": "Ada"}, None, None], clock=QUICK)
    catch_up(api)
    assert due(api) == {}
    assert sweep(api, time) is None


def test_a_game_is_there_until_the_moment_that_its_log_says(api: InProcess, time: WatchedTime) -> None:
    """It moves with every command, and so it does where all is projected anew."""
    game = create(api)
    catch_up(api)
    assert due(api) == {game: time.now + 21_000}
    time.watch(5)
    token = api.create([{"name": name} for name in NAMES[:3]], clock=QUICK)["seats"][0]["token"]
    catch_up(api)
    before = due(api)
    assert len(before) == 2
    other = next(each for each in before if each != game)
    api.call("POST", f"/v1/games/{other}/commands", {"type": "plant", "field": 0}, token=token)
    time.watch(1)
    catch_up(api)
    assert due(api)[game] == before[game]


def test_two_sweepers_and_all_that_ask_record_it_once(api: InProcess, time: WatchedTime) -> None:
    """At the same moment, again and again."""
    games = [create(api) for _ in range(20)]
    catch_up(api)
    time.watch(21)
    sweepers = [Sweeper(api.store) for _ in range(4)]

    def ask(game: str) -> int:
        return api.call("POST", f"/v1/games/{game}/expiries", token=api.key).status

    with ThreadPoolExecutor(8) as threads:
        swept = [threads.submit(sweeper.perform, time.now) for sweeper in sweepers]
        asked = list(threads.map(ask, games))
    assert set(asked) <= {200, 422}
    for each in swept:
        each.result()
    for game in games:
        assert [each["type"] for each in found(api, game)] == ["time_expired"]


def test_after_an_outage_time_is_given_back_before_anything_expires(
    api: InProcess, time: WatchedTime
) -> None:
    """The gap at once, also where nothing is over; the time for finding back before anything expires."""
    game = create(api)
    catch_up(api)
    time.watch(10)
    lost_from = time.now
    time.be_away(3600)
    back = time.now
    sweep(api, time)
    gap = ("time_credited", {"since": lost_from, "until": back, "reason": "outage"})
    assert [(each["type"], each["data"]) for each in found(api, game)] == [gap]
    catch_up(api)
    assert due(api)[game] == back + 11_000
    time.watch(11)
    sweep(api, time)
    settled = ("time_credited", {"since": back, "until": back + SETTLING, "reason": "outage"})
    assert [(each["type"], each["data"]) for each in found(api, game)] == [gap, settled]
    catch_up(api)
    assert due(api)[game] == back + SETTLING + 11_000
    time.watch(10)
    sweep(api, time)
    assert [each["type"] for each in found(api, game)][2:] == ["time_expired"]


def test_an_outage_is_in_nobodys_bank(api: InProcess, time: WatchedTime) -> None:
    """Whoever acts after it has what was left before it, also where nothing was over; and it is given back once."""
    clock = QUICK | {"bank": 100, "cap": 100}
    made = api.create([{"name": name} for name in NAMES[:3]], clock=clock)
    game, token = made["game"], made["seats"][0]["token"]
    catch_up(api)
    began = time.now
    time.watch(10)
    time.be_away(60)
    for _ in range(3):
        sweep(api, time)
    given_back = [each["data"]["until"] - each["data"]["since"] for each in found(api, game)]
    assert given_back == [60_000]
    assert due(api) == {game: began + 101_000}
    catch_up(api)
    assert due(api) == {game: began + 161_000}
    sent = api.call("POST", f"/v1/games/{game}/commands", {"type": "plant", "field": 0}, token=token)
    assert sent.status == 200


def test_a_planned_stop_is_maintenance(api: InProcess, time: WatchedTime) -> None:
    """Whoever is told to stop says so, and the gap after it has that reason; the next one does not."""
    game = create(api)
    catch_up(api)
    for reason in ("maintenance", "outage"):
        if reason == "maintenance":
            Sweeper(api.store).plan_stop()
        time.be_away(60)
        sweep(api, time)
        assert found(api, game)[-1]["data"]["reason"] == reason
        time.watch(SETTLING / 1000)
        catch_up(api)


def test_what_is_not_known_of_the_time_before_is_a_gap(api: InProcess, time: WatchedTime) -> None:
    """As in a store that was put back from a backup: its games come with no mark."""
    game = create(api)
    created = time.now
    catch_up(api)
    keys = [key for each in range(api.store.partitions) for key in (f"{{p{each:02d}}}:alive",)]
    for key in keys:
        api.store.connection.command("DEL", key)
    time.be_away(100)
    sweep(api, time)
    (credit,) = found(api, game)
    assert credit["data"]["since"] == created


def test_a_mark_never_goes_back(api: InProcess, time: WatchedTime) -> None:
    """Clocks of several machines differ: the one that is ahead is believed, and nobody loses by it."""
    marks = LifeMarks(api.store)
    marks.beat(0, time.now + 2500)
    marks.beat(0, time.now)
    assert marks.look(0).alive == time.now + 2500


def test_of_many_gaps_none_is_forgotten(api: InProcess, time: WatchedTime) -> None:
    """The oldest become one, which covers them."""
    create(api)
    marks = LifeMarks(api.store)
    began, moments = time.now, range(0, 250 * 20_000, 20_000)
    (partition,) = {
        api.store.partition_of(each["game"]) for each in [api.create([{"name": "Ada"}, None, None])]
    }
    for moment in moments:
        marks.beat(partition, began + moment)
    gaps = marks.look(partition).gaps
    assert len(gaps) == 100
    assert (gaps[0].since, gaps[-1].since) == (began, began + moments[-2])


def test_nobody_plays_in_a_quarantined_partition_so_no_time_runs(api: InProcess, time: WatchedTime) -> None:
    """Its mark is left alone: when it is released, that was a gap."""
    game = create(api)
    catch_up(api)
    partition = api.store.partition_of(game)
    api.store.quarantine.put(partition, "for a test")
    for _ in range(30):
        time.be_away(2)
        sweep(api, time)
    api.store.quarantine.release(partition)
    sweep(api, time)
    time.watch(SETTLING / 1000)
    sweep(api, time)
    assert {each["type"] for each in found(api, game)} == {"time_credited"}


def serve(api: InProcess, seconds_ago: float) -> None:
    """A web process has last said so long ago that it takes requests."""
    said = now_milliseconds() - int(seconds_ago * 1000)
    for partition in range(api.store.partitions):
        api.store.connection.command("SET", life_keys(partition)[3], said)


def test_the_mark_stops_where_nobody_serves(api: InProcess, time: WatchedTime) -> None:
    """It says until when games could be played; who serves again ends a gap that begins there."""
    marks = LifeMarks(api.store)
    last = marks.beat(0, time.now)
    assert last.gap is None
    serve(api, 60)
    time.be_away(60)
    for _ in range(3):
        assert marks.beat(0, time.now).gap is None
    assert abs(marks.look(0).alive - (time.now - 60_000)) < 1000
    assert marks.serve_all(range(api.store.partitions)) == dict.fromkeys(range(api.store.partitions), True)
    gap = marks.beat(0, time.now).gap
    assert gap is not None
    assert (gap.until, gap.reason) == (time.now + SETTLING, "outage")
    assert abs(gap.since - (time.now - 60_000)) < 1000


def test_a_time_is_over_only_where_games_could_be_played_until_then(
    api: InProcess, time: WatchedTime
) -> None:
    """The web may be away, and nobody know it yet: the expiry waits until it is known that it was not."""
    game = create(api)
    catch_up(api)
    time.watch(20)
    time.now += 2000
    sweeper = Sweeper(api.store)
    moments = list[int | None]()
    for _ in range(MOST_SWEEPS):
        serve(api, 1.5)
        moments.append(sweeper.perform(time.now))
        if moments[-1] is not None:
            break
    assert moments[-1] == time.now + SOON
    assert found(api, game) == []
    for _ in range(MOST_SWEEPS):
        serve(api, 0)
        sweeper.perform(time.now)
        if found(api, game):
            break
    assert [each["type"] for each in found(api, game)] == ["time_expired"]


def test_a_planned_stop_of_the_web_is_maintenance(api: InProcess, time: WatchedTime) -> None:
    """Whoever watches goes on, and must not forget before the gap is over what was said at its beginning."""
    create(api)
    marks = LifeMarks(api.store)
    marks.plan_stop(0, time.now)
    for _ in range(5):
        time.be_away(2)
        serve(api, 2.1 + (time.now - marks.look(0).alive) / 1000)
        assert marks.beat(0, time.now).gap is None
    serve(api, 0)
    gap = marks.beat(0, time.now).gap
    assert gap is not None
    assert gap.reason == "maintenance"


def test_a_mark_that_the_server_gets_to_too_late_does_not_count(
    api: InProcess, time: WatchedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where it waited for a server that was paused: it says nothing of the moment at which it was sent."""
    create(api)
    marks, began = LifeMarks(api.store), time.now
    assert marks.beat(0, began).is_alive
    # Sent two seconds ago, as far as the server can know.
    monkeypatch.setattr("service.storage.life_marks.monotonic", lambda: monotonic() - 2)
    late = marks.beat(0, began + 1000)
    assert (late.is_alive, marks.look(0).alive) == (False, began)
    monkeypatch.undo()
    assert marks.beat(0, began + 2000).is_alive
    assert marks.look(0).alive == began + 2000
