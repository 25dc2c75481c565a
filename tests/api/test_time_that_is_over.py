"""A seat past its deadline and grace cannot escape: whatever enters the game records the expired time first."""

import random
from typing import Any

import pytest

from tests.service.in_process import NAMES, InProcess
from tests.support.http_play import Answer, Party, events_of
from tests.support.watched_time import QUICK, WatchedTime

BOTH_WAYS = True


@pytest.fixture
def time(store: Any, monkeypatch: pytest.MonkeyPatch) -> WatchedTime:
    """Return a clock that moves only when the test moves it."""
    return WatchedTime(store, monkeypatch)


def clocked(api: InProcess, players: int = 3, **settings: Any) -> Party:
    """Start a game in which each seat has 20 seconds and a grace of one second; seat 0 has to plant."""
    made = api.create([{"name": name} for name in NAMES[:players]], clock=QUICK | settings)
    return Party(api, made["game"], [seat["token"] for seat in made["seats"]], random.Random(1))


def dispute(party: Party, token: str, **more: Any) -> Answer:
    """Open a case that pauses the game."""
    body = {"reason": "other", "text": "Wait.", "version": 2, "pause": True, **more}
    return party.api.call("POST", f"/v1/games/{party.game}/disputes", body, token=token)


def send(party: Party, seat: int, body: Any, **headers: str) -> Answer:
    """Send a command as a seat; headers are named with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    path = f"/v1/games/{party.game}/commands"
    return party.api.call("POST", path, body, token=party.tokens[seat], headers=named)


def entries(party: Party) -> list[dict[str, Any]]:
    """Return the game's events as everybody sees them."""
    return [each["entry"] for each in events_of(party.api, party.game)]


def types(party: Party) -> list[str]:
    """Return the types of the game's events in order."""
    return [each["type"] for each in entries(party)]


@pytest.mark.parametrize("opener", [0, 1])
def test_a_pause_rescues_nobody_whose_time_is_over(api: InProcess, time: WatchedTime, opener: int) -> None:
    """The expiry and its strike come before the pause, whoever opens the case (issue 43, item 7)."""
    party = clocked(api)
    time.watch(21)
    opened = dispute(party, party.tokens[opener])
    assert opened.status == 201, opened.body
    found = types(party)
    assert found.count("time_expired") == 1
    assert found.index("time_expired") < found.index("game_paused")
    expired = next(each for each in entries(party) if each["type"] == "time_expired")
    assert (expired["data"]["seat"], expired["data"]["strikes"]) == (0, 1)


def test_a_pause_after_the_last_strike_leaves_the_seat_to_the_bot(api: InProcess, time: WatchedTime) -> None:
    """One strike is allowed here: the seat is a bot's before the game waits for the case."""
    party = clocked(api, strikes=1)
    time.watch(21)
    assert dispute(party, party.tokens[0]).status == 201
    found = types(party)
    assert found.index("seat_taken_over") < found.index("game_paused")
    assert api.get(f"/v1/games/{party.game}")["seats"][0]["kind"] == "bot"


def test_a_pause_in_time_stops_the_clock(api: InProcess, time: WatchedTime) -> None:
    """Up to the last millisecond of the grace nothing is over, and nothing is recorded."""
    party = clocked(api)
    time.watch(20.999)
    assert dispute(party, party.tokens[0]).status == 201
    assert "time_expired" not in types(party)


def test_a_case_that_does_not_touch_the_game_records_nothing(api: InProcess, time: WatchedTime) -> None:
    """Without `pause` nothing enters the game's log."""
    party = clocked(api)
    time.watch(21)
    assert dispute(party, party.tokens[1], pause=False).status == 201
    assert "time_expired" not in types(party)


def test_a_ruling_comes_after_the_time_that_was_over(api: InProcess, time: WatchedTime) -> None:
    """A ruling that goes back holds the game up: it cannot hide a strike either."""
    party = clocked(api)
    assert send(party, 0, {"type": "plant", "field": 0}).status == 200
    assert dispute(party, party.tokens[1], pause=False).status == 201
    judge = api.new_key("arbitrate")
    case = f"/v1/games/{party.game}/disputes/1"
    assert api.call("POST", f"{case}/claim", token=judge).status == 200
    stops = api.get(f"/v1/games/{party.game}/take-backs", party.tokens[1])["versions"]
    time.watch(21)
    ruling = {
        "kind": "rewound",
        "to_version": stops[-1]["version"],
        "scope": "the first turn",
        "reason": "Heard.",
        "seen_confirmed": True,
    }
    answer = api.call("POST", f"{case}/rulings", ruling, token=judge)
    assert answer.status == 200, answer.body
    found = types(party)
    assert found.count("time_expired") == 1
    assert found.index("time_expired") < found.index("game_paused")


@pytest.mark.parametrize(
    "command",
    [
        {"type": "offer_end", "kind": "called_off"},
        {"type": "resign"},
        {"type": "ask_take_back", "to_version": 0},
    ],
    ids=lambda each: str(each["type"]),
)
def test_what_another_seat_does_comes_after_the_time_that_was_over(
    api: InProcess, time: WatchedTime, command: dict[str, Any]
) -> None:
    """Leaving, offering to end and asking to go back stop or move clocks: the expiry comes first."""
    party = clocked(api)
    assert send(party, 0, {"type": "plant", "field": 0}).status == 200
    if "to_version" in command:
        looked = api.get(f"/v1/games/{party.game}/take-backs", party.tokens[1])
        command = {**command, "to_version": looked["versions"][0]["version"], "seen_confirmed": True}
    time.watch(21)
    answer = send(party, 1, command)
    assert answer.status == 200, answer.body
    found = types(party)
    event = {"offer_end": "end_offered", "resign": "seat_resigned", "ask_take_back": "take_back_asked"}
    assert found.count("time_expired") == 1
    assert found.index("time_expired") < found.index(event[command["type"]])


def test_a_command_for_a_version_is_stale_once_time_was_over(api: InProcess, time: WatchedTime) -> None:
    """The caller decided on the table before the expiry; the answer is the one for any command that came second."""
    party = clocked(api)
    tag = api.call("GET", f"/v1/games/{party.game}", token=party.tokens[1]).headers["etag"]
    time.watch(21)
    answer = send(party, 1, {"type": "offer_end", "kind": "drawn"}, If_Match=tag)
    assert answer.status == 412
    assert types(party)[-1] != "end_offered"
    assert "time_expired" in types(party)


def test_while_nobody_can_say_whether_time_is_over_others_play_on(api: InProcess, time: WatchedTime) -> None:
    """In an outage no time is over; what others do meanwhile is applied as it comes."""
    party = clocked(api)
    time.be_away(60)
    assert send(party, 1, {"type": "offer_end", "kind": "drawn"}).status == 200
    assert "time_expired" not in types(party)
