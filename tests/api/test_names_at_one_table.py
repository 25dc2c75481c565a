"""No two seats of a game are shown with names that look alike, and a placeholder keeps no name from anyone."""

import unicodedata
from typing import Any

import pytest

from tests.service.in_process import InProcess


def names(api: InProcess, game: str) -> list[str]:
    """Return the names of the seats as viewers see them."""
    return [seat["name"] for seat in api.get(f"/v1/games/{game}")["seats"]]


def test_a_person_may_be_called_like_the_placeholder_of_a_player_with_an_id(api: InProcess) -> None:
    """The seat with the id is shown with another name, wherever it sits."""
    for name, place in (("Player 1", 1), ("Player 2", 0)):
        seats: list[dict[str, str] | None] = [{"player": "a"}, {"player": "b"}, None]
        seats[place] = {"name": name}
        shown = names(api, api.create(seats)["game"])
        assert shown[place] == name
        assert len({_bare(name) for name in shown[:2]}) == 2


@pytest.mark.parametrize("change", [str, str.upper, lambda name: name.replace("a", "\u0430")])
def test_an_open_seat_is_not_refused_for_a_placeholder(api: InProcess, change: Any) -> None:
    """Whatever the placeholder is, and whatever looks like it: the person keeps the name."""
    game = api.create([{"player": "a"}, None, None])["game"]
    wanted = change(names(api, game)[0])
    taken = api.call("POST", f"/v1/games/{game}/seats", {"name": wanted})
    assert taken.status == 201, taken.body
    shown = names(api, game)
    assert shown[1] == wanted
    assert _bare(shown[0]) != _bare(shown[1])


def test_a_rematch_is_not_refused_for_a_placeholder(api: InProcess) -> None:
    """Seats move on by one, and so do the numbers of placeholders: a person called Player 1 sits down again."""
    made = api.create([{"player": "a"}, {"player": "b"}, {"name": "Player 1"}], system="classic")
    game, tokens = made["game"], [seat["token"] for seat in made["seats"]]
    for token in tokens[:2]:
        api.call("POST", f"/v1/games/{game}/commands", {"type": "resign"}, token=token)
    _end(api, game, tokens)
    answers = [api.call("POST", f"/v1/games/{game}/rematch", token=token) for token in tokens]
    assert [each.status for each in answers] == [201, 201, 201], [each.body for each in answers]
    shown = names(api, answers[0].json["game"])
    assert "Player 1" in shown
    assert len({_bare(name) for name in shown}) == 3


def test_display_names_that_look_alike_are_told_apart_at_a_table(api: InProcess) -> None:
    """By the number of the seat, in tables and in sentences."""
    for player, name in (("twin-1", "Ada"), ("twin-2", "\u0410da"), ("twin-3", "ADA")):
        assert api.call("PUT", f"/v1/players/{player}", {"name": name}, token=api.key).status == 200
    made = api.create([{"name": "Ada"}, {"player": "twin-1"}, {"player": "twin-2"}, {"player": "twin-3"}])
    game = made["game"]
    shown = names(api, game)
    assert shown[0] == "Ada"
    assert len({_bare(name) for name in shown}) == 4
    events = api.get(f"/v1/games/{game}/events?text=en")["events"]
    said = [each["text"] for each in events if each["entry"]["type"] == "seat_taken"]
    assert len({_bare(each) for each in said}) == 4


def test_a_player_with_an_id_sits_at_a_table_once(api: InProcess) -> None:
    """Only the name is free: the same player does not sit down twice."""
    body = {"system": "classic", "seats": [{"player": "a"}, {"player": "a"}, None]}
    refused = api.call("POST", "/v1/games", body, token=api.key)
    assert (refused.status, refused.json["code"]) == (422, "bad_name")


def _bare(name: str) -> str:
    """Return a name without what its letters do not show: case, and the Cyrillic letters used here."""
    return unicodedata.normalize("NFKC", name).casefold().translate(str.maketrans("\u0430", "a")).strip()


def _end(api: InProcess, game: str, tokens: list[str]) -> None:
    for token in tokens[2:]:
        api.call("POST", f"/v1/games/{game}/commands", {"type": "resign"}, token=token)
    assert api.get(f"/v1/games/{game}")["status"] == "finished"
