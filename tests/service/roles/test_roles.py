"""Every role at every endpoint, in every kind of game: what is allowed, and what is never told."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from events.store.redis.redis_store import RedisEventStore
from service.http.middleware.observing import template
from service.http.pages.assets import digest
from tests.service.http.context.test_hidden_cards import named_in, named_or_drawn
from tests.service.roles.cast import BEHIND, Cast, Game, outcome
from tests.service.roles.expectations import LINES, ROLES, Line, document
from tests.support.http_play import Answer
from tests.support.servers import RunningStore

pytestmark = pytest.mark.xdist_group("roles")
DOCUMENT = Path(__file__).parents[3] / "docs" / "roles.md"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
BODIES: dict[tuple[str, str], Any] = {
    ("POST", "/v1/games"): {"system": "classic", "seats": [None] * 3, "visibility": "private"},
    ("POST", "/v1/games/{game}/seats"): {"name": "Zed", "seat": 9},
    ("POST", "/v1/games/{game}/commands"): {"type": "plant", "field": 9},
    ("POST", "/v1/games/{game}/spectators"): {},
    ("POST", "/v1/games/{game}/take-backs"): {"to_version": 1},
    ("PUT", "/v1/players/{player}"): {"name": "\u2800"},
    ("POST", "/v1/players/{player}/merge"): {"into": "ada"},
    ("POST", "/v1/webhooks"): {"url": "https://beans.example/hook"},
    ("POST", "/v1/games/{game}/branches"): {"version": 1},
    ("POST", "/v1/tournaments"): {"name": "Autumn", "system": "classic", "rounds": 1},
    ("POST", "/v1/tournaments/{tournament}/players"): {"player": "p", "name": "Pia"},
    ("POST", "/v1/tournaments/{tournament}/seat"): {"player": "p", "token": "fbp_0"},
    ("POST", "/v1/keys"): {"name": "made", "scopes": ["audit"]},
}
"""What is sent: where it would change the game, something that the rules refuse."""
PLACES = {
    "{seat}": "1",
    "{dispute}": "1",
    "{spectator}": "spectator_0",
    "{system}": "classic",
    "{key}": "key_0",
    "{player}": "ada",
    "{name}": "page.js",
    "{release}": digest(),
    "{file}": "table/cards.js",
    "{webhook}": "wh_0",
    "{delivery}": "msg_0",
}
NAMES_THE_DECK = {"/v1/games/{game}/catalogue"}
"""What shows which cards there are, and says nothing about where they lie."""
DRAWS = {"scene", "history"}
"""What draws cards by their numbers in the deck, of which it says each card's name."""
SHOWS_ALL = {"/v1/games/{game}/branches"}
"""What shows everything to whoever gets an answer."""
SEES_ALL = {"arbitrate", "operator"}


@pytest.fixture(scope="module")
def cast(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cast]:
    """Yield everybody, with their games, on a store of their own; no cell changes what another one looks at."""
    with RunningStore(tmp_path_factory.mktemp("roles")) as running:
        store = RedisEventStore.connect(running.url)
        everybody = Cast(store)
        yield everybody
        everybody.api.close()
        store.close()


def address_of(line: Line, game: str, tournament: str = "") -> str:
    """The address of a line, about a game or a tournament."""
    address = line.address.replace("{game}", game).replace("{tournament}", tournament)
    for name, value in PLACES.items():
        address = address.replace(name, value)
    return address


def is_about(line: Line, game: Game) -> bool:
    """Whether a line speaks of this game."""
    return line.games == ("private" if game.visibility == "private" else "any")


def expected(cell: str, game: Game) -> str:
    """What a cell means in a game."""
    if cell != "end":
        return cell
    return "yes" if game.status == "finished" else "403"


def cards_told(line: Line, answer: Answer) -> set[str]:
    """The cards that an answer tells of."""
    draws = line.address.partition("?")[0].rpartition("/")[2] in DRAWS
    return named_or_drawn(answer.json) if draws and answer.status == 200 else named_in(answer.body)


def check_nothing_hidden(line: Line, role: str, game: Game, answer: Answer) -> None:
    """Fail when an answer names a card that the role was not shown, or something that it may not see yet."""
    eyes = line.address.partition("?as=")[2]
    if (eyes == "all" or line.address in SHOWS_ALL) and role in SEES_ALL:
        return
    found = set() if line.address in NAMES_THE_DECK else cards_told(line, answer)
    may_know = game.known[0] if role == "seat" or eyes == "seat:0" else game.known[None]
    assert found <= may_know, f"{role} was told of {found - may_know}"
    if role in BEHIND:
        sent = answer.body + repr(sorted(answer.headers.items())).encode()
        assert not [each for each in game.late if each.encode() in sent], f"{role} saw what is yet to come"


@pytest.mark.parametrize("line", [each for each in LINES if each.games != "-"], ids=lambda each: each.name)
def test_each_role_gets_what_the_table_says_about_a_game(cast: Cast, line: Line) -> None:
    """In open, running and finished games, with hidden cards and versions searched for in the raw bytes."""
    for game in cast.games:
        if not is_about(line, game):
            continue
        for role, cell in line.cells.items():
            answer = cast.ask(line.method, address_of(line, game.id), role, game, BODIES.get(line.endpoint))
            where = f"{role} in a {game.visibility} {game.status} game: {answer.status} {answer.body[:300]!r}"
            assert outcome(answer) == expected(cell, game), where
            if game.status == "running":
                check_nothing_hidden(line, role, game, answer)


@pytest.mark.parametrize("line", [each for each in LINES if each.games == "-"], ids=lambda each: each.name)
def test_each_role_gets_what_the_table_says_elsewhere(cast: Cast, line: Line) -> None:
    """Also at addresses that are not about one game."""
    for role, cell in line.cells.items():
        game = cast.games[0] if role in {"seat", "spectator"} else None
        answer = cast.ask(
            line.method, address_of(line, "", cast.tournament), role, game, BODIES.get(line.endpoint)
        )
        assert outcome(answer) == cell, f"{role}: {answer.status} {answer.body[:300]!r}"
        if line.address != "/v1/games" or line.method != "GET":
            continue
        for hidden in cast.games:
            if hidden.status == "running":
                check_nothing_hidden(line, role, hidden, answer)


@pytest.mark.parametrize(
    "line", [each for each in LINES if "404" in each.cells.values()], ids=lambda each: each.name
)
def test_a_private_game_is_answered_like_one_that_does_not_exist(cast: Cast, line: Line) -> None:
    """Status, headers and body are the same to the last byte."""
    for game in (each for each in cast.games if each.visibility == "private"):
        for role in (role for role, cell in line.cells.items() if cell == "404"):
            body = BODIES.get(line.endpoint)
            private = cast.ask(line.method, address_of(line, game.id), role, game, body)
            absent = cast.ask(line.method, address_of(line, "a" * len(game.id)), role, game, body)
            assert private == absent, role


def test_a_private_game_is_looked_for_as_one_that_does_not_exist_is(cast: Cast) -> None:
    """The store is asked the same things in both cases, so the time it takes tells nothing either."""
    command = cast.api.store.connection.command

    def asked() -> Counter[str]:
        """How often the server has got each command; notes of a key's use, once a minute, aside."""
        stats = re.findall(r"cmdstat_(\S+?):calls=(\d+)", command("INFO", "commandstats").decode())
        return Counter({name: int(calls) for name, calls in stats if name not in {"info", "hset"}})

    def asked_for(game: str, line: Line, role: str) -> Counter[str]:
        before = asked()
        cast.ask(line.method, address_of(line, game), role, None, BODIES.get(line.endpoint))
        return asked() - before

    for game in (each for each in cast.games if each.visibility == "private"):
        for line in (each for each in LINES if each.cells["nobody"] == "404"):
            for role in ("nobody", "create", "other seat"):
                private, absent = (asked_for(each, line, role) for each in (game.id, "a" * len(game.id)))
                assert private == absent
                assert private["hmget"] >= 1


def test_methods_that_an_address_does_not_take_tell_nothing(cast: Cast) -> None:
    """405 for everybody, whatever the game."""
    rules = {rule.rule for rule in cast.api.app.url_map.iter_rules() if "<string:game>" in rule.rule}
    private = next(each for each in cast.games if each.visibility == "private")
    for rule in rules:
        path = rule.replace("<string:seat>", "1").replace("<string:spectator>", "spectator_0")
        taken = {line.method for line in LINES if line.endpoint[1] == described(rule)}
        for method in set(METHODS) - taken:
            answers = [
                cast.ask(method, path.replace("<string:game>", game), "nobody", None)
                for game in (private.id, "a" * len(private.id))
            ]
            assert answers[0] == answers[1]
            assert (answers[0].status, answers[0].json["code"]) == (405, "method_not_allowed")


def test_head_is_answered_as_get_is(cast: Cast) -> None:
    """With the same status for every role, and without a body."""
    for line in (each for each in LINES if each.method == "GET" and each.games in {"private", "-"}):
        game = next(each for each in cast.games if (each.visibility, each.status) == ("private", "running"))
        for role in ROLES:
            address = address_of(line, game.id)
            head, get = (cast.ask(method, address, role, game) for method in ("HEAD", "GET"))
            assert (head.status, head.body) == (get.status, b"")


def test_only_who_may_see_a_game_finds_it_in_the_list(cast: Cast) -> None:
    """Strangers find public games, creators their own too, readers and operators all, auditors what has finished."""
    found = {
        role: {
            each["game"] for each in cast.ask("GET", "/v1/games?limit=200", role, cast.games[0]).json["games"]
        }
        for role in ROLES
        if role not in {"revoked", "malformed"}
    }
    public = {each.id for each in cast.games if each.visibility == "public"}
    every = {each.id for each in cast.games}
    ours = {role: games & every for role, games in found.items()}
    assert (
        public
        == ours["nobody"]
        == ours["spectator"]
        == ours["seat"]
        == ours["other seat"]
        == ours["create"]
        == ours["webhooks"]
    )
    assert every == ours["creator"] == ours["read"] == ours["arbitrate"] == ours["operator"]
    assert ours["audit"] == public | {each.id for each in cast.games if each.status == "finished"}


def test_every_endpoint_has_its_line(cast: Cast) -> None:
    """A new endpoint, or a new method of one, comes with a line of the table; and the other way round."""
    served = {
        (method, described(rule.rule))
        for rule in cast.api.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert {line.endpoint for line in LINES} == served
    for endpoint in served:
        games = {line.games for line in LINES if line.endpoint == endpoint and "?game=" not in line.address}
        assert games == ({"any", "private"} if "{game}" in endpoint[1] else {"-"})


def test_the_document_is_what_the_table_says() -> None:
    """docs/roles.md has not drifted."""
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "run `python -m tests.service.roles`"


def test_the_search_would_find_what_is_hidden(cast: Cast) -> None:
    """What an operator sees of a running game is full of cards and versions that others must not see."""
    for game in (each for each in cast.games if each.status == "running"):
        answer = cast.ask("GET", f"/v1/games/{game.id}/events?as=all", "operator", game)
        assert len(named_in(answer.body) - game.known[0]) >= 50
        assert all(each.encode() in answer.body for each in game.late)


def described(rule: str) -> str:
    """An address of the application as the table writes it."""
    return template(rule)
