"""Taking free seats: named ones, the first free one, races for the last one, and keys that stand for a token."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.service.in_process import InProcess
from tests.support.http_play import Answer

KEY = {"Idempotency-Key": "0f3c9a1e-77f4-4b2e"}


def open_game(api: InProcess, *seats: Any) -> str:
    """Set up a game with these seats and return its id."""
    return str(api.create(seats or [None] * 3)["game"])


def take(api: InProcess, game: str, body: Any, **headers: str) -> Answer:
    """Ask for a seat; headers are named with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return api.call("POST", f"/v1/games/{game}/seats", body, headers=named)


def test_the_first_free_seat_is_taken_when_none_is_named(api: InProcess) -> None:
    """Taken seats are passed over, and the last one starts the game."""
    game = open_game(api, None, {"name": "Bob"}, None)
    first, second = take(api, game, {"name": "Ada"}), take(api, game, {"name": "Cleo"})
    assert [first.json["seat"], second.json["seat"]] == [0, 2]
    state = api.get(f"/v1/games/{game}")
    assert state["status"] == "running"
    assert [seat["name"] for seat in state["seats"]] == ["Ada", "Bob", "Cleo"]
    assert api.get(f"/v1/games/{game}/commands", second.json["token"])["seat"] == 2


def test_a_named_seat_is_taken_or_refused(api: InProcess) -> None:
    """Only a free seat of the table can be taken."""
    game = open_game(api)
    assert take(api, game, {"name": "Ada", "seat": 1}).json["seat"] == 1
    refused = [take(api, game, {"name": "Bob", "seat": seat}) for seat in (1, 3)]
    assert [(each.status, each.json["code"]) for each in refused] == [
        (422, "seat_occupied"),
        (422, "no_such_seat"),
    ]


def test_nobody_can_join_a_running_game(api: InProcess) -> None:
    """When every seat is taken the answer says so, with a named seat and without."""
    party = api.people()
    for body in ({"name": "Dan"}, {"name": "Dan", "seat": 0}):
        answer = take(api, party.game, body)
        assert (answer.status, answer.json["code"]) == (422, "game_started_already")


def test_who_joins_cannot_act_before_the_start(api: InProcess) -> None:
    """A token is good at once, but there is nothing to do."""
    game = open_game(api)
    token = take(api, game, {"name": "Ada"}).json["token"]
    assert api.get(f"/v1/games/{game}/commands", token)["commands"] == []
    answer = api.call("POST", f"/v1/games/{game}/commands", {"type": "reveal"}, token=token)
    assert (answer.status, answer.json["code"]) == (422, "game_not_started")


@pytest.mark.parametrize("body", [{"name": "x", "seat": 0}, {"name": "x"}], ids=["named", "first free"])
def test_of_many_who_want_the_last_seat_one_gets_it(api: InProcess, body: Any) -> None:
    """A race for one seat has one winner; everybody else is told why not."""
    game = open_game(api, None, {"name": "Bob"}, {"name": "Cleo"})
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: take(api, game, body), range(8)))
    assert sorted(each.status for each in answers) == [201] + [422] * 7
    codes = {each.json["code"] for each in answers if each.status == 422}
    assert codes <= {"seat_occupied", "game_started_already"}
    types = [each["entry"]["type"] for each in api.get(f"/v1/games/{game}/events")["events"]]
    assert types.count("seat_taken") == 3


def test_many_who_join_at_once_all_get_a_seat_of_their_own(api: InProcess) -> None:
    """Five people joining a table of five at the same time fill it."""
    game = open_game(api, *[None] * 5)
    with ThreadPoolExecutor(5) as threads:
        answers = list(threads.map(lambda number: take(api, game, {"name": f"p{number}"}), range(5)))
    assert sorted(each.json["seat"] for each in answers) == [0, 1, 2, 3, 4]
    assert len({each.json["token"] for each in answers}) == 5
    assert api.get(f"/v1/games/{game}")["status"] == "running"


def test_the_same_request_again_gets_the_same_seat_and_token(api: InProcess) -> None:
    """Also when the seat was left to the service, and after others have joined."""
    game = open_game(api)
    first = take(api, game, {"name": "Ada"}, **KEY)
    take(api, game, {"name": "Bob"})
    again = take(api, game, {"name": "Ada"}, **KEY)
    assert again.json == first.json
    assert (again.status, again.headers["idempotent-replayed"]) == (201, "true")
    other = take(api, game, {"name": "Eve"}, **KEY)
    assert (other.status, other.json["code"]) == (422, "idempotency_key_reused")


def test_a_guessable_key_cannot_stand_for_a_token(api: InProcess) -> None:
    """Who repeats a request gets the seat's token, so a short Idempotency-Key is refused."""
    game = open_game(api)
    answer = take(api, game, {"name": "Ada"}, Idempotency_Key="ada-1")
    assert (answer.status, answer.json["code"]) == (400, "idempotency_key_too_short")
    assert api.get(f"/v1/games/{game}")["version"] == 1


def test_a_seat_taken_in_one_process_is_known_in_the_other(api: InProcess) -> None:
    """A process that knows the open game from before accepts the new seat's first command."""
    other = InProcess(api.store)
    game = open_game(api, None, {"name": "Bob"}, {"name": "Cleo"})
    assert other.get(f"/v1/games/{game}")["status"] == "open"
    token = take(api, game, {"name": "Ada"}).json["token"]
    answer = other.call("POST", f"/v1/games/{game}/commands", {"type": "plant", "field": 0}, token=token)
    assert answer.status == 200, answer.body


def test_a_refused_seat_explains_itself(api: InProcess) -> None:
    """As any refusal does: the rule with its section, the version, and the table; who is no seat has no commands."""
    game = api.create([{"name": "Ada"}, None, None])["game"]
    problem = api.call("POST", f"/v1/games/{game}/seats", {"name": "Bob", "seat": 0}).json
    assert (problem["code"], problem["place"], problem["legal_commands"]) == ("seat_occupied", 0, [])
    assert problem["section"]
    state = api.get(f"/v1/games/{game}")
    assert (problem["version"], problem["state"]["seats"]) == (state["version"], state["seats"])
