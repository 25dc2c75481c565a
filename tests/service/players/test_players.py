"""Players across games: who may name them, what the log holds, what views show, and what forgetting leaves."""

import json
from typing import Any

import pytest

from service.access.store import Keys
from service.players import shown_names, store
from service.players.merged_ids import MOST_IDS, MergedIds
from service.players.store import PlayerRecords
from tests.service.in_process import InProcess
from tests.service.projections.test_projector import projected
from tests.support.http_play import Answer

ADA, BOB = {"player": "ada"}, {"player": "bob-2"}


@pytest.fixture(autouse=True)
def names_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Go by no name that was told before."""
    monkeypatch.setattr(shown_names, "FRESH_SECONDS", 0.0)


def put(api: InProcess, player: str, name: str, token: str | None = None) -> Answer:
    """Say what is shown for a player."""
    return api.call("PUT", f"/v1/players/{player}", {"name": name}, token=token or api.key)


def names(api: InProcess, game: str) -> list[str]:
    """The names that anybody sees at a table."""
    return [seat["name"] for seat in api.get(f"/v1/games/{game}")["seats"]]


def whole(api: InProcess, own: str) -> str:
    """The id that logs have."""
    return f"{api.get('/v1/keys/self', api.key)['players']}:{own}"


READ: dict[bytes, tuple[str | int, ...]] = {
    b"string": ("GET",),
    b"hash": ("HGETALL",),
    b"list": ("LRANGE", 0, -1),
    b"set": ("SMEMBERS",),
    b"zset": ("ZRANGE", 0, -1),
    b"stream": ("XRANGE", "-", "+"),
}
"""How values of each type are read whole."""


def stored(api: InProcess) -> bytes:
    """Everything that the store holds, whatever it is kept as."""
    command, found = api.store.connection.command, []
    for key in command("KEYS", "*"):
        read, *how = READ[command("TYPE", key)]
        found.append(repr(command(read, key, *how)).encode())
    return b"\n".join(found)


def test_the_log_holds_an_id_and_views_show_the_name(api: InProcess) -> None:
    """Neither the shown name nor a change of it is in any event, and every place that shows a table has it."""
    put(api, "ada", "Ada Lovelace")
    made = api.create([ADA, {"name": "Guest"}, BOB])
    game, id_of_ada = made["game"], whole(api, "ada")
    assert names(api, game) == ["Ada Lovelace", "Guest", "Player 3"]
    assert api.get(f"/v1/games/{game}")["seats"][0]["player"] == id_of_ada
    drawn = api.get(f"/v1/games/{game}/scene")
    assert drawn["table"]["seats"][0]["name"] == "Ada Lovelace"
    assert "Ada Lovelace" in json.dumps(drawn["scene"])
    history = api.get(f"/v1/games/{game}/history?text=en")
    assert history["texts"][1] == "Ada Lovelace took seat 0."
    told = api.get(f"/v1/games/{game}/events?text=en")["events"]
    assert told[1]["text"].startswith("Ada Lovelace took seat 0")
    seated = told[1]["entry"]["data"]
    assert (seated["name"], seated["player"]) == ("Player 1", id_of_ada)
    log = b"".join(entry.data for entry in api.store.read(game))
    assert b"Lovelace" not in log
    put(api, "ada", "Augusta")
    assert names(api, game)[0] == "Augusta"
    assert "Ada Lovelace" not in json.dumps(api.get(f"/v1/games/{game}/history?text=en"))


def test_who_is_forgotten_is_shown_by_the_log_alone_and_no_hash_moves(api: InProcess) -> None:
    """The name is gone from views and from the store; the id stays, and so does the chain's head."""
    put(api, "ada", "Ada Lovelace")
    game = api.create([ADA, {"name": "Guest"}, BOB])["game"]
    projected(api)
    assert b"Lovelace" in stored(api)
    head = api.get(f"/v1/games/{game}")["hash"]
    forgotten = api.call("DELETE", "/v1/players/ada", token=api.key)
    assert forgotten.json == {"player": whole(api, "ada"), "name": None, "merged_into": None}
    assert names(api, game)[0] == "Player 1"
    assert api.get(f"/v1/games/{game}")["hash"] == head
    assert b"Lovelace" not in stored(api)


def test_a_version_with_players_is_not_kept_for_ever(api: InProcess) -> None:
    """A cache must not hold a name that was forgotten; without players a version that has been may be kept."""
    with_player = api.create([ADA, None, None])["game"]
    without = api.create([{"name": "Ada"}, None, None])["game"]
    kept = [
        api.call("GET", f"/v1/games/{game}?at=2").headers["cache-control"] for game in (with_player, without)
    ]
    assert "immutable" not in kept[0]
    assert "immutable" in kept[1]


@pytest.mark.parametrize("who", ["guest", "seat", "no scope"])
def test_only_keys_that_set_games_up_name_players(api: InProcess, who: str) -> None:
    """A guest, the token of a seat, and another key are refused, and no seat is taken."""
    made = api.create([{"name": "Ada"}, None, None])
    tokens = {
        "guest": None,
        "seat": made["seats"][0]["token"],
        "no scope": Keys(api.store).create("audit", ("audit",), 1),
    }
    taken = api.call("POST", f"/v1/games/{made['game']}/seats", BOB, token=tokens[who])
    assert (taken.status, taken.json["code"]) == (403, "player_forbidden")
    assert api.get(f"/v1/games/{made['game']}")["seats"][1]["name"] is None


def test_a_key_brings_its_own_players_to_anybodys_table_and_no_others(api: InProcess) -> None:
    """Two integrators' `ada` are two players; neither can name, change or forget the other's."""
    other = Keys(api.store).create("other", ("create_games",), 1)
    game = api.create([ADA, None, None])["game"]
    taken = api.call("POST", f"/v1/games/{game}/seats", ADA, token=other)
    assert taken.status == 201
    seats = api.get(f"/v1/games/{game}")["seats"]
    assert seats[0]["player"] != seats[1]["player"]
    theirs = {"player": whole(api, "bob-2")}
    claimed = api.call("POST", f"/v1/games/{game}/seats", theirs, token=other)
    assert (claimed.status, claimed.json["code"]) == (403, "player_forbidden")
    for method, path in (("GET", ""), ("DELETE", ""), ("POST", "/merge")):
        body = {"into": "x"} if path else None
        answer = api.call(method, f"/v1/players/{theirs['player']}{path}", body, token=other)
        assert (answer.status, answer.json["code"]) == (403, "player_forbidden")


def test_keys_of_one_namespace_have_the_same_players(api: InProcess) -> None:
    """So that a key can be replaced: its operator names the namespace."""
    operator = Keys(api.store).create("op", (), 1, "operator")
    body = {"name": "club", "scopes": ["create_games"], "players": "club"}
    tokens = [
        api.call("POST", "/v1/keys", body, token=operator, headers={"Idempotency-Key": key}).json["token"]
        for key in ("one", "two")
    ]
    put(api, "7", "Grace", token=tokens[0])
    assert api.get("/v1/players/7", tokens[1])["name"] == "Grace"
    assert api.get("/v1/players/club:7", operator)["player"] == "club:7"


def test_nobody_sits_twice_at_a_table(api: InProcess) -> None:
    """A player has one seat; a second one is refused like a name that is there."""
    game = api.create([ADA, None, None])["game"]
    again = api.call("POST", f"/v1/games/{game}/seats", ADA, token=api.key)
    assert (again.status, again.json["code"]) == (422, "bad_name")


@pytest.mark.parametrize(
    "seat",
    [
        {},
        {"name": "Ada", "player": "ada"},
        {"player": "ada", "kind": "bot", "bot": "greedy"},
        {"player": "a b"},
    ],
    ids=["neither", "both", "a bot of ours", "another alphabet"],
)
def test_a_seat_has_a_name_or_a_player(api: InProcess, seat: Any) -> None:
    """One of the two, and bots of ours have a name."""
    body = {"system": "classic", "seats": [seat, None, None]}
    assert api.call("POST", "/v1/games", body, token=api.key).status == 422


def test_games_are_found_by_a_player(api: InProcess) -> None:
    """By the whole id, with the names to show; a name that looks like an id finds nobody's games."""
    put(api, "ada", "Ada Lovelace")
    found = api.create([ADA, None, None])["game"]
    api.create([{"name": whole(api, "ada")}, None, None])
    listed = games_of(api, whole(api, "ada"))
    assert [each["game"] for each in listed] == [found]
    assert listed[0]["players"] == ["Ada Lovelace", None, None]
    assert listed[0]["player_ids"] == [whole(api, "ada"), None, None]


def games_of(api: InProcess, player: str) -> Any:
    """The list, once the projector has been there."""
    projected(api)
    return api.get(f"/v1/games?player_id={player}")["games"]


def test_merged_ids_lead_to_one_player_and_never_in_a_circle(api: InProcess) -> None:
    """Merges follow one another; one that leads back is refused."""

    def merge(player: str, into: str) -> Answer:
        return api.call("POST", f"/v1/players/{player}/merge", {"into": into}, token=api.key)

    assert merge("a", "b").json["merged_into"] == whole(api, "b")
    assert merge("b", "c").status == 200
    assert api.get("/v1/players/a", api.key)["merged_into"] == whole(api, "c")
    for player, into in (("c", "a"), ("c", "c")):
        refused = merge(player, into)
        assert (refused.status, refused.json["code"]) == (409, "merge_leads_back")


def test_games_are_found_by_every_id_that_means_the_player(api: InProcess) -> None:
    """By the newest one and by those that were merged into it, along several merges; others' games are not."""
    games = [api.create([{"player": player}, None, None])["game"] for player in ("a", "b", "c", "d")]
    for player, into in (("a", "b"), ("b", "c")):
        api.call("POST", f"/v1/players/{player}/merge", {"into": into}, token=api.key)
    for player in ("a", "b", "c"):
        assert {each["game"] for each in games_of(api, whole(api, player))} == {*games[:3]}
    assert [each["game"] for each in games_of(api, whole(api, "d"))] == games[3:]


def test_what_was_asked_for_is_among_the_ids_that_games_are_found_by(api: InProcess) -> None:
    """However many others were merged, and before a process has been told of the merge."""
    records, found = PlayerRecords(api.store), MergedIds(api.store)
    assert found.of("a:30") == ("a:30",)
    for number in range(10, 31):
        records.merge(f"a:{number}", "a:1")
    assert found.of("a:30") == ("a:1", "a:30")
    told = MergedIds(api.store).of("a:30")
    assert told[:2] == ("a:1", "a:30")
    assert len(set(told)) == len(told) == MOST_IDS


def test_names_have_so_much_room(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """One player more is refused; those who are there can be renamed, and one who is forgotten makes room."""
    monkeypatch.setattr(store, "MOST_NAMED", 1)
    assert put(api, "ada", "Ada").status == 200
    refused = put(api, "bob", "Bob")
    assert (refused.status, refused.json["code"]) == (422, "too_many_players")
    assert put(api, "ada", "Augusta").status == 200
    api.call("DELETE", "/v1/players/ada", token=api.key)
    assert put(api, "bob", "Bob").status == 200


def test_a_name_shows_something(api: InProcess) -> None:
    """The rules of names at a table hold for names to show."""
    answer = put(api, "ada", "\u2800")
    assert (answer.status, answer.json["code"]) == (422, "schema_violation")


@pytest.mark.process
def test_the_record_with_a_player_verifies_and_its_id_is_bound(api: InProcess) -> None:
    """The id is under the hash like everything else of the entry."""
    game = api.create([ADA, {"name": "Ben"}, {"name": "Cat"}])["game"]
    lines = api.call("GET", f"/v1/games/{game}/record").body.splitlines()
    entry = json.loads(lines[2])["entry"]
    assert (entry["type"], entry["data"]["player"]) == ("seat_taken", whole(api, "ada"))
    good = api.call("POST", "/v1/verifications", raw=b"\n".join(lines) + b"\n", headers=NDJSON)
    assert good.status == 200, good.body
    assert good.json["ok"]
    changed = b"\n".join(lines).replace(b":ada", b":eve") + b"\n"
    assert not api.call("POST", "/v1/verifications", raw=changed, headers=NDJSON).json["ok"]


NDJSON = {"Content-Type": "application/x-ndjson"}
