"""Streams tell whose time is low: the same as webhooks, at that moment, once to each stream that is open then."""

from typing import Any

import pytest

from events.store.redis.redis_store import RedisEventStore
from service.http.push import stream_limits
from service.storage.life_marks import SETTLING
from tests.service.in_process import NAMES, InProcess
from tests.service.in_process_stream import EventStream
from tests.support.watched_time import QUICK, WatchedTime

SAY = {"type": "say", "text": "hello"}
SEATS = [{"name": name} for name in NAMES[:3]]
LOW_AFTER = 16


@pytest.fixture
def time(store: RedisEventStore, monkeypatch: pytest.MonkeyPatch) -> WatchedTime:
    """The time in the test's hand, for streams too, which look often."""
    time = WatchedTime(store, monkeypatch)
    for module in ("followed_game", "log_reading"):
        monkeypatch.setattr(f"service.http.follow.{module}.now_milliseconds", lambda: time.now)
    monkeypatch.setattr(stream_limits, "PRESENCE_SECONDS", 0.05)
    return time


def begin(api: InProcess, **house_rules: Any) -> tuple[str, str]:
    """A game by the clock that has just begun, and the token of its second seat, which is not waited for."""
    made = api.create(SEATS, clock=QUICK, **house_rules)
    return made["game"], made["seats"][1]["token"]


def talk(api: InProcess, game: str, token: str) -> None:
    """Have something happen in the log that changes no deadline."""
    assert api.call("POST", f"/v1/games/{game}/commands", SAY, token=token).status == 200


def names_up_to_talk(stream: EventStream) -> list[str]:
    """The names of the frames up to the next message, that one left out."""
    found: list[str] = []
    while (frame := stream.next()).event != "talked":
        found.append(frame.event)
    return found


def test_a_fifth_before_the_end_a_frame_tells_it(api: InProcess, time: WatchedTime) -> None:
    """With the deadline that the clock has; it is no event of the log, and has no id."""
    game, token = begin(api)
    with EventStream(api, game, token=token) as stream:
        clock = stream.named("clock").json
        (wait,) = clock["clock"]["waits"]
        time.watch(LOW_AFTER - 0.001)
        talk(api, game, token)
        assert "time_low" not in names_up_to_talk(stream)
        time.watch(0.001)
        assert time.now == wait["low_at"]
        frame = stream.named("time_low")
        assert frame.json == {"version": clock["version"] + 1, "seat": 0, "deadline": wait["deadline"]}
        assert frame.id == ""


def test_it_is_told_once_and_who_comes_later_sees_it_by_the_clock(api: InProcess, time: WatchedTime) -> None:
    """However often the streams are looked at; a client that comes back compares `low_at` with its own time."""
    game, token = begin(api)
    with EventStream(api, game, token=token) as first:
        first.named("clock")
        time.watch(LOW_AFTER)
        first.named("time_low")
        with EventStream(api, game, "?after=0", token=token) as second:
            (wait,) = second.named("clock").json["clock"]["waits"]
            assert wait["low_at"] <= time.now < wait["deadline"]
            for _ in range(5):
                time.watch(0.5)
                talk(api, game, token)
                assert "time_low" not in names_up_to_talk(first) + names_up_to_talk(second)


def test_a_stream_that_begins_while_time_is_low_sees_it_by_the_clock(
    api: InProcess, time: WatchedTime
) -> None:
    """Also where no other one was open."""
    game, token = begin(api)
    time.watch(LOW_AFTER + 1)
    with EventStream(api, game, token=token) as stream:
        (wait,) = stream.named("clock").json["clock"]["waits"]
        assert wait["low_at"] < time.now
        for _ in range(3):
            time.watch(0.5)
            talk(api, game, token)
            assert "time_low" not in names_up_to_talk(stream)


def test_whoever_has_acted_is_not_said_to_be_low(api: InProcess, time: WatchedTime) -> None:
    """An offer stops its maker's time; then those who are to answer it have theirs, each told by the offer."""
    made = api.create(SEATS, clock=QUICK)
    game, tokens = made["game"], [each["token"] for each in made["seats"]]
    with EventStream(api, game, token=tokens[0]) as stream:
        stream.named("clock")
        time.watch(LOW_AFTER - 1)
        for body in (
            {"type": "plant", "field": 0},
            {"type": "reveal"},
            {"type": "offer", "want": {"blue": 1}},
        ):
            assert api.call("POST", f"/v1/games/{game}/commands", body, token=tokens[0]).status == 200
        time.watch(1)
        talk(api, game, tokens[1])
        assert "time_low" not in names_up_to_talk(stream)
        time.watch(LOW_AFTER - 1)
        deadline = time.now + 4_000
        told = [stream.named("time_low").json for _ in range(2)]
        assert [(each["seat"], each["deadline"]) for each in told] == [(1, deadline), (2, deadline)]
        assert {each["offer"] for each in told} == {1}


def test_time_that_nobody_watched_makes_nobody_low(api: InProcess, time: WatchedTime) -> None:
    """Nor while people find back; what was lost does not count, though the log does not say so yet."""
    game, token = begin(api)
    with EventStream(api, game, token=token) as stream:
        (wait,) = stream.named("clock").json["clock"]["waits"]
        time.watch(10)
        time.be_away(60)
        talk(api, game, token)
        assert "time_low" not in names_up_to_talk(stream)
        time.beat()
        time.watch(SETTLING / 1000)
        time.watch(5.999)
        talk(api, game, token)
        assert "time_low" not in names_up_to_talk(stream)
        time.watch(0.001)
        assert stream.named("time_low").json["deadline"] == wait["deadline"]


def test_who_sees_the_game_late_is_not_told(api: InProcess, time: WatchedTime) -> None:
    """The seat may have acted in what they may not see yet."""
    game, token = begin(api, spectator_delay=2)
    for _ in range(2):
        talk(api, game, token)
    with EventStream(api, game, token=token) as prompt, EventStream(api, game) as late:
        late.named("clock")
        time.watch(LOW_AFTER)
        prompt.named("time_low")
        for _ in range(3):
            talk(api, game, token)
        assert "time_low" not in names_up_to_talk(late)
