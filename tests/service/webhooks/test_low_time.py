"""Webhooks are told whose time is low: at that moment, once for each wait, and not of what is waited for no more."""

import random
from collections import Counter
from typing import Any

import pytest

from events.store.errors import CheckpointMoved
from events.store.redis.redis_store import RedisEventStore
from service.access.store import Keys
from service.storage.checkpoints import Checkpoints
from service.storage.life_marks import SETTLING
from service.timekeeping.due_games import LOW, due_index
from service.webhooks.low_time import LowTime
from tests.service.in_process import NAMES
from tests.service.sweeping import catch_up, sweep
from tests.service.webhooks.conftest import Telling
from tests.support.http_play import Party
from tests.support.receiver import Receiver
from tests.support.server_counts import READING, count_commands
from tests.support.watched_time import QUICK, WatchedTime

TYPE = "seat.time_low"
PLAYERS = [{"name": name} for name in NAMES[:3]]
LOW_AFTER = 16
"""Seconds of the 20 that everybody has here after which a fifth is left."""
GAMES = 300


@pytest.fixture
def time(store: RedisEventStore, monkeypatch: pytest.MonkeyPatch) -> WatchedTime:
    """The time in the test's hand."""
    return WatchedTime(store, monkeypatch)


def begin(telling: Telling, time: WatchedTime, token: str | None = None, **settings: Any) -> Party:
    """A game by the clock that begins after all webhooks have become active."""
    time.watch(60)
    house_rules = {name: settings.pop(name) for name in ("visibility", "spectator_delay") if name in settings}
    clock = QUICK | settings
    made = telling.api.call(
        "POST",
        "/v1/games",
        {"system": "classic", "seats": PLAYERS, "clock": clock, **house_rules},
        token=token or telling.api.key,
    ).json
    catch_up(telling.api)
    return Party(telling.api, made["game"], [each["token"] for each in made["seats"]], random.Random(3))


def look(telling: Telling, time: WatchedTime) -> int | None:
    """One look, and the sending of what it has found; when the next one is due."""
    found = LowTime(telling.api.store, telling.fanout).perform(time.now)
    telling.send()
    return found


def times_in(endpoint: Receiver) -> list[Any]:
    """Who was told to be low on time, in order."""
    return [time for each in endpoint.told if each.type == TYPE for time in each.json["data"]["times"]]


def due(telling: Telling) -> dict[str, int]:
    """The games in which somebody will be low on time, and when."""
    store = telling.api.store
    return due_index(store, range(store.partitions), LOW).due(2**53)


def test_a_fifth_before_the_end_it_is_told_and_not_a_moment_sooner(
    telling: Telling, endpoint: Receiver, time: WatchedTime
) -> None:
    """Of 20 seconds 4 are left: with the deadline, and that moment as the event's time, however often one looks."""
    telling.active(endpoint.url(), events=[TYPE])
    party = begin(telling, time)
    began = time.now
    time.watch(LOW_AFTER - 0.001)
    assert look(telling, time) == began + LOW_AFTER * 1000
    assert endpoint.told == []
    time.watch(0.001)
    for _ in range(3):
        assert look(telling, time) is None
        catch_up(telling.api)
    (told,) = endpoint.told
    assert told.json["data"] == {
        **{name: told.json["data"][name] for name in ("hash", "version")},
        "game": party.game,
        "system": "classic",
        "status": "running",
        "waiting_for": [0],
        "times": [{"seat": 0, "deadline": began + 20_000}],
    }
    moment = f"{(began + LOW_AFTER * 1000) % 60_000 / 1000:06.3f}Z"
    assert told.json["timestamp"].endswith(moment)


def test_what_is_told_again_has_the_same_id(telling: Telling, endpoint: Receiver, time: WatchedTime) -> None:
    """Also where the game has moved on by talk meanwhile, so that who was killed in between changes nothing."""
    made = telling.active(endpoint.url(), events=[TYPE])
    party = begin(telling, time)
    time.watch(LOW_AFTER)
    look(telling, time)
    (first,) = telling.listed(made["id"])
    party.send(1, {"type": "say", "text": "Hurry!"})
    catch_up(telling.api)
    assert party.game in due(telling)
    look(telling, time)
    assert [each["id"] for each in telling.listed(made["id"])] == [first["id"]]
    assert len(endpoint.told) == 1


def test_who_has_acted_is_not_told_of(telling: Telling, endpoint: Receiver, time: WatchedTime) -> None:
    """Not where the set does not know of it yet, either: the log is looked at first."""
    telling.active(endpoint.url(), events=[TYPE])
    party = begin(telling, time)
    first = telling.api.get(f"/v1/games/{party.game}")["clock"]["waits"]
    while telling.api.get(f"/v1/games/{party.game}")["clock"]["waits"] == first:
        party.play(1)
    time.watch(LOW_AFTER)
    party.play(3)
    assert due(telling)[party.game] <= time.now
    waits = telling.api.get(f"/v1/games/{party.game}")["clock"]["waits"]
    look(telling, time)
    low = [each for each in waits if each["low_at"] <= time.now]
    assert [(each["seat"], each["deadline"]) for each in times_in(endpoint)] == [
        (each["seat"], each["deadline"]) for each in low
    ]
    assert not [each for each in low if each["seat"] == 0 and each["deadline"] == first[0]["deadline"]]


def test_whose_time_is_over_is_not_said_to_be_low(
    telling: Telling, endpoint: Receiver, time: WatchedTime
) -> None:
    """Where nobody looked for so long, it is late: within the grace and after it."""
    telling.active(endpoint.url(), events=[TYPE])
    begin(telling, time)
    time.watch(20)
    look(telling, time)
    time.watch(10)
    look(telling, time)
    assert endpoint.told == []


def test_all_who_are_waited_for_at_once_are_told_each_for_themselves(
    telling: Telling, endpoint: Receiver, time: WatchedTime
) -> None:
    """Each is a wait of its own, so that one who acts takes nothing from another's id."""
    telling.active(endpoint.url(), events=[TYPE])
    party = begin(telling, time)
    path = f"/v1/games/{party.game}"
    for body in ({"type": "plant", "field": 0}, {"type": "reveal"}, {"type": "offer", "want": {"blue": 1}}):
        assert party.send(0, body).status == 200
    catch_up(telling.api)
    waits = telling.api.get(path)["clock"]["waits"]
    assert len(waits) == 2
    time.watch(LOW_AFTER)
    look(telling, time)
    assert times_in(endpoint) == [
        {"seat": each["seat"], "deadline": each["deadline"], "offer": each["offer"]} for each in waits
    ]
    assert len({each.id for each in endpoint.told}) == 2


def test_while_nobody_watched_the_time_nobody_is_low(
    telling: Telling, endpoint: Receiver, time: WatchedTime
) -> None:
    """Nor while people find back; what was lost then does not count, also where it is not given back yet."""
    telling.active(endpoint.url(), events=[TYPE])
    begin(telling, time)
    time.watch(10)
    time.be_away(60)
    look(telling, time)
    sweep(telling.api, time)
    catch_up(telling.api)
    time.watch(SETTLING / 1000 - 0.001)
    look(telling, time)
    assert endpoint.told == []
    # Of the 20 seconds 10 have passed before the gap, which ends now.
    time.watch(0.001 + 5.999)
    next_one = look(telling, time)
    assert (endpoint.told, next_one) == ([], time.now + 1)
    time.watch(0.001)
    look(telling, time)
    assert len(endpoint.told) == 1


def test_who_sees_the_game_late_is_not_told(telling: Telling, endpoint: Receiver, time: WatchedTime) -> None:
    """Whether somebody has acted meanwhile is what they may not know yet; the game's own key is told."""
    other = Keys(telling.api.store).create("other", ("webhooks",), 1)
    late = telling.active(endpoint.url("/late"), other, games="all", events=[TYPE, "game.created"])
    telling.active(endpoint.url("/own"), events=[TYPE])
    begin(telling, time, spectator_delay=5)
    prompt = begin(telling, time)
    time.watch(LOW_AFTER)
    look(telling, time)
    assert [each.path for each in endpoint.told].count("/own") == 1
    assert [each["game"] for each in telling.listed(late["id"], token=other)] == [prompt.game]


def test_who_becomes_active_after_the_moment_is_not_told_of_it(
    telling: Telling, endpoint: Receiver, time: WatchedTime
) -> None:
    """As of everything that happened before; of the next one they are."""
    party = begin(telling, time)
    path = f"/v1/games/{party.game}"
    since = telling.api.get(path)["clock"]["waits"][0]["since"]
    made = telling.active(endpoint.url(), events=[TYPE])
    stored = telling.webhooks.get(made["id"])
    assert stored is not None
    assert telling.webhooks.replace(stored, stored.with_state("active", since + LOW_AFTER * 1000 + 1))
    time.watch(LOW_AFTER)
    look(telling, time)
    assert endpoint.told == []


def test_a_look_costs_what_is_due_and_nothing_where_nobody_listens(
    telling: Telling, endpoint: Receiver, time: WatchedTime
) -> None:
    """With 300 games that wait, a look asks as much as one without a game; and only the due one is read."""
    store = telling.api.store
    low = LowTime(store, telling.fanout)

    def cost() -> Counter[str]:
        """What the store's server does for a look."""
        return count_commands(store, lambda: low.perform(time.now))

    low.perform(time.now)
    assert cost().total() <= 1
    telling.active(endpoint.url(), events=[TYPE])
    low.perform(time.now)
    empty = cost().total()
    for number in range(GAMES):
        telling.api.create(PLAYERS, clock=QUICK | ({"answer": 100, "cap": 100} if number else {}))
    catch_up(telling.api)
    assert len(due(telling)) == GAMES
    assert cost().total() <= empty
    time.watch(LOW_AFTER)
    found = cost()
    assert found.total() <= empty + 30
    assert found[READING] <= 2
    telling.send()
    assert len(endpoint.told) == 1


def test_a_game_that_moves_while_it_is_looked_at_keeps_its_place(
    telling: Telling, endpoint: Receiver, time: WatchedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is found again at the next look, and what was told is known by its id."""
    telling.active(endpoint.url(), events=[TYPE])
    party = begin(telling, time)

    def be_overtaken(self: Checkpoints, partition: int, name: str, *more: Any) -> None:
        raise CheckpointMoved(name, partition, more[0], more[0] + 1)

    time.watch(LOW_AFTER)
    with monkeypatch.context() as overtaken:
        overtaken.setattr(Checkpoints, "project", be_overtaken)
        look(telling, time)
    assert party.game in due(telling)
    look(telling, time)
    assert due(telling) == {}
    assert len(endpoint.told) == 1
