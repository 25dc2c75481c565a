"""Seats that say they are programs, and how long the bots of a table wait for whom."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import pytest

from service.bot_seats.bot_players import BotPlayers
from service.platform.clock import now_milliseconds
from tests.service.in_process import InProcess
from tests.service.projections.listing import project
from tests.support.servers import eventually

PROGRAM = {"name": "bean-counter", "version": "1.4"}
NORTH = {"name": "North", "kind": "program", "program": PROGRAM}
BOTS = [{"name": each, "kind": "bot", "bot": "greedy"} for each in ("Rob", "Ron")]


def test_a_program_says_which_it_is_and_has_a_token(api: InProcess) -> None:
    """Its name and version are recorded and shown to everybody; it plays through its token like a person."""
    made = api.create([{"name": "Ada"}, NORTH, BOTS[0]])
    assert [seat["kind"] for seat in made["seats"]] == ["human", "program", "bot"]
    assert "token" in made["seats"][1]
    seats = api.get(f"/v1/games/{made['game']}")["seats"]
    assert [seat["program"] for seat in seats] == [None, PROGRAM, None]
    taken = api.get(f"/v1/games/{made['game']}/events?limit=3")["events"][2]["entry"]["data"]
    assert (taken["program"], taken["program_version"]) == ("bean-counter", "1.4")


def test_a_program_takes_an_open_seat(api: InProcess) -> None:
    """As a person does, with its name and version."""
    made = api.create([{"name": "Ada"}, None, BOTS[0]])
    headers = {"Idempotency-Key": '"a-program-sits-down-here"'}
    taken = api.call("POST", f"/v1/games/{made['game']}/seats", NORTH, headers=headers)
    assert taken.status == 201, taken.body
    assert api.get(f"/v1/games/{made['game']}")["seats"][1]["program"] == PROGRAM


@pytest.mark.parametrize(
    "seat",
    [
        {"name": "North", "kind": "program"},
        {"name": "North", "program": PROGRAM},
        {"name": "North", "kind": "program", "program": {"name": "bean-counter"}},
        {"name": "North", "kind": "program", "program": {"name": "", "version": "1"}},
        {"name": "North", "kind": "program", "program": PROGRAM, "bot": "greedy"},
    ],
)
def test_half_a_program_is_refused(api: InProcess, seat: dict[str, Any]) -> None:
    """A program has a name and a version, and nobody else has."""
    body = {"system": "classic", "seats": [seat, *BOTS]}
    answer = api.call("POST", "/v1/games", body, token=api.key)
    assert (answer.status, answer.json["code"]) == (422, "schema_violation")
    assert "program" in answer.json["detail"] or "bot" in answer.json["detail"]


def test_the_list_of_games_tells_programs_and_bots_from_people(api: InProcess) -> None:
    """`kinds` stands beside the players; null for a free seat."""
    made = api.create([{"name": "Ada"}, NORTH, BOTS[0], None])
    project(api.store)
    (listed,) = [each for each in api.get("/v1/games")["games"] if each["game"] == made["game"]]
    assert listed["kinds"] == ["human", "program", "bot", None]


@pytest.mark.parametrize(
    ("asked", "patience"),
    [
        ({}, {"people": 0, "programs": 0}),
        ({"patience": {"people": 7}}, {"people": 7, "programs": 0}),
        ({"patience": {"programs": 2}}, {"people": 0, "programs": 2}),
    ],
)
def test_patience_belongs_to_the_table(
    api: InProcess, asked: dict[str, Any], patience: dict[str, int]
) -> None:
    """It is given when the game is set up, and recorded: for programs none, for people what is usual here."""
    made = api.create([{"name": "Ada"}, NORTH, BOTS[0]], **asked)
    assert made["patience"] == patience
    assert api.get(f"/v1/games/{made['game']}")["patience"] == patience


@pytest.mark.parametrize("seconds", [-1, 601, "5", 1.5])
def test_patience_has_bounds(api: InProcess, seconds: object) -> None:
    """Whole seconds, ten minutes at most."""
    body = {"system": "classic", "seats": [{"name": "Ada"}, *BOTS], "patience": {"people": seconds}}
    assert api.call("POST", "/v1/games", body, token=api.key).status == 422


# --- nobody waits for nothing ------------------------------------------------------------------------------


@contextmanager
def bots_play(api: InProcess) -> Iterator[None]:
    """Bots that wait as long as the table says."""
    stopping = Event()
    players = Thread(target=BotPlayers(api.store).run, args=(stopping,))
    players.start()
    try:
        yield
    finally:
        stopping.set()
        players.join()


def trades_on_its_turn(api: InProcess, game: str) -> bool:
    """Whether a bot has its turn and trades."""
    table = api.get(f"/v1/games/{game}")
    return bool(table["phase"] == "trade" and table["active"] == 0)


def test_bots_do_not_wait_for_programs(api: InProcess) -> None:
    """Whatever patience they have with people: a bot's first turn is over, and the program is asked to play."""
    game = api.create([*BOTS, NORTH], patience={"people": 600})["game"]
    with bots_play(api):
        eventually(lambda: api.get(f"/v1/games/{game}")["active"] == 2, seconds=30)


def test_a_bot_goes_on_when_everybody_is_ready(api: InProcess) -> None:
    """It waits for the two people, for ten minutes if need be, and goes on at once when both have said it."""
    made = api.create([BOTS[0], {"name": "Ada"}, {"name": "Bob"}], patience={"people": 600})
    game, tokens = made["game"], [seat["token"] for seat in made["seats"][1:]]
    with bots_play(api):
        eventually(lambda: trades_on_its_turn(api, game), seconds=30)
        for token in tokens:
            assert trades_on_its_turn(api, game)
            answer = api.call("POST", f"/v1/games/{game}/commands", {"type": "ready"}, token=token)
            assert answer.status == 200, answer.body
        asked = now_milliseconds()
        eventually(lambda: not trades_on_its_turn(api, game), seconds=30)
    assert now_milliseconds() - asked < 600_000
    types = [each["entry"]["type"] for each in api.get(f"/v1/games/{game}/events?limit=200")["events"]]
    assert types.count("readiness_declared") == 2
