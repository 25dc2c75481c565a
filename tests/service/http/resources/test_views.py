"""Looking at a game: at any version, through whose eyes, and what nobody may see before the end."""

from typing import Any

import pytest

from service.access.store import Keys
from tests.service.in_process import InProcess

BOTH_WAYS = True


def test_every_version_can_be_looked_at_again(api: InProcess) -> None:
    """The state at a version is what it was when that version was the newest, for each viewer."""
    party = api.people()
    path, seen = f"/v1/games/{party.game}", []
    for _ in range(15):
        party.play(1)
        seen.append([api.get(path, token) for token in (None, *party.tokens)])
    for states in seen:
        at = f"{path}?at={states[0]['version']}"
        assert [api.get(at, token) for token in (None, *party.tokens)] == states


def test_a_seat_sees_its_own_hand_and_nobody_elses(api: InProcess) -> None:
    """Others' hands have a size only; a spectator sees no hand at all."""
    party = api.people()
    for viewer, token in enumerate(party.tokens):
        state = api.get(f"/v1/games/{party.game}", token)
        assert state["viewer"] == f"seat:{viewer}"
        assert ["cards" in seat["hand"] for seat in state["seats"]] == [seat == viewer for seat in range(3)]
        assert [seat["hand"]["size"] for seat in state["seats"]] == [5, 5, 5]
        assert "cards" not in state["draw_pile"]
    public = api.get(f"/v1/games/{party.game}")
    assert public["viewer"] == "public"
    assert not any("cards" in seat["hand"] for seat in public["seats"])
    assert api.get(f"/v1/games/{party.game}?as=public", party.tokens[0]) == public


PLACES = ("", "/events", "/record", "/scene", "/history")


@pytest.mark.parametrize("place", PLACES)
def test_other_eyes_are_forbidden_while_the_game_runs(api: InProcess, place: str) -> None:
    """A spectator and a seat may not look through another seat's eyes, nor see everything."""
    party = api.people()
    path = f"/v1/games/{party.game}{place}"
    weak = Keys(api.store).create("no arbiter", ("create_games",), 2)
    for token, wanted in [
        (None, "all"),
        (None, "seat:0"),
        (party.tokens[0], "all"),
        (party.tokens[0], "seat:1"),
        (weak, "all"),
    ]:
        answer = api.call("GET", f"{path}?as={wanted}", token=token)
        assert (answer.status, answer.json["code"]) == (403, "view_forbidden")
    assert api.call("GET", f"{path}?as=seat:0", token=party.tokens[0]).status == 200


@pytest.mark.parametrize("place", PLACES)
def test_an_arbiter_sees_everything(api: InProcess, place: str) -> None:
    """A key with the scope `arbitrate` may see all of a running game, but by default sees what is public."""
    party = api.people()
    path = f"/v1/games/{party.game}{place}"
    assert api.call("GET", path, token=api.key).body == api.call("GET", path).body
    whole = api.call("GET", f"{path}?as=all", token=api.key)
    assert whole.status == 200
    assert whole.body != api.call("GET", path).body
    assert api.call("GET", f"{path}?as=seat:2", token=api.key).status == 200


def test_a_finished_game_is_open_to_all(api: InProcess) -> None:
    """Once the secret is out anybody sees everything, also of every version before."""
    game = api.stored()
    path = f"/v1/games/{game.id}"
    for place in PLACES:
        assert api.call("GET", f"{path}{place}?as=all").status == 200
    middle = api.get(f"{path}?as=all&at=100")
    assert all("cards" in seat["hand"] for seat in middle["seats"])
    assert api.get(f"{path}?as=seat:3&at=100")["seats"][3] == middle["seats"][3]


def test_a_key_that_is_no_seat_of_the_game_is_refused(api: InProcess) -> None:
    """A token of another game is not taken for a spectator, at no address of the game."""
    party, other = api.people(), api.people(seed=2)
    for place in (*PLACES, "/commands", "/validations"):
        answer = api.call("GET", f"/v1/games/{party.game}{place}", token=other.tokens[0])
        assert (answer.status, answer.json["code"]) == (403, "not_your_game")


def test_nothing_is_taken_from_caches_unasked(api: InProcess) -> None:
    """What may change is asked for again every time, errors and health are not stored; no type is guessed."""
    party = api.people()
    for path, kept in (
        (f"/v1/games/{party.game}", "no-cache"),
        ("/v1/games", "no-cache"),
        ("/v1/games/nobody-knows", "no-store"),
        ("/nowhere", "no-store"),
        ("/healthz", "no-store"),
    ):
        headers: Any = api.call("GET", path).headers
        assert headers["cache-control"] == kept
        assert headers["x-content-type-options"] == "nosniff"


def test_health_says_whether_the_service_can_work(api: InProcess) -> None:
    """Alive, ready, how durable, and how far the projections are behind."""
    assert api.get("/healthz") == {"status": "alive"}
    api.people()
    ready = api.get("/readyz")
    assert (ready["status"], ready["durability"], ready["projection_lag"]) == ("ready", "memory", 1)


def test_head_answers_as_get_without_a_body(api: InProcess) -> None:
    """HEAD works wherever GET does, also for a stream, which then holds no place."""
    party = api.people()
    for place in ("", "/events", "/record", "/validations"):
        path = f"/v1/games/{party.game}{place}"
        head, get = api.call("HEAD", path), api.call("GET", path)
        assert (head.status, head.body) == (200, b"")
        assert head.headers["content-type"] == get.headers["content-type"]
    stream = api.call("HEAD", f"/v1/games/{party.game}/events", headers={"Accept": "text/event-stream"})
    assert stream.status == 200
    assert api.get("/readyz")["streams"] == 0
