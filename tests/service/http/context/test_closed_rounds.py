"""What leaves the service of a duplicate round while its secret is closed: tested on the bytes, at all addresses."""

from dataclasses import dataclass

import pytest

from events.chain.commitments import salt
from events.game.dealing import shuffle_key
from events.log.disclosure import ALL, form_for
from service.access.keys import OPERATOR
from service.access.store import Keys
from service.openapi import contract
from tests.service.http.context.test_hidden_values import hidden
from tests.service.in_process import InProcess, Stored
from tests.support.http_play import Answer
from tests.support.rounds import SECRET, closed_table, opened

BLIND = ("read_games", "audit")
"""Scopes of keys that may not see what is hidden while a game runs."""
FILLED = {"disputes": "1", "number": "1", "dispute": "1", "seat": "0", "version": "1"}
"""What stands in an address besides the game."""


@dataclass(frozen=True)
class Round:
    """A table that has ended, one that goes on, and everybody who asks about the first."""

    api: InProcess
    ended: Stored
    running: Stored
    tokens: dict[str, str | None]


@pytest.fixture
def played(api: InProcess) -> Round:
    """Return a round with one table that is late."""
    ended = api.keep(closed_table("table-1", 1))
    running = api.keep(closed_table("table-2", 2, stop_at=200))
    keys = Keys(api.store)
    tokens: dict[str, str | None] = {
        "nobody": None,
        "seat 0": ended.tokens[0],
    }
    tokens |= {scope: keys.create(scope, (scope,), 1) for scope in (*BLIND, "arbitrate")}
    return Round(api, ended, running, tokens | {"operator": keys.create("operator", (), 1, OPERATOR)})


def addresses(game: str) -> list[str]:
    """Every address that a game can be asked at, with GET."""
    found = [
        path
        for path, each in contract()["paths"].items()
        if "get" in each and path.startswith("/v1/games/{game}")
    ]
    assert len(found) > 15
    named = (path.replace("{game}", game) for path in found)
    for name, value in FILLED.items():
        named = (path.replace(f"{{{name}}}", value) for path in list(named))
    return list(named)


def asked(played: Round, who: str, wanted: str = "") -> list[Answer]:
    """The answers at all of them, through these eyes where they may be named."""
    answers = []
    for path in addresses(played.ended.id):
        answers.append(played.api.call("GET", path, token=played.tokens[who]))
        if wanted:
            answers.append(played.api.call("GET", f"{path}?as={wanted}", token=played.tokens[who]))
    return answers


def secrets_of(game: Stored) -> list[str]:
    """What opens everything in a game."""
    table = game.recorded.table
    return [SECRET, table.key.hex(), shuffle_key(SECRET, table.state).hex()]


def salts_hidden_from(game: Stored, viewer: int) -> list[str]:
    """The salts of all values that the viewer may not see."""
    table, found = game.recorded.table, []
    for entry in game.recorded.log:
        form = form_for(entry, table.key, ALL).entry
        found += [salt(table.key, entry.version, path) for path, _ in hidden(form, viewer)]
    return found


@pytest.mark.parametrize("who", ["nobody", "seat 0", *BLIND])
def test_nobody_sees_more_of_an_ended_table_than_of_a_running_one(played: Round, who: str) -> None:
    """Neither by any address, nor by asking for the eyes of somebody else; not even its own end opens it."""
    viewer = 0 if who == "seat 0" else -1
    hidden_values = secrets_of(played.ended) + salts_hidden_from(played.ended, viewer)
    answers = asked(played, who, "all")
    body = b"\n".join(answer.body for answer in answers)

    assert {answer.status for answer in answers} <= {200, 204, 400, 401, 403, 404, 422}
    assert who == "audit" or sum(answer.status == 200 for answer in answers) > 3
    assert [value for value in hidden_values if value.encode() in body] == []
    for path in ("", "/events", "/record"):
        answer = played.api.call("GET", f"/v1/games/{played.ended.id}{path}?as=all", token=played.tokens[who])
        assert answer.status == 403


@pytest.mark.parametrize("who", ["arbitrate", "operator"])
def test_arbiters_see_what_they_see_of_a_running_game(played: Round, who: str) -> None:
    """Hands and piles of this table, one by one; not the secret, nor the keys that everything else follows from."""
    body = b"\n".join(answer.body for answer in asked(played, who, "all"))

    assert [value for value in secrets_of(played.ended) if value.encode() in body] == []
    table = played.api.get(f"/v1/games/{played.ended.id}?as=all", played.tokens[who])
    assert table["status"] == "ended"
    assert table["secret"] is None


def test_what_one_table_shows_opens_nothing_at_another(played: Round) -> None:
    """The same card in the same place has another salt and another commitment."""
    one, other = (each.recorded for each in (played.ended, played.running))
    dealt = [next(entry for entry in each.log if entry.type == "hand_dealt") for each in (one, other)]

    assert dealt[0].data == dealt[1].data
    forms = [form_for(entry, each.table.key, 1) for entry, each in zip(dealt, (one, other), strict=True)]
    assert forms[0].entry["data"]["seat"] == forms[1].entry["data"]["seat"]
    assert not forms[0].salts.keys() ^ forms[1].salts.keys()
    assert not set(forms[0].salts.values()) & set(forms[1].salts.values())


def test_everything_opens_with_the_round(api: InProcess) -> None:
    """Then the record names the secret to everybody."""
    game = api.keep(opened(closed_table("table-1", 1)))
    record = api.call("GET", f"/v1/games/{game.id}/record")

    assert SECRET.encode() in record.body
    assert api.get(f"/v1/games/{game.id}?as=all")["status"] == "finished"
