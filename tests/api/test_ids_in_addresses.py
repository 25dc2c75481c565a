"""An id that is registered is addressable as it is; every other id is refused when it is chosen.

RFC 3986 leaves letters, digits and `-._~` unescaped everywhere in a path, and `:` in all but its first segment.
"""

from typing import Any
from urllib.parse import quote

import pytest

from tests.service.in_process import InProcess

STRANGE = (
    *("a/b", "a/", "/a", "//", "a?b", "a#b", "a%b", "a%2Fb", "a%2f", "a%252Fb", "a;b", "a\\b", "a b", "a+b"),
    *(".", "..", "...", "~", "-a", "a@b", "a:b", "ns:a", ":a", "a~.-_b", "\u00e9", "a\n", "a\x00", ""),
    *("x" * 64, "x" * 65, "x" * 96, "x" * 97, "start", "log", "players"),
)


def announced(api: InProcess) -> str:
    """Announce a tournament and return its id."""
    body = {"name": "Autumn", "system": "bean-duel", "rounds": 2, "sizes": [2]}
    return str(api.call("POST", "/v1/tournaments", body, token=api.key).json["tournament"])


def field(answer: Any) -> dict[str, bool]:
    """Return who has registered, and who of them has withdrawn."""
    return {each["player"]: each["withdrew"] for each in answer["field"]}


@pytest.mark.parametrize("player", STRANGE)
def test_whoever_is_registered_for_a_tournament_can_be_withdrawn(api: InProcess, player: str) -> None:
    """Each of them alone: no other player is withdrawn in their place."""
    path = f"/v1/tournaments/{announced(api)}"
    for other in ("a", "b"):
        body = {"player": other, "name": f"The other {other}"}
        assert api.call("POST", f"{path}/players", body, token=api.key).status == 201
    registered = api.call("POST", f"{path}/players", {"player": player, "name": "Zoe"}, token=api.key)
    withdrawn = api.call("DELETE", f"{path}/players/{quote(player, safe='')}", token=api.key)
    after = field(api.get(path))
    assert (after["a"], after["b"]) == (False, False)
    if registered.status == 201:
        assert withdrawn.status == 200, withdrawn.body
        assert after[player] is True
    else:
        assert registered.status == 422, registered.body
        assert withdrawn.status >= 400
        assert len(after) == 2


@pytest.mark.parametrize("player", [*STRANGE, "X:a", "a:b:c"])
def test_a_player_without_a_name_is_withdrawn_by_the_id_in_the_answer(api: InProcess, player: str) -> None:
    """The answer has the whole id; any other text is no id, or names a player of another key."""
    path = f"/v1/tournaments/{announced(api)}"
    registered = api.call("POST", f"{path}/players", {"player": player}, token=api.key)
    if registered.status == 201:
        whole = quote(registered.json["player"], safe="")
        withdrawn = api.call("DELETE", f"{path}/players/{whole}", token=api.key)
        assert withdrawn.status == 200, withdrawn.body
        assert field(api.get(path)) == {registered.json["player"]: True}
    else:
        assert registered.status in {403, 422}, registered.body
        assert field(api.get(path)) == {}


@pytest.mark.parametrize("player", STRANGE)
def test_whoever_is_named_at_a_table_can_be_given_a_name_and_forgotten(api: InProcess, player: str) -> None:
    """Ids of `/v1/players`: one that a seat takes is one that has an address of its own."""
    body = {"system": "classic", "seats": [{"player": player}, None, None]}
    seated = api.call("POST", "/v1/games", body, token=api.key)
    path = f"/v1/players/{quote(player, safe='')}"
    assert api.call("PUT", "/v1/players/a", {"name": "The other"}, token=api.key).status == 200
    named = api.call("PUT", path, {"name": "Zoe"}, token=api.key)
    forgotten = api.call("DELETE", path, token=api.key)
    if seated.status == 201:
        assert (named.status, forgotten.status) == (200, 200), (named.body, forgotten.body)
    else:
        assert seated.status in {403, 422}, seated.body
        assert named.status >= 400
        assert forgotten.status >= 400
    assert api.get("/v1/players/a", api.key)["name"] == "The other"


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
@pytest.mark.parametrize(
    "path",
    [
        *("/v1/players/a%2F", "/v1/players/a%2fb", "/v1/tournaments/a%2F", "/v1/tournaments/a/players/b%2F"),
        *("/v1/games/a%2F", "/v1/games/a%2Frecord", "/v1/games/a/disputes/1%2F", "/v1/keys/a%2F"),
        *("/v1/webhooks/a%2F", "/v1/games/a/spectators/b%2F", "/v1/systems/classic%2F", "/v1%2Fgames"),
    ],
)
def test_an_id_with_a_slash_names_nothing(api: InProcess, method: str, path: str) -> None:
    """Neither what comes before the slash, nor a part of what there is."""
    body: Any = None if method in {"GET", "DELETE"} else {}
    answer = api.call(method, path, body, token=api.key)
    assert answer.status in {404, 405}, answer.body
