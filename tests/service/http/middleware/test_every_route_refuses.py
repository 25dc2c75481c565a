"""Bad input at every address that there is: a problem document with a stable code, never HTML, never a 500.

The addresses come from the application, so a new one is tried as soon as it is there.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest
from werkzeug.routing import Rule

from service.access.keys import OPERATOR
from service.access.store import Keys
from service.http.middleware.observing import template
from service.http.pages.assets import digest
from service.http.resources.reference_page import FILES
from tests.contract.references import paths
from tests.service.in_process import InProcess
from tests.support.depth import depth
from tests.support.http_play import Answer

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW")
DEEP = b"[" * 20_000 + b"]" * 20_000
LONG = "x" * depth(50_000, 1_000_000)

BODIES = {
    "nothing": b"",
    "no JSON": b"plant 0",
    "cut off": b'{"type": "plant"',
    "two values": b"{}{}",
    "invalid UTF-8": b'{"name": "\xff\xfe"}',
    "UTF-16": '{"name": "Ada"}'.encode("utf-16"),
    "byte order mark": b'\xef\xbb\xbf{"name": "Ada"}',
    "lone surrogate": b'{"name": "\\ud800"}',
    "zero byte": b'{"name": "\x00"}',
    "NaN": b'{"seat": NaN}',
    "infinity": b'{"seat": 1e999}',
    "minus infinity": b'{"seat": -Infinity}',
    "deep nesting": DEEP,
    "member twice": b'{"name": "Ada", "name": "Bob"}',
    "huge integer": b'{"name": "Ada", "seat": ' + b"9" * 5000 + b"}",
    "large integer": b'{"name": "Ada", "seat": ' + b"9" * 40 + b"}",
    "null": b"null",
    "a number": b"1",
    "a string": b'"plant"',
    "an empty list": b"[]",
    "a list of lists": b"[[[]]]",
    "an empty object": b"{}",
    "unknown members": b'{"__proto__": {}, "constructor": 1}',
    "names of nothing": b'{"system": {}, "seats": {}, "type": [], "name": [], "seat": {}}',
    "too large": b'{"name": "' + b"x" * 200_000 + b'"}',
}
"""None of these is what any address takes."""

TYPES = (
    "",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/jsonx",
    "/",
    ";;;",
)

HEADERS: dict[str, tuple[str, ...]] = {
    "Authorization": (
        "",
        "Bearer",
        "Bearer ",
        "Basic YTpi",
        "Bearer x",
        "Bearer fbk_",
        "Bearer fbs_\xe9",
        LONG,
    ),
    "Accept": ("", ",", ";;;", "text", "*/json", "a/b;q=x", "\xff", LONG),
    "If-None-Match": ("", ",", '"', "W/", "*, *", '"\xff"', LONG),
    "If-Match": ("", "13", '"13"', '"x-00000000"', '"1-00000000", "2-00000000"', "\xff", LONG),
    "If-Modified-Since": ("", "yesterday", LONG),
    "Range": ("", "bytes=", "bytes=5-1", "lines=1", LONG),
    "Last-Event-ID": ("", "-1", "1.5", "9" * 400, "\xff", LONG),
    "Idempotency-Key": ("", '"', '"a', 'a"b', "a, b", "\xe9", LONG),
    "Content-Encoding": ("gzip", "", "\xff"),
    "Cookie": (";;;", LONG),
    "X-Forwarded-Prefix": ("/elsewhere",),
    "Accept-Encoding": ("\xff", LONG),
}

VALUES = (
    "",
    "-1",
    "1.5",
    "1e9",
    "9" * 400,
    "%00",
    "%ff",
    "null",
    "[]",
    "{}",
    "true",
    "\N{SEEDLING}",
    "../..",
    "x" * 3000,
    "41\n",
    "all\n",
    "seat:1\n",
)
IDS = (
    "*",
    "%00",
    "%ff%fe",
    "a%0Ab",
    "..%2f..",
    "%2e%2e",
    "{p00}",
    "x" * 3000,
    "\N{SEEDLING}",
    "%F0%9F",
    "null",
    "-1",
)


KNOWN = {
    "{system}": "classic",
    "{seat}": "1",
    "{dispute}": "1",
    "{spectator}": "spectator_0",
    "{key}": "key_0",
    "{name}": next(iter(FILES)),
    "{release}": digest(),
    "{file}": "table/cards.js",
    "{webhook}": "wh_0",
    "{delivery}": "msg_0",
    "{player}": "ada",
    "{tournament}": "autumn",
}
"""What stands for the variables of addresses, besides the game."""
SHELLS = {"/games/<string:game>", "/tournaments/<string:tournament>", "/ratings/<string:player>"}
"""Pages that are the same for everything of their kind, and find out for themselves whether it is there."""
WITHOUT_BODY = (
    "/expiries",
    "/reservations",
    "/tickets",
    "/token",
    "/verify",
    "/disable",
    "/redeliver",
    "/withdrawal",
    "/resumption",
    "/claim",
    "/acceptance",
    "/agreement",
    "/refusal",
    "/rematch",
    "/start",
)
"""Where nothing is asked for by a body, so none is read."""

OF_SEATS = ("/commands", "/take-backs", "/agreement", "/refusal")
"""What only a seat is answered to."""
OF_THE_TABLE = ("/disputes", "/withdrawal", "/resumption", "/acceptance", "/appeal")
"""What only the table does, and the key that set the game up: no operator."""


class Place(NamedTuple):
    """An address that answers, and how."""

    rule: Rule
    path: str
    """With a game and a system that there are."""

    @property
    def methods(self) -> set[str]:
        """The methods that it takes."""
        return set(self.rule.methods or ())


def places(api: InProcess, game: str | None = None) -> Iterator[Place]:
    """Every address of the application, about a game that has just begun."""
    game = game or api.people().game
    for rule in api.app.url_map.iter_rules():
        path = template(rule.rule).replace("{game}", game)
        for variable, value in KNOWN.items():
            path = path.replace(variable, value)
        assert "{" not in path, f"say here what stands for the variables of {rule.rule}"
        yield Place(rule, path)


def methods_at(api: InProcess, path: str) -> set[str]:
    """The methods that an address takes."""
    return set(api.app.url_map.bind("localhost").allowed_methods(path))


def operator(api: InProcess) -> str:
    """The key of an operator, who is refused nothing for want of a right."""
    return Keys(api.store).create("operator", (), 1, OPERATOR)


def check(answer: Answer, what: object) -> None:
    """An answer that is fine, or a problem document that tells its reader something and nothing about us."""
    assert answer.status < 500, (what, answer.body[:500])
    if answer.status < 400:
        return
    assert answer.headers["content-type"] == "application/problem+json", what
    problem: dict[str, Any] = json.loads(answer.body)
    assert problem["status"] == answer.status, what
    assert problem["type"] == f"urn:fieldbook:problem:{problem['code']}", what
    assert problem["title"], what
    assert problem["detail"], what
    text = answer.body.decode().lower()
    assert not any(word in text for word in ("traceback", "<html", "<!doctype", "/home/", "redis")), what
    assert len(answer.body) < 20_000, what


def refused(answer: Answer, status: int, code: str, what: object) -> None:
    """A refusal of one kind."""
    check(answer, what)
    assert (answer.status, answer.json["code"]) == (status, code), (what, answer.body[:300])


def test_a_method_that_an_address_does_not_take(api: InProcess) -> None:
    """405 with all those that it takes in `Allow`; HEAD is one wherever GET is."""
    for place in places(api):
        assert ("HEAD" in place.methods) == ("GET" in place.methods)
        taken = methods_at(api, place.path)
        for method in (each for each in METHODS if each not in taken):
            answer = api.call(method, place.path, token=api.key)
            refused(answer, 405, "method_not_allowed", (method, place.path))
            assert set(answer.headers["allow"].split(", ")) == taken


def test_parameters_that_nobody_knows_or_that_are_given_twice(api: InProcess) -> None:
    """422 that names the parameter: what is passed over in silence is taken for granted by who sent it."""
    documented, key, party = paths(), operator(api), api.people()
    for place in places(api, party.game):
        for method in {"GET", "POST"} & place.methods if place.path.startswith("/v1") else ():
            of_a_game = place.path.startswith("/v1/games/")
            is_seats = of_a_game and place.path.endswith((*OF_SEATS, *OF_THE_TABLE))
            token = party.tokens[0] if is_seats else key
            answer = api.call(method, f"{place.path}?nonsense=1", token=token)
            refused(answer, 422, "schema_violation", (method, place.path))
            assert "nonsense" in {each["parameter"] for each in answer.json["errors"]}
            operation = documented[template(place.rule.rule)][method.lower()]
            for name in parameters(operation):
                answer = api.call(method, f"{place.path}?{name}=1&{name}=1", token=token)
                refused(answer, 422, "schema_violation", (method, place.path, name))
                assert answer.json["errors"][0]["parameter"] == name


def parameters(operation: dict[str, Any]) -> list[str]:
    """The names of an operation's query parameters."""
    return [each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"]


def test_values_that_a_parameter_cannot_have(api: InProcess) -> None:
    """Whatever stands for a number, a cursor, a viewer or a time."""
    documented, key = paths(), operator(api)
    for place in places(api):
        operations = documented.get(template(place.rule.rule), {})
        for name in parameters(operations.get("get", {})):
            for value in VALUES:
                sent = value if value.startswith("%") else quote(value)
                check(api.call("GET", f"{place.path}?{name}={sent}", token=key), (place.path, name, value))


def test_names_of_nothing_in_an_address(api: InProcess) -> None:
    """404, whatever stands for a game or a system; but for a page, whose script asks with the seat's token."""
    key = operator(api)
    for rule in (each for each in api.app.url_map.iter_rules() if each.rule not in SHELLS):
        for each in IDS if "<" in rule.rule else ():
            text = each if each.startswith("%") else quote(each, safe="%/")
            path = text.join(re.split(r"{\w+}", template(rule.rule)))
            for method in {"GET", "POST"} & set(rule.methods or ()):
                body = {"type": "draw", "name": "Ada"} if method == "POST" else None
                answer = api.call(method, path, body, token=key)
                check(answer, (method, path))
                assert answer.status in {404, 422}, (method, path, answer.status)
                if method == "GET":
                    assert answer.status == 404, (path, answer.status)


def test_answers_that_nobody_accepts(api: InProcess) -> None:
    """406 before anything is done."""
    for place in places(api):
        for method in {"GET", "HEAD", "POST"} & place.methods if place.path.startswith("/v1") else ():
            answer = api.call(
                method, place.path, token=api.key, headers={"Accept": "image/png, audio/ogg;q=0.9"}
            )
            if method == "HEAD":
                assert answer.status == 406, place.path
            else:
                refused(answer, 406, "not_acceptable", (method, place.path))


@pytest.mark.deep
@pytest.mark.parametrize("name", HEADERS)
def test_headers_that_mean_nothing(api: InProcess, name: str) -> None:
    """Empty, malformed, twice, with other bytes, far too long.

    `make test` tries each header at every fifth address; `make soak` at all of them, with up to a megabyte.
    """
    for place in [*places(api)][[*HEADERS].index(name) % 5 :: depth(5, 1)]:
        for value in HEADERS[name]:
            for method in {"GET", "POST"} & place.methods:
                token = None if name == "Authorization" else api.key
                answer = api.call(method, place.path, token=token, headers={name: value})
                check(answer, (method, place.path, name, value[:50]))


@pytest.mark.parametrize("name", BODIES)
def test_bodies_that_mean_nothing(api: InProcess, name: str) -> None:
    """No address takes them, with a key, a seat's token or none; nothing has happened afterwards."""
    party = api.people()
    before = api.store.head(party.game)
    for place in [each for each in places(api) if "POST" in each.methods]:
        if place.path.endswith(WITHOUT_BODY):
            continue
        if place.path.endswith("/spectators") and name == "an empty object":
            continue  # a spectator needs no name
        path = template(place.rule.rule).replace("{game}", party.game)
        for token in (api.key, party.tokens[0], None):
            answer = api.call("POST", path, token=token, raw=BODIES[name])
            check(answer, (path, name))
            assert 400 <= answer.status < 500, (path, name, answer.status)
    assert api.store.head(party.game) == before


def test_bodies_of_another_type(api: InProcess) -> None:
    """415 wherever a body is read, whatever stands in it."""
    party, key = api.people(), operator(api)
    for place in [each for each in places(api) if "POST" in each.methods]:
        if place.path.endswith(WITHOUT_BODY):
            continue
        path = template(place.rule.rule).replace("{game}", party.game)
        token = party.tokens[0] if path.endswith((*OF_SEATS, *OF_THE_TABLE)) else key
        for kind in TYPES:
            answer = api.call(
                "POST", path, token=token, raw=b'{"type": "draw"}', headers={"Content-Type": kind}
            )
            refused(answer, 415, "unsupported_media_type", (path, kind))


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/v1",
        "/v1/",
        "/v2/games",
        "/v1/games/x/y/z",
        "/v1/games//",
        "/%00",
        "/\N{SEEDLING}",
        "/..",
    ],
)
def test_addresses_that_lead_nowhere(api: InProcess, path: str) -> None:
    """404 for every method, as a problem too."""
    for method in METHODS:
        refused(api.call(method, path), 404, "not_found", (method, path))
