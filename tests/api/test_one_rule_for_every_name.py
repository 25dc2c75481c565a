"""One rule for every name that people are shown by, wherever a name is taken.

A name stays on one line and has no invisible character (docs/http-api.md).
"""

from collections.abc import Callable
from typing import Any

import pytest

from tests.service.in_process import InProcess
from tests.support.http_play import Answer

INVISIBLE = {
    "null": "A\x00B",
    "tab": "A\tB",
    "line feed": "A\nB",
    "line feed at the end": "AB\n",
    "carriage return": "A\rB",
    "delete": "A\x7fB",
    "next line": "A\u0085B",
    "line separator": "A\u2028B",
    "paragraph separator": "A\u2029B",
    "soft hyphen": "A\u00adB",
    "combining grapheme joiner": "A\u034fB",
    "hangul filler": "A\u3164B",
    "khmer inherent vowel": "A\u17b4B",
    "mongolian selector": "A\u180bB",
    "zero width space": "A\u200bB",
    "joiner without a neighbour": "AB\u200d",
    "word joiner": "A\u2060B",
    "byte order mark": "\ufeffAB",
    "right-to-left override": "A\u202eB",
    "selector without a neighbour": "\ufe0fAB",
    "tag": "A\U000e0041B",
    "private use": "A\ue000B",
    "unassigned": "A\U000e0fffB",
    "only spaces": " \u3000",
}
VISIBLE = (
    "Zo\u00eb",
    "\u5c71\u7530\u3000\u82b1\u5b50",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\u2764\ufe0f",
    "\U0001f441\ufe0f\u200d\U0001f5e8\ufe0f",
    "\u1112\u1161\u11ab",
)


def seat_of_a_new_game(api: InProcess, name: str) -> Answer:
    """Set a game up with a player of this name."""
    return api.call("POST", "/v1/games", _game({"name": name}), token=api.key)


def open_seat(api: InProcess, name: str) -> Answer:
    """Take an open seat under this name."""
    game = api.create([{"name": "Cleo"}, None, None])["game"]
    return api.call("POST", f"/v1/games/{game}/seats", {"name": name})


def program(api: InProcess, name: str) -> Answer:
    """Seat a program of this name."""
    return _program(api, name, "1")


def version_of_a_program(api: InProcess, name: str) -> Answer:
    """Seat a program with this version."""
    return _program(api, "Beano", name)


def display_name(api: InProcess, name: str) -> Answer:
    """Show a player under this name."""
    return api.call("PUT", "/v1/players/ada", {"name": name}, token=api.key)


def tournament(api: InProcess, name: str) -> Answer:
    """Announce a tournament of this name."""
    return api.call("POST", "/v1/tournaments", _tournament(name), token=api.key)


def player_of_a_tournament(api: InProcess, name: str) -> Answer:
    """Register a player of this name."""
    found = api.call("POST", "/v1/tournaments", _tournament("Autumn"), token=api.key).json["tournament"]
    return api.call("POST", f"/v1/tournaments/{found}/players", {"player": "p", "name": name}, token=api.key)


def spectator(api: InProcess, name: str) -> Answer:
    """Give a spectator of this name a token."""
    game = api.create([{"name": "Cleo"}, None, None])["game"]
    return api.call("POST", f"/v1/games/{game}/spectators", {"name": name}, token=api.key)


PLACES = (
    seat_of_a_new_game,
    open_seat,
    program,
    version_of_a_program,
    display_name,
    tournament,
    player_of_a_tournament,
    spectator,
)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", INVISIBLE.values(), ids=INVISIBLE)
def test_no_name_has_a_character_that_nobody_sees(
    api: InProcess, place: Callable[[InProcess, str], Answer], name: str
) -> None:
    """The request is refused with what is wrong, as 422."""
    refused = place(api, name)
    assert refused.status == 422, refused.body
    assert "name" in str(refused.json).casefold()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", VISIBLE)
def test_names_of_every_script_are_taken(
    api: InProcess, place: Callable[[InProcess, str], Answer], name: str
) -> None:
    """Joiners and selectors between visible characters shape words and emoji, and are kept."""
    taken = place(api, name)
    assert taken.status in {200, 201}, taken.body


def test_a_refusal_says_which_character_is_wrong(api: InProcess) -> None:
    """By its code point and its place, counted from 1."""
    assert "U+034F, which is character 2" in seat_of_a_new_game(api, "A\u034fB").json["detail"]


def _game(seat: dict[str, Any]) -> dict[str, Any]:
    return {"system": "classic", "seats": [seat, None, None]}


def _program(api: InProcess, name: str, version: str) -> Answer:
    seat = {"name": "Ada", "kind": "program", "program": {"name": name, "version": version}}
    return api.call("POST", "/v1/games", _game(seat), token=api.key)


def _tournament(name: str) -> dict[str, Any]:
    return {"name": name, "system": "bean-duel", "rounds": 2, "sizes": [2]}
