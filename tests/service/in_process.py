"""The application in this process: a client that checks every answer against the contract, and first games."""

import atexit
import json
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from threading import Event, Thread
from typing import Any

import jsonschema_rs
from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map, Rule
from werkzeug.routing.exceptions import RoutingException

from events.rules.catalogues.catalogue import Catalogue
from events.store.redis.redis_store import RedisEventStore
from service.access.game_access import SECRET, GamePolicy
from service.access.keys import OPERATOR, SCOPES
from service.access.store import Keys
from service.access.tokens import seat_token, token_field
from service.bot_seats.bot_players import BotPlayers
from service.catalogues.catalogues import Catalogues
from service.http.app import attach_services, create_app
from service.http.context.services import EXTENSION, SETTINGS
from service.http.contract.headers import EVERY_ANSWER
from service.http.contract.problems import problems_of
from service.http.messages.begun import BEGUN
from service.http.middleware.security_headers import HEADERS
from service.openapi import contract
from service.platform.configuration import BOT_PATIENCE
from service.platform.metrics import Metrics
from service.startup.web_settings import WebSettings
from service.verification.signing_keys import SigningKeys
from tests.contract.references import dereferenced
from tests.service.short_way_client import ShortWayClient
from tests.support.http_play import Answer, Party
from tests.support.recorded_games import RecordedGame, recorded_game

# The bots of a test wait for nobody, unless it says so.
os.environ.setdefault(BOT_PATIENCE.name, "0")
NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve")
OF_EVERY_SERVER = frozenset(
    {"content-type", "content-length", "vary", "x-accel-buffering", "strict-transport-security"}
    | {name.lower() for name in HEADERS}
)
"""Headers that the contract need not describe."""
NEARLY_OVER = 880
"""A version of the first recorded game shortly before its end."""


@dataclass(frozen=True)
class Stored:
    """A game whose log was put into the store whole."""

    id: str
    recorded: RecordedGame
    tokens: list[str]


@cache
def _data_folder() -> Path:
    """The data folder of this process of tests; all applications in it sign with one key, as one service's do."""
    folder = Path(mkdtemp(prefix="fieldbook-data-"))
    atexit.register(rmtree, folder, ignore_errors=True)
    return folder


class InProcess:
    """An API in this process."""

    def __init__(
        self,
        store: RedisEventStore,
        scopes: Sequence[str] = SCOPES,
        own: Sequence[Catalogue] = (),
        settings: WebSettings | None = None,
        app: Flask | None = None,
    ) -> None:
        """Make the application on a store, with the operator's own catalogues and settings, and a key for it.

        With `app` this application is taken, which has the default settings and works for nobody else any more: to
        make one takes longer than most tests.
        """
        catalogues = Catalogues({**Catalogues().by_name, **{each.name: each for each in own}})
        self.store = store
        self.signing_keys = SigningKeys(_data_folder(), "fieldbook.test/in-process")
        if app is None:
            app = create_app(store, "memory", self.signing_keys, catalogues, settings=settings)
        else:
            attach_services(
                app, store, "memory", self.signing_keys, catalogues, settings=WebSettings(), metrics=Metrics()
            )
        self.app: Flask = app
        self.goes_short = app.extensions[SETTINGS].short_way
        """Whether commands may go the short way, as they do in a service unless it is told otherwise."""
        self.short_way = ShortWayClient(app)
        self.key = Keys(store).create("tests", tuple(scopes), 1)

    def operator(self) -> str:
        """Return the token of a new operator's key."""
        return Keys(self.store).create("operator", (), 1, OPERATOR)

    def new_key(self, *scopes: str) -> str:
        """Return a further key with these scopes."""
        return Keys(self.store).create("another", scopes, 1)

    def close(self) -> None:
        """Stop listening to the feeds, so that the store can be closed."""
        self.short_way.close()
        self.app.extensions[EXTENSION].streams.close()

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
        raw: bytes | None = None,
    ) -> Answer:
        """One request; a body is sent as JSON, or as it is where it is `raw`.

        All have one request id, so that answers to the same request are the same bytes.
        """
        sent = {"X-Request-Id": "in-process"} | ({"Authorization": f"Bearer {token}"} if token else {})
        content = raw if raw is not None or body is None else json.dumps(body).encode()
        if content is not None:
            sent["Content-Type"] = "application/json"
        sent |= headers or {}
        short = self.short_way.call(method, path, sent, content) if self.goes_short else None
        if isinstance(short, Answer):
            check_against_contract(method, path, body, short)
            return short
        found = self.app.test_client().open(
            path,
            method=method,
            data=content,
            headers=sent,
            environ_overrides={} if short is None else {BEGUN: short},
        )
        answer = Answer(found.status_code, {name.lower(): value for name, value in found.headers}, found.data)
        found.close()  # as a server does when an answer is out
        check_against_contract(method, path, body, answer)
        return answer

    def get(self, path: str, token: str | None = None, **headers: str) -> Any:
        """The JSON of a GET that succeeds; headers are named with underscores."""
        answer = self.call(
            "GET", path, token=token, headers={name.replace("_", "-"): text for name, text in headers.items()}
        )
        assert answer.status == 200, answer.body
        return answer.json

    def create(self, seats: Sequence[Any], headers: Mapping[str, str] | None = None, **more: Any) -> Any:
        """Set up a game of `classic`; returns the answer's JSON."""
        body = {"system": "classic", "seats": list(seats), **more}
        answer = self.call("POST", "/v1/games", body, token=self.key, headers=headers)
        assert answer.status == 201, answer.body
        return answer.json

    def people(self, players: int = 3, seed: object = 1) -> Party:
        """A game of people that has just begun."""
        made = self.create([{"name": name} for name in NAMES[:players]])
        return Party(self, made["game"], [seat["token"] for seat in made["seats"]], random.Random(str(seed)))

    @contextmanager
    def with_a_bot(self, bot: str, **more: Any) -> Iterator[Party]:
        """A game of two people and, on the last seat, a bot that plays as long as this lasts."""
        made = self.create(
            [{"name": "Ada"}, {"name": "Bob"}, {"name": "Rob", "kind": "bot", "bot": bot}], **more
        )
        stopping = Event()
        players = Thread(target=BotPlayers(self.store).run, args=(stopping,))
        players.start()
        try:
            tokens = [seat["token"] for seat in made["seats"] if "token" in seat]
            yield Party(self, made["game"], tokens, random.Random(7))
        finally:
            stopping.set()
            players.join()

    def stored(
        self,
        seed: int = 1,
        stop_at: int | None = None,
        policy: GamePolicy | None = None,
        *,
        most_offers: int = 200,
        system: str = "classic",
    ) -> Stored:
        """A recorded game of four, whole or up to about a version, with house rules and tokens for all seats.

        One with few offers is short, and soon read and verified.
        """
        game = recorded_game(seed, most_offers=most_offers, stop_at=stop_at, system=system)
        return self.keep(game, policy)

    def keep(self, game: RecordedGame, policy: GamePolicy | None = None) -> Stored:
        """A recorded game put into the store, with house rules and tokens for all seats."""
        return keep_game(self.store, game, policy)


def keep_game(store: RedisEventStore, game: RecordedGame, policy: GamePolicy | None = None) -> Stored:
    """Put a recorded game into a store, with house rules and tokens for all seats."""
    key, seats = store.installation.token_key, range(game.table.rules.players)
    tokens = [seat_token(key, game.table.game, seat, "test") for seat in seats]
    private = {
        SECRET: game.table.secret,
        **(policy or GamePolicy()).private_fields(),
        **{token_field(each): str(seat) for seat, each in enumerate(tokens)},
    }
    store.append(
        game.table.game,
        game.log,
        expected_version=0,
        command_id="test",
        fingerprint="test",
        private=private,
    )
    return Stored(game.table.game, game, tokens)


def _rule(path: str, operations: dict[str, Any]) -> str:
    """A path of the contract as a rule, with how long its variables are at least."""
    rule = path
    for each in operations.get("parameters", ()):
        least = each["schema"].get("minLength", 1)
        rule = rule.replace("{" + each["name"] + "}", f"<string(minlength={least}):{each['name']}>")
    return rule


@cache
def _contract() -> tuple[dict[str, Any], Map]:
    document = contract()
    rules = [
        Rule(
            _rule(path, dereferenced(operations, document, schemas=False)),
            endpoint=path,
            methods=[each.upper() for each in operations],
        )
        for path, operations in document["paths"].items()
    ]
    return document, Map(rules, strict_slashes=False, merge_slashes=False)


def described_at(method: str, path: str) -> str | None:
    """The path of the contract that describes a request, or None where none does."""
    document, paths = _contract()
    if "//" in path:
        return None
    try:
        found, _ = paths.bind("localhost").match(path.partition("?")[0], method)
    except (HTTPException, RoutingException):
        return None
    return found if method.lower() in document["paths"][found] else None


@cache
def _validator(*place: str) -> jsonschema_rs.Draft202012Validator:
    """The validator for the schema at this place of the contract."""
    components = _contract()[0]["components"]
    return jsonschema_rs.Draft202012Validator({**_at(*place), "components": components})


def _at(*place: str) -> Any:
    """What stands at this place of the contract."""
    found: Any = _contract()[0]
    for step in place:
        found = found[step]
    return found


def check_headers(described: dict[str, Any], answer: Answer) -> None:
    """Fail when a header is missing that must be there, is not as described, or is of ours and not described."""
    for name, header in described.items():
        place = tuple(header["$ref"].split("/")[1:]) if "$ref" in header else None
        found = _at(*place) if place is not None else header
        value = answer.headers.get(name.lower())
        assert value is not None or not found.get("required"), (answer.status, name)
        if value is not None and place is not None:
            _validator(*place, "schema").validate(
                int(value) if found["schema"].get("type") == "integer" else value
            )
    sent = {name for name in answer.headers if not name.startswith("access-control-")}
    unknown = sent - {name.lower() for name in (*described, *EVERY_ANSWER)} - OF_EVERY_SERVER
    assert not unknown, (answer.status, unknown)


def described_answer(operation: dict[str, Any], answer: Answer) -> tuple[str, ...]:
    """Return where the contract describes this answer of an operation; a problem needs one of its codes."""
    status = str(answer.status)
    if answer.headers.get("content-type") == "application/problem+json":
        assert (answer.status, answer.json["code"]) in problems_of(operation), answer
        assert "retry-after" in answer.headers or answer.status not in {429, 503}, answer
        status = status if status in operation["responses"] else "default"
    described = operation["responses"][status]
    return tuple(described["$ref"].split("/")[1:]) if "$ref" in described else ("responses", status)


def check_against_contract(method: str, path: str, body: Any, answer: Answer) -> None:
    """Fail when a request that was accepted, or any answer with its headers, is not what the contract says."""
    place = described_at(method, path)
    if place is None:
        return
    document, _ = _contract()
    operation = document["paths"][place][method.lower()]
    where = described_answer(operation, answer)
    if where[0] == "responses":
        where = ("paths", place, method.lower(), *where)
    described = _at(*where)
    check_headers(described.get("headers", {}), answer)
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if answer.status in {204, 304}:
        return
    assert kind in described["content"], (method, path, kind, sorted(described["content"]))
    if kind.endswith("json") and "x-" not in kind:
        _validator(*where, "content", kind, "schema").validate(answer.json)
    if body is not None and answer.status < 300 and "requestBody" in operation:
        sent = ("requestBody", "content", "application/json", "schema")
        _validator("paths", place, method.lower(), *sent).validate(body)
