"""Keys: made by operators, shown once, stored hashed, good until they are revoked or expire."""

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from events.store.redis.redis_store import RedisEventStore
from service.access.audit_log import LOOKING_SECONDS
from service.access.first_key import first_key
from service.access.keys import KEY_TOKEN, OPERATOR, SCOPES
from service.access.store import Keys
from service.command_line import main
from service.http.context.services import EXTENSION
from tests.service.in_process import InProcess
from tests.support.http_play import Answer

NEW = {"name": "tournament", "scopes": ["create_games", "arbitrate"]}
SEATS = {"system": "classic", "seats": [None] * 3}


@pytest.fixture
def operator(store: RedisEventStore) -> str:
    """Return the token of an operator's key."""
    return Keys(store).create("operator", (), 1, OPERATOR)


def make(
    api: InProcess, token: str | None, body: Any = NEW, headers: Mapping[str, str] | None = None
) -> Answer:
    """Ask for a key."""
    return api.call("POST", "/v1/keys", body, token=token, headers=headers)


def test_an_operator_makes_a_key_that_works_at_once(api: InProcess, operator: str) -> None:
    """The answer holds the token and what the key may do; the address of the key is in Location."""
    made = make(api, operator)
    assert made.status == 201
    key = made.json
    assert (key["name"], key["kind"], key["scopes"]) == ("tournament", "integrator", NEW["scopes"])
    assert made.headers["location"] == f"/v1/keys/{key['id']}"
    assert api.call("POST", "/v1/games", SEATS, token=key["token"]).status == 201
    shown = api.get(f"/v1/keys/{key['id']}", operator)
    assert "token" not in shown
    assert shown == {
        **{name: value for name, value in key.items() if name != "token"},
        "last_used": shown["last_used"],
    }


def test_a_token_is_stored_nowhere(api: InProcess, operator: str) -> None:
    """Neither the list of keys nor the store holds it, only its hash."""
    token = make(api, operator).json["token"]
    command = api.store.connection.command
    stored = [command("DUMP", name) for name in command("KEYS", "*")]
    assert all(token.encode() not in each and token[4:44].encode() not in each for each in stored)
    assert token.encode() not in api.call("GET", "/v1/keys", token=operator).body


def test_tokens_are_made_for_secret_scanners(api: InProcess, operator: str) -> None:
    """A prefix, a fixed length and a checksum: one wrong digit is known without asking the store."""
    token = make(api, operator).json["token"]
    assert KEY_TOKEN.fullmatch(token)
    assert len(token) == 52
    assert Keys(api.store).find(token) is not None
    for wrong in (token[:-1] + ("0" if token[-1] != "0" else "1"), token[:-8], token + "0"):
        assert Keys(api.store).find(wrong) is None


def test_the_same_request_again_gets_the_same_token(api: InProcess, operator: str) -> None:
    """A lost answer can be asked for again, though the token is not stored; another body is refused."""
    named = {"Idempotency-Key": "first-try"}
    first, again = (make(api, operator, headers=named) for _ in range(2))
    assert again.json["token"] == first.json["token"]
    assert again.headers["idempotent-replayed"] == "true"
    assert len(api.get("/v1/keys", operator)["keys"]) == 3
    other = make(api, operator, {**NEW, "name": "another"}, named)
    assert (other.status, other.json["code"]) == (422, "idempotency_key_reused")
    colleague = Keys(api.store).create("colleague", (), 1, OPERATOR)
    assert make(api, colleague, headers=named).json["token"] != first.json["token"]


def test_a_revoked_key_is_refused_at_once_in_every_process(api: InProcess, operator: str) -> None:
    """Revoking again changes nothing, and the key stays in the list."""
    key, elsewhere = make(api, operator).json, InProcess(api.store)
    assert elsewhere.call("GET", "/v1/keys/self", token=key["token"]).status == 200
    revoked = api.call("DELETE", f"/v1/keys/{key['id']}", token=operator)
    assert revoked.json["revoked"] is not None
    for process in (api, elsewhere):
        answer = process.call("POST", "/v1/games", SEATS, token=key["token"])
        assert (answer.status, answer.json["code"]) == (401, "key_revoked")
        assert answer.headers["www-authenticate"] == "Bearer"
    again = api.call("DELETE", f"/v1/keys/{key['id']}", token=operator)
    assert again.json["revoked"] == revoked.json["revoked"]
    assert key["id"] in [each["id"] for each in api.get("/v1/keys", operator)["keys"]]


def test_a_key_expires_by_itself(api: InProcess, operator: str) -> None:
    """From the moment that was named when it was made, which lies ahead."""
    soon = int(time.time() * 1000) + 1500
    key = make(api, operator, {**NEW, "expires": soon}).json
    assert key["expires"] == soon
    time.sleep(max(0.0, soon / 1000 - time.time()) + 0.01)
    answer = api.call("GET", "/v1/keys/self", token=key["token"])
    assert (answer.status, answer.json["code"]) == (401, "key_expired")
    past = make(api, operator, {**NEW, "expires": 1})
    assert (past.status, past.json["code"]) == (422, "expires_in_the_past")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": "", "scopes": ["audit"]},
        {"name": "x" * 61, "scopes": ["audit"]},
        {"name": "a\0b", "scopes": ["audit"]},
        {"name": "x"},
        {"name": "x", "scopes": []},
        {"name": "x", "scopes": ["everything"]},
        {"name": "x", "scopes": ["audit"], "kind": "seat"},
        {"name": "x", "scopes": ["audit"], "kind": "operator"},
        {"name": "x", "scopes": ["audit"], "expires": "tomorrow"},
    ],
)
def test_a_key_that_makes_no_sense_is_refused(api: InProcess, operator: str, body: Any) -> None:
    """A wrong request is a 422 that says why, and no key comes of it."""
    answer = make(api, operator, body)
    assert (answer.status, answer.json["code"]) == (422, "schema_violation")
    assert len(api.get("/v1/keys", operator)["keys"]) == 2


def test_keys_are_listed_page_by_page(api: InProcess, operator: str) -> None:
    """Newest first, each once, whatever the size of a page."""
    made = [make(api, operator).json["id"] for _ in range(5)]
    for limit in (1, 2, 3, 7, 1000):
        found: list[str] = []
        cursor = ""
        while True:
            page = api.get(f"/v1/keys?limit={limit}{cursor}", operator)
            found += [each["id"] for each in page["keys"]]
            if page["next"] is None:
                break
            cursor = f"&cursor={page['next']}"
        assert set(found[:5]) == set(made)
        assert len(found) == len(set(found)) == 7
    assert api.call("GET", "/v1/keys?cursor=no", token=operator).json["code"] == "bad_cursor"
    assert api.call("GET", "/v1/keys/key_0", token=operator).json["code"] == "key_not_found"


def test_everybody_can_ask_what_their_token_is(api: InProcess, operator: str) -> None:
    """A key says its scopes; the token of a seat is good in one game, which has to be named."""
    party = api.people()
    mine = api.get("/v1/keys/self", api.key)
    assert (mine["kind"], mine["scopes"]) == ("integrator", list(SCOPES))
    assert api.get("/v1/keys/self", operator)["kind"] == "operator"
    seat = api.get(f"/v1/keys/self?game={party.game}", party.tokens[2])
    assert seat == {"kind": "seat", "game": party.game, "seat": 2}
    assert api.call("GET", "/v1/keys/self", token=party.tokens[0]).json["code"] == "game_required"
    assert api.call("GET", "/v1/keys/self").status == 401


def test_it_is_known_when_a_key_was_last_used(api: InProcess, operator: str) -> None:
    """Written down after the answer, at most once a minute."""
    before = int(time.time() * 1000)
    key = make(api, operator).json
    path = f"/v1/keys/{key['id']}"
    assert api.get(path, operator)["last_used"] is None
    api.get("/v1/keys/self", key["token"])
    used = api.get(path, operator)["last_used"]
    assert before <= used <= time.time() * 1000
    api.get("/v1/keys/self", key["token"])
    assert api.get(path, operator)["last_used"] == used


def test_a_use_that_cannot_be_written_down_hinders_nobody(api: InProcess, operator: str) -> None:
    """The key works; when it was used is a convenience."""
    api.store.connection.command("SET", "{keys}:used", "no hash")
    assert api.call("POST", "/v1/games", SEATS, token=api.key).status == 201


def test_the_first_key_is_an_operators(store: RedisEventStore, tmp_path: Path) -> None:
    """It is the one that makes the others; it is made once."""
    token, is_new = first_key(store, tmp_path)
    assert is_new
    key = Keys(store).find(token)
    assert key is not None
    assert key.is_operator
    assert first_key(store, tmp_path) == (token, False)


def test_acts_of_operators_leave_a_trail(api: InProcess, operator: str) -> None:
    """Keys made and revoked, hidden cards looked at: who, what, about what, in which request; and no secret."""
    party = api.people()
    made = api.call("POST", "/v1/keys", NEW, token=operator, headers={"X-Request-Id": "request-7"}).json
    for _ in range(3):
        api.get(f"/v1/games/{party.game}?as=all", made["token"])
    api.get(f"/v1/games/{party.game}?as=public", made["token"])
    api.get(f"/v1/games/{party.game}?as=seat:1", made["token"])
    api.call("DELETE", f"/v1/keys/{made['id']}", token=operator)
    mine = api.get("/v1/keys/self", operator)["id"]

    answer = api.call("GET", "/v1/operator-acts", token=operator)

    acts = [(each["who"], each["what"], each["about"], each["detail"]) for each in answer.json["acts"]]
    assert acts[::-1] == [
        (mine, "key_created", made["id"], "integrator create_games arbitrate"),
        (made["id"], "hidden_cards_seen", party.game, "all"),
        (made["id"], "hidden_cards_seen", party.game, "seat:1"),
        (mine, "key_revoked", made["id"], ""),
    ]
    assert answer.json["acts"][-1]["request"] == "request-7"
    assert all(token.encode() not in answer.body for token in (operator, made["token"], *party.tokens))
    first = api.get("/v1/operator-acts?limit=3", operator)
    rest = api.get(f"/v1/operator-acts?limit=3&cursor={first['next']}", operator)
    assert first["acts"] + rest["acts"] == answer.json["acts"]
    assert rest["next"] is None


def test_an_act_is_one_however_often_it_is_asked_for(api: InProcess, operator: str) -> None:
    """A request that is answered again does nothing; and looks all day long are one an hour."""
    game = api.people().game
    again = {"Idempotency-Key": "lost"}
    tokens = {
        api.call("POST", f"/v1/games/{game}/seats/0/token", token=operator, headers=again).json["token"]
        for _ in range(3)
    }
    for _ in range(3):
        api.get(f"/v1/games/{game}?as=all", api.key)
    looks = api.store.connection.command("KEYS", "{operator}:looked:*")
    acts = api.get("/v1/operator-acts", operator)["acts"]
    assert len(tokens) == 1
    assert [each["what"] for each in acts] == ["hidden_cards_seen", "seat_token_replaced"]
    assert [LOOKING_SECONDS - api.store.connection.command("TTL", each) < 60 for each in looks] == [True]


def test_hidden_cards_are_not_shown_where_the_look_cannot_be_written_down(api: InProcess) -> None:
    """The trail fails closed; and the next look is written down again."""
    party = api.people()
    command = api.store.connection.command
    command("SET", "{operator}:acts", "no stream")
    answer = api.call("GET", f"/v1/games/{party.game}?as=all", token=api.key)
    assert answer.status >= 500
    assert b'"cards"' not in answer.body
    command("DEL", "{operator}:acts")
    api.get(f"/v1/games/{party.game}?as=all", api.key)
    assert command("XLEN", "{operator}:acts") == 1


def test_keys_are_made_and_revoked_from_the_command_line(
    api: InProcess, store_environment: dict[str, str]
) -> None:
    """By whoever can reach the store: create, list, show, revoke, and what was done."""

    def run(*arguments: str, status: int = 0) -> Any:
        done = CliRunner().invoke(main, [*arguments, "--json"], env=store_environment)
        assert done.exit_code == status, done.output
        return json.loads(done.output) if status == 0 else done.output

    made = run("keys", "create", "bots", "--scope", "create_games", "--expires", "30d")
    assert api.call("POST", "/v1/games", SEATS, token=made["token"]).status == 201
    assert run("keys", "show", made["id"])["last_used"] is not None
    assert made["id"] in [each["id"] for each in run("keys", "list")]
    assert run("keys", "revoke", made["id"])["revoked"] is not None
    assert api.call("POST", "/v1/games", SEATS, token=made["token"]).status == 401
    operator = run("keys", "create", "me", "--kind", "operator")
    assert api.call("GET", "/v1/keys", token=operator["token"]).status == 200
    acts = [(each["who"], each["what"], each["about"]) for each in run("operator-acts")]
    assert acts == [
        ("command line", "key_created", operator["id"]),
        ("command line", "key_revoked", made["id"]),
        ("command line", "key_created", made["id"]),
    ]
    run("keys", "show", "key_0", status=1)
    run("keys", "create", "x", status=2)
    run("keys", "create", "a\nb", "--kind", "operator", status=2)
    run("keys", "create", "x", "--scope", "audit", "--expires", "soon", status=2)
    plain = CliRunner().invoke(main, ["keys", "list"], env=store_environment)
    assert made["id"] in plain.output
    assert made["token"] not in plain.output


def test_a_process_remembers_which_uses_it_wrote_down(api: InProcess) -> None:
    """Once a minute per key, so that reading stays reading."""
    api.get("/v1/keys/self", api.key)
    key = api.get("/v1/keys/self", api.key)["id"]
    assert list(api.app.extensions[EXTENSION].key_uses) == [key]
