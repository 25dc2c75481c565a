"""What goes the short way is answered as behind Flask, to the byte; what is asked otherwise goes the long way."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from events.store.redis.redis_store import RedisEventStore
from service.startup.web_settings import WebSettings
from tests.service.in_process import InProcess
from tests.support.http_play import Answer, Party

SAY = {"type": "say", "text": "hello"}
ONE_ORIGIN = WebSettings(cors_origins=("https://beans.example",), hsts_seconds=60)
OF_EACH_REQUEST = frozenset({"x-request-id", "date"})


@pytest.fixture
def api(store: RedisEventStore) -> Iterator[InProcess]:
    """Yield an application that says all it may say in headers."""
    with closing(InProcess(store, settings=ONE_ORIGIN)) as api:
        yield api


def ask(api: InProcess, party: Party, path: str, *, is_short: bool, headers: dict[str, str]) -> Answer:
    """The table or the legal commands of the second seat, on one of the ways."""
    before = api.short_way.answered
    api.goes_short = is_short
    answer = api.call("GET", f"/v1/games/{party.game}{path}", token=party.tokens[1], headers=headers)
    assert api.short_way.answered - before == is_short
    return answer


def cursor(api: InProcess, party: Party) -> str:
    """Where the game stands."""
    return api.call("GET", f"/v1/games/{party.game}").headers["etag"].strip('"')


@pytest.mark.parametrize("origin", ["https://beans.example", "https://elsewhere.example", None])
@pytest.mark.parametrize(
    "path",
    [
        "",
        "/commands",
        "?after=1",
        "/commands?after={earlier}",
        "/commands?after={cursor}",
        "?after={cursor}&wait=1",
    ],
)
def test_a_look_is_the_same_on_both_ways(api: InProcess, path: str, origin: str | None) -> None:
    """Status, headers and body; also where nothing is new and it was waited for."""
    party = api.people()
    earlier = cursor(api, party)
    party.play(5)
    headers = {"Origin": origin} if origin else {}
    asked = path.format(cursor=cursor(api, party), earlier=earlier)
    short, flask = (ask(api, party, asked, is_short=is_short, headers=headers) for is_short in (True, False))
    assert short.status == flask.status == 200
    assert short.body == flask.body
    assert {name: value for name, value in short.headers.items() if name not in OF_EACH_REQUEST} == {
        name: value for name, value in flask.headers.items() if name not in OF_EACH_REQUEST
    }


def test_a_command_has_the_same_headers_on_both_ways(api: InProcess) -> None:
    """It cannot be sent twice, so what differs with the version is left out of account; a repetition says so."""
    party = api.people()
    names = []
    for is_short, key in ((True, "a"), (False, "b"), (True, "b"), (False, "a")):
        api.goes_short = is_short
        answer = party.send(1, SAY, headers={"Idempotency-Key": key, "Origin": "https://beans.example"})
        names.append(
            {name: value for name, value in answer.headers.items() if name not in {*OF_EACH_REQUEST, "etag"}}
        )
    for each in names[2:]:
        assert each.pop("idempotent-replayed") == "true"
    lengths = {int(each.pop("content-length")) for each in names}
    assert max(lengths) - min(lengths) <= 1, "a version may have a digit more"
    assert names[0] == names[1] == names[2] == names[3]


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("?as=public", {}),
        ("?at=1", {}),
        ("?wait=1", {}),
        ("?after=1&after=2", {}),
        ("?after=0", {}),
        ("/commands?after=1&wait=61", {}),
        ("/events", {}),
        ("", {"If-None-Match": '"1-00000000"'}),
        ("", {"Accept": "text/html"}),
        ("?after=9999", {}),
        ("?after=1-00000000", {}),
    ],
)
def test_another_form_goes_the_long_way(api: InProcess, path: str, headers: dict[str, str]) -> None:
    """Also what is refused: problems are made in one place."""
    party = api.people()
    assert api.call("GET", f"/v1/games/{party.game}", token=party.tokens[1]).status == 200
    before = api.short_way.answered
    api.call("GET", f"/v1/games/{party.game}{path}", token=party.tokens[1], headers=headers)
    assert api.short_way.answered == before


@pytest.mark.parametrize("kind", ["spectator", "key", "nobody", "another seat"])
def test_only_seats_of_the_game_go_the_short_way(api: InProcess, kind: str) -> None:
    """Whoever else asks sees what they may see, by the one place that says so."""
    party, other = api.people(), api.people()
    made = api.call("POST", f"/v1/games/{party.game}/spectators", {}, token=party.tokens[0])
    token = {"spectator": made.json.get("token"), "key": api.key, "another seat": other.tokens[0]}.get(kind)
    for _ in range(2):
        api.call("GET", f"/v1/games/{party.game}", token=token)
    assert api.short_way.answered == 0


@pytest.mark.parametrize("path", ["", "/commands"])
def test_a_poll_on_the_short_way_is_answered_when_the_game_moves(api: InProcess, path: str) -> None:
    """At once, with the new version; its place is free again afterwards."""
    party = api.people()
    asked = f"{path}?after={cursor(api, party)}&wait=60"
    api.call("GET", f"/v1/games/{party.game}", token=party.tokens[1])
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(ask, api, party, asked, is_short=True, headers={})
        while api.get("/readyz")["streams"] == 0:
            assert not waiting.done()
        sent = InProcess(api.store)
        version = sent.call("POST", f"/v1/games/{party.game}/commands", SAY, token=party.tokens[0]).json[
            "version"
        ]
        assert waiting.result(60).json["version"] == version
        sent.close()
    while api.get("/readyz")["streams"]:
        pass


def test_a_token_that_was_replaced_shows_nothing_on_either_way(api: InProcess) -> None:
    """The store is asked at each look."""
    party = api.people()
    path = f"/v1/games/{party.game}"
    assert api.call("GET", path, token=party.tokens[1]).status == 200
    assert api.call("POST", f"{path}/seats/1/token", {}, token=api.key).status == 201
    for is_short in (True, False):
        api.goes_short = is_short
        answer = api.call("GET", path, token=party.tokens[1])
        assert (answer.status, answer.json["code"]) == (403, "not_your_game")
