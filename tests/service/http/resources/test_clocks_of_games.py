"""Setting up games that are played by a clock, or that may be closed."""

from typing import Any

import msgspec
import pytest

from events.commands import DAY, PRESETS, ClockSettings
from tests.service.in_process import NAMES, InProcess
from tests.support.http_play import Answer, events_of

OWN = {"bank": 60, "increment": 5, "cap": 90, "answer": 10}


def ask(api: InProcess, **times: Any) -> Answer:
    """Set up a game with these times."""
    body = {"system": "classic", "seats": [{"name": name} for name in NAMES[:3]], **times}
    return api.call("POST", "/v1/games", body, token=api.key)


def created(api: InProcess, game: str) -> Any:
    """What the first event of a game says."""
    return events_of(api, game)[0]["entry"]["data"]


@pytest.mark.parametrize("name", PRESETS)
def test_a_clock_with_a_name(api: InProcess, name: str) -> None:
    """Its figures are those that the list of systems shows, and stand in the game's first event."""
    answer = ask(api, clock=name)
    assert answer.status == 201
    listed = api.get("/v1/systems")["clocks"][name]
    assert answer.json["clock"] == listed == msgspec.structs.asdict(PRESETS[name])
    assert msgspec.convert(created(api, answer.json["game"])["clock"], ClockSettings) == PRESETS[name]


def test_a_clock_of_ones_own_and_a_game_that_may_be_closed(api: InProcess) -> None:
    """What is left out has its default."""
    answer = ask(api, clock=OWN | {"bot": "random"}, close_after=DAY)
    assert answer.status == 201
    assert answer.json["clock"] == OWN | {"grace": 2, "strikes": 3, "bot": "random"}
    assert answer.json["close_after"] == created(api, answer.json["game"])["close_after"] == DAY


def test_without_one_nothing_is_said_of_it(api: InProcess) -> None:
    """Neither in the answer nor in the log: such a game is as games always were."""
    answer = ask(api)
    assert {"clock", "close_after"}.isdisjoint(answer.json)
    assert {"clock", "close_after"}.isdisjoint(created(api, answer.json["game"]))
    assert ask(api, clock=None, close_after=None).status == 201


@pytest.mark.parametrize(
    ("times", "says"),
    [
        ({"clock": OWN | {"answer": 0}}, "answer is 3 to"),
        ({"clock": OWN | {"cap": 59}}, "cap is 60 to"),
        ({"clock": OWN | {"strikes": 0}}, "strikes is 1 to"),
        ({"clock": OWN | {"grace": 10_000}}, "grace is 0 to"),
        ({"clock": OWN | {"bot": "clever"}}, "one of random, greedy"),
        ({"close_after": 1}, "60 to"),
    ],
)
def test_what_no_game_can_be_played_with_is_refused(api: InProcess, times: Any, says: str) -> None:
    """With what would do; there is no game then."""
    answer = ask(api, **times)
    assert (answer.status, answer.json["code"]) == (422, "bad_clock")
    assert says in answer.json["detail"]


@pytest.mark.parametrize(
    "clock", ["blitz", 5, [], {}, OWN | {"extra": 1}, OWN | {"bank": "60"}, OWN | {"bank": -1}]
)
def test_what_is_no_clock_is_no_request(api: InProcess, clock: Any) -> None:
    """422 by the contract."""
    answer = ask(api, clock=clock)
    assert (answer.status, answer.json["code"]) == (422, "schema_violation")


def test_sent_again_it_is_the_same_game(api: InProcess) -> None:
    """With the same clock in the answer; another clock is another request."""
    body = {"system": "classic", "seats": [{"name": "Ada"}, None, None], "clock": "live"}
    key = {"Idempotency-Key": "one-table"}
    first, again = (api.call("POST", "/v1/games", body, token=api.key, headers=key) for _ in range(2))
    assert (again.status, again.json) == (201, first.json)
    other = api.call("POST", "/v1/games", body | {"clock": "day_a_move"}, token=api.key, headers=key)
    assert other.json["code"] == "idempotency_key_reused"
