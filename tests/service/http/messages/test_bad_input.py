"""Bad input: each case gets its own problem document, and the log stays as it is."""

import json
from typing import Any

import pytest

from tests.service.in_process import InProcess
from tests.support.http_play import Answer

BOTH_WAYS = True
GAME = "/v1/games/{game}"
SEND = "/v1/games/{game}/commands"
TAKE = "/v1/games/{game}/seats"
PLANT = b'{"type": "plant", "field": 0}'
DEEP = b"[" * 20_000 + b"]" * 20_000

BODIES: dict[str, tuple[bytes, int, str]] = {
    "nothing": (b"", 400, "malformed_json"),
    "no JSON": (b"plant 0", 400, "malformed_json"),
    "cut off": (PLANT[:-1], 400, "malformed_json"),
    "two values": (PLANT * 2, 400, "malformed_json"),
    "invalid UTF-8": (b'{"type": "say", "text": "\xff\xfe"}', 400, "malformed_json"),
    "UTF-16": ('{"type": "plant"}'.encode("utf-16"), 400, "malformed_json"),
    "lone surrogate": (b'{"type": "say", "text": "\\ud800"}', 400, "malformed_json"),
    "zero byte": (b'{"type": "say", "text": "\\u0000"}', 422, "bad_text"),
    "raw zero byte": (b'{"type": "say", "text": "\x00"}', 400, "malformed_json"),
    "NaN": (b'{"type": "plant", "field": NaN}', 400, "malformed_json"),
    "infinity": (b'{"type": "plant", "field": 1e999}', 400, "malformed_json"),
    "deep nesting": (DEEP, 400, "malformed_json"),
    "member twice": (b'{"type": "plant", "field": 0, "field": 1}', 400, "malformed_json"),
    "number of 5000 digits": (b'{"type": "plant", "field": ' + b"9" * 5000 + b"}", 400, "malformed_json"),
    "number of 40 digits": (b'{"type": "plant", "field": ' + b"9" * 40 + b"}", 422, "schema_violation"),
    "null": (b"null", 422, "schema_violation"),
    "a string": (b'"plant"', 422, "schema_violation"),
    "no commands": (b"[]", 422, "schema_violation"),
    "too many commands": (b"[" + b",".join([PLANT] * 21) + b"]", 422, "schema_violation"),
    "a list of lists": (b"[[]]", 422, "schema_violation"),
    "no type": (b"{}", 422, "schema_violation"),
    "unknown type": (b'{"type": "cheat"}', 422, "schema_violation"),
    "the dealer's type": (b'{"type": "shuffle", "pile": "draw", "order": []}', 422, "schema_violation"),
    "the host's type": (
        b'{"type": "take_seat", "seat": 0, "name": "x", "kind": "human"}',
        422,
        "schema_violation",
    ),
    "type of another type": (b'{"type": ["plant"]}', 422, "schema_violation"),
    "missing field": (b'{"type": "plant"}', 422, "schema_violation"),
    "extra field": (b'{"type": "plant", "field": 0, "seat": 1}', 422, "schema_violation"),
    "text for a number": (b'{"type": "plant", "field": "0"}', 422, "schema_violation"),
    "truth for a number": (b'{"type": "plant", "field": true}', 422, "schema_violation"),
    "fraction for a number": (b'{"type": "plant", "field": 0.5}', 422, "schema_violation"),
    "1.0 for a number": (b'{"type": "plant", "field": 1.0}', 422, "schema_violation"),
    "null for a number": (b'{"type": "plant", "field": null}', 422, "schema_violation"),
    "number for a list": (b'{"type": "offer", "hand": 1}', 422, "schema_violation"),
    "list for a mapping": (b'{"type": "offer", "want": ["blue"]}', 422, "schema_violation"),
    "long text": (b'{"type": "say", "text": "' + b"x" * 601 + b'"}', 422, "schema_violation"),
    "line break": (b'{"type": "say", "text": "a\\nb"}', 422, "bad_text"),
    "no such field": (b'{"type": "plant", "field": 7}', 422, "no_such_field"),
    "out of phase": (b'{"type": "draw"}', 422, "wrong_phase"),
    "too large": (b'{"type": "say", "text": "' + b"x" * 10_000_000 + b'"}', 413, "body_too_large"),
}

Case = tuple[str, str, dict[str, str], int, str]
REQUESTS: dict[str, Case] = {
    "no such address": ("GET", "/v1/game", {}, 404, "not_found"),
    "double slash in front": ("GET", "//v1/games", {}, 404, "not_found"),
    "double slash inside": ("GET", "/v1//games", {}, 404, "not_found"),
    "no such game": ("GET", "/v1/games/nobody-knows", {}, 404, "game_not_found"),
    "game id too long": ("GET", "/v1/games/" + "x" * 65, {}, 404, "game_not_found"),
    "path of 3000 bytes": ("GET", "/v1/games/" + "x" * 3000, {}, 404, "game_not_found"),
    "game id with braces": ("GET", "/v1/games/%7Bp00%7D:feed", {}, 404, "game_not_found"),
    "game id with a line break": ("GET", "/v1/games/a%0Ab/events", {}, 404, "game_not_found"),
    "game id with a zero byte": ("GET", "/v1/games/a%00/record", {}, 404, "game_not_found"),
    "game id with a star": ("GET", "/v1/games/*/validations", {}, 404, "game_not_found"),
    "game id of bytes": ("GET", "/v1/games/%ff%fe", {}, 404, "game_not_found"),
    "two dots": ("GET", "/v1/games/%2e%2e", {}, 404, "game_not_found"),
    "unknown method": ("BREW", GAME, {}, 405, "method_not_allowed"),
    "DELETE": ("DELETE", GAME, {}, 405, "method_not_allowed"),
    "OPTIONS": ("OPTIONS", GAME, {}, 405, "method_not_allowed"),
    "PUT": ("PUT", SEND, {}, 405, "method_not_allowed"),
    "unknown parameter": ("GET", GAME + "?version=1", {}, 422, "schema_violation"),
    "version in words": ("GET", GAME + "?at=first", {}, 422, "schema_violation"),
    "version 0": ("GET", GAME + "?at=0", {}, 422, "schema_violation"),
    "version of 5000 digits": ("GET", GAME + "?at=" + "9" * 5000, {}, 422, "schema_violation"),
    "version to come": ("GET", GAME + "?at=9999", {}, 404, "no_such_version"),
    "no such viewer": ("GET", GAME + "?as=dealer", {}, 422, "schema_violation"),
    "no such seat": ("GET", GAME + "?as=seat:5", {}, 404, "no_such_seat"),
    "events to come": ("GET", GAME + "/events?after=9999", {}, 404, "no_such_version"),
    "waiting too long": ("GET", GAME + "/events?wait=61", {}, 422, "schema_violation"),
    "no events": ("GET", GAME + "/events?limit=-1", {}, 422, "schema_violation"),
    "bad Last-Event-ID": ("GET", GAME + "/events", {"Last-Event-ID": "-1"}, 400, "bad_last_event_id"),
    "long Last-Event-ID": ("GET", GAME + "/events", {"Last-Event-ID": "1" * 16}, 400, "bad_last_event_id"),
    "HTML wanted": ("GET", GAME + "/events", {"Accept": "text/html"}, 406, "not_acceptable"),
    "bad cursor": ("GET", "/v1/games?cursor=%00", {}, 400, "bad_cursor"),
    "no such status": ("GET", "/v1/games?status=lost", {}, 422, "schema_violation"),
    "no token": ("GET", SEND, {}, 401, "seat_required"),
    "another scheme": ("GET", SEND, {"Authorization": "Basic YTpi"}, 401, "bad_token"),
    "empty token": ("GET", SEND, {"Authorization": "Bearer "}, 401, "bad_token"),
    "no token of ours": ("GET", GAME, {"Authorization": "Bearer abc"}, 401, "bad_token"),
    "token of bytes": ("GET", GAME, {"Authorization": "Bearer fbs_\xe9\xff"}, 403, "not_your_game"),
    "long token": ("GET", GAME, {"Authorization": "Bearer fbk_" + "0" * 5000}, 401, "bad_token"),
    "somebody else's token": ("GET", SEND, {"Authorization": "Bearer fbs_" + "0" * 40}, 403, "not_your_game"),
}

HEADERS: dict[str, tuple[dict[str, str], int, str]] = {
    "no content type": ({"Content-Type": ""}, 415, "unsupported_media_type"),
    "a form": ({"Content-Type": "application/x-www-form-urlencoded"}, 415, "unsupported_media_type"),
    "plain text": ({"Content-Type": "text/plain"}, 415, "unsupported_media_type"),
    "another charset": ({"Content-Type": "application/json; charset=latin-1"}, 415, "unsupported_media_type"),
    "compressed": ({"Content-Encoding": "gzip"}, 415, "unsupported_content_encoding"),
    "empty key": ({"Idempotency-Key": ""}, 400, "bad_idempotency_key"),
    "long key": ({"Idempotency-Key": "x" * 201}, 400, "bad_idempotency_key"),
    "key of bytes": ({"Idempotency-Key": "\xe9"}, 400, "bad_idempotency_key"),
    "key with a quote": ({"Idempotency-Key": 'a"b'}, 400, "bad_idempotency_key"),
    "If-Match in words": ({"If-Match": "newest"}, 400, "bad_if_match"),
}


def check_problem(answer: Answer, status: int, code: str) -> None:
    """Every problem document has the same members and says nothing about our insides."""
    assert answer.status == status, answer.body
    assert answer.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json
    assert problem["status"] == status
    assert problem["code"] == code
    assert problem["type"].endswith(code)
    assert problem["title"]
    assert len(problem["detail"]) > 10
    text = answer.body.decode().lower()
    assert not any(word in text for word in ("traceback", "<html", "<!doctype", ".py", "/home/", "redis"))


@pytest.mark.parametrize("name", BODIES)
def test_a_bad_body(api: InProcess, name: str) -> None:
    """What is no command, or none that the rules allow, is refused with its reason."""
    body, status, code = BODIES[name]
    party = api.people()
    before = api.store.head(party.game)
    answer = api.call("POST", SEND.format(game=party.game), raw=body, token=party.tokens[0])
    check_problem(answer, status, code)
    assert api.store.head(party.game) == before
    assert party.send(0, json.loads(PLANT)).status == 200


@pytest.mark.parametrize("name", REQUESTS)
def test_a_bad_request(api: InProcess, name: str) -> None:
    """Addresses, methods, parameters and headers that lead nowhere."""
    method, path, headers, status, code = REQUESTS[name]
    party = api.people()
    before = api.store.head(party.game)
    answer = api.call(method, path.replace("{game}", party.game), headers=headers)
    check_problem(answer, status, code)
    assert ("allow" in answer.headers) == (status == 405)
    assert ("www-authenticate" in answer.headers) == (status == 401)
    assert api.store.head(party.game) == before


@pytest.mark.parametrize("name", HEADERS)
def test_bad_headers_of_a_command(api: InProcess, name: str) -> None:
    """Content types, keys and versions that cannot be understood are never ignored."""
    headers, status, code = HEADERS[name]
    party = api.people()
    before = api.store.head(party.game)
    path = SEND.format(game=party.game)
    answer = api.call("POST", path, raw=PLANT, token=party.tokens[0], headers=headers)
    check_problem(answer, status, code)
    assert api.store.head(party.game) == before


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"type": "offer", "to": 1, "hand": [99]}, "not_in_hand"),
        ({"type": "offer", "to": 1, "hand": [1, 1]}, "card_named_twice"),
        ({"type": "offer", "to": 1, "revealed": [99]}, "not_revealed"),
        ({"type": "offer", "to": 7, "want": {"blue": 1}}, "wrong_addressee"),
        ({"type": "offer", "to": 1, "want": {"gold": 1}}, "no_such_variety"),
        ({"type": "offer", "to": 1, "want": {"blue": 0}}, "bad_amount"),
        ({"type": "offer", "to": 1}, "offer_empty"),
        ({"type": "accept", "offer": 1}, "no_such_offer"),
        ({"type": "plant", "field": 0}, "wrong_phase"),
        ({"type": "harvest", "field": 1}, "field_empty"),
        ({"type": "buy_field"}, "not_enough_coins"),
    ],
)
def test_a_refused_trade(api: InProcess, body: Any, code: str) -> None:
    """The numbers of cards, offers and fields must be there; the rule that says no is named."""
    party = api.people()
    for command in ({"type": "plant", "field": 0}, {"type": "reveal"}):
        party.send(0, command)
    before = api.store.head(party.game)
    answer = api.call("POST", SEND.format(game=party.game), body, token=party.tokens[0])
    check_problem(answer, 422, code)
    assert api.store.head(party.game) == before


def test_errors_of_a_schema_are_all_named(api: InProcess) -> None:
    """Every member that is wrong is named by a JSON Pointer."""
    party = api.people()
    body = [{"type": "plant"}, {"type": "offer", "hand": ["x"], "a/b~c": 1}]
    answer = api.call("POST", SEND.format(game=party.game), body, token=party.tokens[0])
    check_problem(answer, 422, "schema_violation")
    assert {each["pointer"] for each in answer.json["errors"]} == {"/0/field", "/1/hand/0", "/1/a~1b~0c"}
