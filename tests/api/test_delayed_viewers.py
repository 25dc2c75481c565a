"""A viewer who sees a game late learns nothing newer from what they do (issue 43, from the attack).

Each test asks the same of two games that look alike to the viewer and stand elsewhere: the answers are the same.
"""

import json
import random
from typing import Any

import pytest

from tests.service.in_process import NAMES, InProcess
from tests.support.hosted_tournaments import HostedTournament
from tests.support.http_play import Answer, Party
from tests.support.watched_time import QUICK, WatchedTime

FOUR = ("ada", "bob", "cleo", "dan")


@pytest.fixture
def time(store: Any, monkeypatch: pytest.MonkeyPatch) -> WatchedTime:
    """Return a clock that moves only when the test moves it."""
    return WatchedTime(store, monkeypatch)


def told(answer: Answer, *hidden: str) -> tuple[Any, ...]:
    """Return all that an answer says, without these names and without the clocks of the server."""
    body = answer.body.decode()
    for each in hidden:
        body = body.replace(each, "-")
    own = {name: text for name, text in answer.headers.items() if name not in {"date", "ratelimit"}}
    return answer.status, body, own


def delayed(api: InProcess) -> tuple[Party, str]:
    """Return a game by the clock, and the token of a spectator who is 1,000 versions behind."""
    seats = [{"name": name} for name in NAMES[:3]]
    made = api.create(seats, clock=QUICK, spectator_delay=1000)
    party = Party(api, made["game"], [seat["token"] for seat in made["seats"]], random.Random(1))
    watching = api.call("POST", f"/v1/games/{party.game}/spectators", {"name": "Eve"}, token=party.tokens[0])
    return party, watching.json["token"]


def expire(party: Party, token: str) -> Answer:
    """Ask that expired time is recorded."""
    return party.api.call("POST", f"/v1/games/{party.game}/expiries", token=token)


def test_a_delayed_spectator_does_not_learn_whether_time_is_over(api: InProcess, time: WatchedTime) -> None:
    """One seat has played in time, the other one has not: both answers are the same, and nothing is recorded."""
    (played, one), (silent, other) = delayed(api), delayed(api)
    time.watch(15)
    sent = api.call(
        "POST",
        f"/v1/games/{played.game}/commands",
        {"type": "plant", "field": 0},
        token=played.tokens[0],
    )
    assert sent.status == 200
    time.watch(6)
    before = api.get(f"/v1/games/{silent.game}", silent.tokens[1])["version"]
    answers = [told(expire(party, token), party.game) for party, token in ((played, one), (silent, other))]
    assert answers[0] == answers[1]
    assert answers[0][0] == 403
    assert api.get(f"/v1/games/{silent.game}", silent.tokens[1])["version"] == before
    assert expire(silent, silent.tokens[1]).status == 200


def test_a_spectator_without_delay_has_expired_time_recorded(api: InProcess, time: WatchedTime) -> None:
    """What is visible anyway may be acted on."""
    made = api.create([{"name": name} for name in NAMES[:3]], clock=QUICK)
    party = Party(api, made["game"], [seat["token"] for seat in made["seats"]], random.Random(1))
    watching = api.call("POST", f"/v1/games/{party.game}/spectators", {"name": "Eve"}, token=party.tokens[0])
    time.watch(21)
    assert expire(party, watching.json["token"]).status == 200


def duplicate_tables(api: InProcess) -> tuple[list[Party], str]:
    """Return the tables of a duplicate round, the first played on and disputed, and its organiser's key."""
    hosted = HostedTournament(
        api, FOUR, format="duplicate", clock={"bank": 3600, "increment": 0, "cap": 3600, "answer": 600}
    )
    games = {name: hosted.seat(name)["game"] for name in FOUR}
    tables = [
        hosted.table_of(*(name for name in FOUR if games[name] == game)) for game in sorted({*games.values()})
    ]
    party = tables[0]
    (seat,) = party.legal(0)["waiting_for"]
    path = f"/v1/games/{party.game}"
    sent = api.call("POST", f"{path}/commands", {"type": "plant", "field": 0}, token=party.tokens[seat])
    assert sent.status == 200
    case = {"reason": "other", "text": "Look.", "version": 2, "pause": False}
    assert api.call("POST", f"{path}/disputes", case, token=party.tokens[0]).status == 201
    return tables, hosted.organiser


@pytest.mark.parametrize("version", [2, 12, 14, 500])
def test_the_organiser_of_a_duplicate_round_probes_no_version_by_a_case(api: InProcess, version: int) -> None:
    """A version that was disputed, one that was reached at one table only, and one far ahead: one answer."""
    body = {"reason": "other", "text": "Is it there?", "version": version, "pause": True}
    tables, key = duplicate_tables(api)
    answers = [
        told(api.call("POST", f"/v1/games/{party.game}/disputes", body, token=key), party.game)
        for party in tables
    ]
    assert answers[0] == answers[1]
    assert answers[0][0] == 403
    assert "version" not in answers[0][1]


@pytest.mark.parametrize(
    ("step", "body"),
    [
        ("withdrawal", None),
        ("resumption", None),
        ("acceptance", None),
        ("appeal", {"reason": "No."}),
        ("evidence", {"text": "Look.", "versions": []}),
    ],
)
def test_the_organiser_of_a_duplicate_round_learns_of_no_case(
    api: InProcess, step: str, body: dict[str, Any] | None
) -> None:
    """A case that there is and one that there is not are refused alike."""
    tables, key = duplicate_tables(api)
    answers = [
        told(api.call("POST", f"/v1/games/{party.game}/disputes/1/{step}", body, token=key), party.game)
        for party in tables
    ]
    assert answers[0] == answers[1]
    assert answers[0][0] == 403


@pytest.mark.parametrize(
    "path",
    [
        "",
        "?at=9",
        "?after=9",
        "/scene",
        "/history",
        "/events",
        "/record",
        "/receipt",
        "/receipt?version=14",
        "/proof",
        "/annotations",
        "/disputes",
        "/disputes/1",
        "/validations",
        "/spectators",
        "/take-backs",
        "/commands",
    ],
)
def test_what_the_organiser_of_a_duplicate_round_reads_is_how_it_began(api: InProcess, path: str) -> None:
    """The table that has moved on and the one that has not are told alike."""
    found = []
    tables, key = duplicate_tables(api)
    for party in tables:
        answer = api.call("GET", f"/v1/games/{party.game}{path}", token=key)
        lines = answer.body.splitlines()
        table = json.loads(answer.body) if len(lines) == 1 else {}
        told_of = {name: table.get(name) for name in ("version", "code", "next", "detail", "validation")}
        found.append((answer.status, len(lines), told_of, set(answer.headers)))
    assert found[0] == found[1]


def test_a_case_can_be_opened_by_the_organiser_of_any_other_game(api: InProcess) -> None:
    """The key that set a game up sees it as it stands."""
    party = api.people()
    body = {"reason": "other", "text": "Look.", "version": 2}
    assert api.call("POST", f"/v1/games/{party.game}/disputes", body, token=api.key).status == 201
