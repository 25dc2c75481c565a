"""Tournaments over HTTP: from announcing one to a table that an auditor finds right, and what is refused."""

import random
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import pytest

from replay.tournaments.checking import TournamentCheck
from replay.tournaments.report import TournamentReport
from replay.verification.attestations import Trust
from service.access.store import Keys
from service.catalogues.catalogues import Catalogues
from service.http.follow.tournament_bodies import describe_tournament
from service.http.resources import tournaments
from service.platform.clock import now_milliseconds
from service.tournaments.driving import RULED_SECONDS, TournamentDriver
from service.tournaments.running import TournamentRunner
from service.tournaments.tournaments import TournamentLog
from tests.service.in_process import InProcess
from tests.service.tournaments.bots_tournaments import bots_playing
from tests.support.http_play import Answer, Party
from tests.support.servers import eventually

WANTED = {"name": "Autumn", "system": "bean-duel", "rounds": 2, "sizes": [2]}


def ask(api: InProcess, method: str, path: str, body: Any = None, token: str | None = None) -> Answer:
    """A request about tournaments, with the key that organises them."""
    return api.call(method, f"/v1/tournaments{path}", body, token=token or api.key)


def announced(api: InProcess, **others: Any) -> str:
    """Announce a tournament; returns its id."""
    answer = ask(api, "POST", "", {**WANTED, **others})
    assert answer.status == 201, answer.body
    return str(answer.json["tournament"])


def register(api: InProcess, tournament: str, player: str, **others: Any) -> Answer:
    """Register a player, a bot unless it says otherwise."""
    body = {"player": player, "name": f"Player {player}", "bot": "random", **others}
    return ask(
        api, "POST", f"/{tournament}/players", {key: each for key, each in body.items() if each is not None}
    )


def shown(api: InProcess, tournament: str) -> Any:
    """A tournament as everybody sees it."""
    return api.get(f"/v1/tournaments/{tournament}")


@contextmanager
def driven(api: InProcess) -> Iterator[None]:
    """Bots play and tournaments are driven, as the projector does it, as long as this lasts."""
    stopping = Event()
    running = Thread(target=TournamentRunner(api.store, Catalogues()).run, args=(stopping,))
    running.start()
    try:
        with bots_playing(api.store):
            yield
    finally:
        stopping.set()
        running.join()


def audited(api: InProcess, tournament: str) -> TournamentReport:
    """What an auditor finds, by what is answered to everybody."""
    check = TournamentCheck(Trust())
    log = api.call("GET", f"/v1/tournaments/{tournament}/log")
    assert log.headers["content-type"] == "application/x-ndjson"
    check.read_log(log.body.splitlines(keepends=True))
    for played in shown(api, tournament)["schedule"]:
        for table in played["tables"]:
            record = api.call("GET", f"/v1/games/{table['game']}/record").body
            check.read_record(record.splitlines(keepends=True), table["game"])
    return check.finish()


def test_bots_play_a_tournament_from_registration_to_a_table_that_is_right(api: InProcess) -> None:
    """Seven bots and a person who never comes: their table is late, one bot withdraws, and everything verifies.

    An auditor has what everybody is answered; a late game of a duplicate round is shown once the round is closed.
    """
    tournament = announced(api, late_after=3, format="duplicate")
    for number in range(7):
        assert register(api, tournament, f"b{number}").status == 201
    token = register(api, tournament, "zoe", bot="").json["token"]
    assert ask(api, "DELETE", f"/{tournament}/players/b6").status == 200
    with driven(api):
        assert ask(api, "POST", f"/{tournament}/start").json["status"] == "running"
        seen: list[Any] = []

        def is_seated() -> bool:
            found = ask(api, "POST", f"/{tournament}/seat", {"player": "zoe", "token": token})
            seen.append(found.json)
            return found.status == 200

        eventually(is_seated, seconds=30)
        eventually(lambda: shown(api, tournament)["status"] == "finished", seconds=60)
    if "game" in seen[-1]:
        table = api.get(f"/v1/games/{seen[-1]['game']}", token=seen[-1]["token"])
        assert table["seats"][seen[-1]["seat"]]["name"] == "Player zoe"
    report = audited(api, tournament)
    assert report.ok, report.findings
    assert (report.rounds, report.players) == (2, 8)
    # On a slow machine the bots' tables may be late, too.
    assert report.late >= 2 - sum(row.byes for row in report.standings if row.player == "zoe")
    assert report.tables == report.records == 6
    assert [row["player"] for row in shown(api, tournament)["standings"]] == [
        row.player for row in report.standings
    ]


def test_players_may_be_known_by_their_ids_alone(api: InProcess) -> None:
    """Their names lie beside all logs, are shown at the tables and in the tournament, and can be forgotten."""
    namespace = api.get("/v1/keys/self", api.key)["players"]
    assert api.call("PUT", "/v1/players/ada", {"name": "Ada"}, token=api.key).status == 200
    tournament = announced(api, rounds=1)
    found = register(api, tournament, "ada", name=None, bot="").json
    assert found["player"] == f"{namespace}:ada"
    assert register(api, tournament, "bob", name=None, bot="").status == 201
    assert register(api, tournament, "bot", name="Bot").status == 201
    assert register(api, tournament, "nameless", name=None).json["reason"] == "bad_player"
    assert ask(api, "DELETE", f"/{tournament}/players/{namespace}:bob").status == 200

    driver = TournamentDriver(api.store, Catalogues())
    assert ask(api, "POST", f"/{tournament}/start").status == 200
    driver.move_on(tournament, now_milliseconds())
    seat = ask(api, "POST", f"/{tournament}/seat", {key: found[key] for key in ("player", "token")}).json
    table = api.get(f"/v1/games/{seat['game']}", token=seat["token"])
    assert table["seats"][seat["seat"]]["name"] == "Ada"
    logs = [
        api.call("GET", path).body
        for path in (f"/v1/tournaments/{tournament}/log", f"/v1/games/{seat['game']}/record")
    ]
    assert all(found["player"].encode() in log and b"Ada" not in log for log in logs)
    assert shown(api, tournament)["field"][0]["name"] == "Ada"


def test_nobody_but_its_seats_sees_a_table_of_a_duplicate_round_before_the_end(api: InProcess) -> None:
    """Whoever organises it may play the same cards elsewhere, and so may everybody whom a table lets watch."""
    organiser = Keys(api.store).create("Club", ("create_games",), 1)
    wanted = {**WANTED, "format": "duplicate", "rounds": 1}
    tournament = ask(api, "POST", "", wanted, organiser).json["tournament"]
    players = [
        ask(api, "POST", f"/{tournament}/players", {"player": each, "name": each}, organiser).json
        for each in ("ann", "bob", "cat", "dan")
    ]
    ask(api, "POST", f"/{tournament}/start", token=organiser)
    TournamentDriver(api.store, Catalogues()).move_on(tournament, now_milliseconds())
    seats = [
        ask(api, "POST", f"/{tournament}/seat", {key: each[key] for key in ("player", "token")}).json
        for each in players
    ]
    game = seats[0]["game"]
    own = [seat["token"] for seat in sorted(seats, key=lambda seat: seat["seat"]) if seat["game"] == game]
    path = f"/v1/games/{game}"
    invited = [
        api.call("POST", f"{path}/spectators", {"name": f"Eve {number}"}, token=token).json["token"]
        for number, token in enumerate((organiser, own[0]))
    ]
    before = api.get(path, organiser)
    Party(api, game, own, random.Random(4)).play(6)
    case = {"reason": "conduct", "text": "They hold two red beans.", "version": 3}
    assert api.call("POST", f"{path}/disputes", case, token=own[0]).status == 201

    seen = api.get(path, own[0])
    assert seen["version"] > before["version"] + 3
    for token in (organiser, *invited, None):
        found = api.get(path, token)
        assert (found["version"], found["hash"]) == (before["version"], before["hash"])
        events = api.get(f"{path}/events?after=0", token)["events"]
        assert max(each["entry"]["version"] for each in events) == before["version"]
        record = api.call("GET", f"{path}/record", token=token).body
        assert record.count(b'"entry"') == before["version"]
        assert b"two red beans" not in api.call("GET", f"{path}/disputes", token=token).body
    added = api.call("POST", f"{path}/disputes/1/evidence", {"text": "Show me."}, token=organiser)
    assert (added.status, added.json["code"]) == (403, "not_a_party")


@pytest.mark.parametrize(("form", "bots"), [("swiss", 2), ("duplicate", 4)])
def test_what_an_arbiter_rules_about_a_table_counts_in_the_tournament(
    api: InProcess, form: str, bots: int
) -> None:
    """After the end too: the result is replaced by the final ruling in the game's dispute, and the table follows."""
    tournament = announced(api, rounds=1, format=form)
    for number in range(bots):
        register(api, tournament, f"b{number}")
    with driven(api):
        ask(api, "POST", f"/{tournament}/start")
        eventually(lambda: shown(api, tournament)["status"] == "finished", seconds=60)
    before = [row["player"] for row in shown(api, tournament)["standings"]]
    tables = shown(api, tournament)["schedule"][0]["tables"]
    table = next(each for each in tables if before[-1] in each["players"])
    loser = table["players"].index(before[-1])
    cases = f"/v1/games/{table['game']}/disputes"
    arbiter = Keys(api.store).create("Ada", ("arbitrate",), 1)
    ruling = {"kind": "replaced", "scope": "the end", "reason": "A field was sold twice.", "winners": [loser]}
    ruling["scores"] = [99 if seat == loser else 1 for seat in range(2)]
    opening = {"version": 30, "reason": "mistake", "text": "Look at this."}
    for path, body, token in (
        (cases, opening, api.key),
        (f"{cases}/1/claim", {}, arbiter),
        (f"{cases}/1/rulings", ruling, arbiter),
        (f"{cases}/1/acceptance", {}, api.key),
    ):
        answer = api.call("POST", path, body or None, token=token, raw=None if body else b"")
        assert answer.status < 300, answer.body
    runner = TournamentRunner(api.store, Catalogues())
    runner.perform(now_milliseconds() + 1000 * RULED_SECONDS)
    assert shown(api, tournament)["standings"][0]["player"] == before[-1]
    report = audited(api, tournament)
    assert report.ok, report.findings
    assert [(each.kind, each.case, each.reason) for each in report.rulings] == [
        ("replaced", 1, "A field was sold twice.")
    ]
    entries = report.entries
    runner.perform(now_milliseconds() + 2000 * RULED_SECONDS)
    assert shown(api, tournament)["entries"] == entries


def test_tournaments_are_listed_newest_first_page_by_page(api: InProcess) -> None:
    """Each once, over all partitions, with how far it has come."""
    ids = [announced(api, name=f"No. {number}") for number in range(5)]
    first = api.get("/v1/tournaments?limit=2")
    second = api.get(f"/v1/tournaments?limit=2&cursor={first['next']}")
    third = api.get(f"/v1/tournaments?limit=2&cursor={second['next']}")
    rows = [row for page in (first, second, third) for row in page["tournaments"]]
    assert {row["tournament"] for row in rows} == {*ids}
    assert [row["created"] for row in rows] == sorted((row["created"] for row in rows), reverse=True)
    assert {row["status"] for row in rows} == {"registering"}
    assert third["next"] is None
    assert api.call("GET", "/v1/tournaments?cursor=nonsense").status == 400


def test_the_same_request_announces_one_tournament(api: InProcess) -> None:
    """By its Idempotency-Key; with other words it is refused."""
    headers = {"Idempotency-Key": "autumn"}
    first = api.call("POST", "/v1/tournaments", WANTED, token=api.key, headers=headers)
    again = api.call("POST", "/v1/tournaments", WANTED, token=api.key, headers=headers)
    assert (first.status, again.status) == (201, 201)
    assert again.headers["idempotent-replayed"] == "true"
    assert first.json == again.json
    other = api.call("POST", "/v1/tournaments", {**WANTED, "name": "Spring"}, token=api.key, headers=headers)
    assert (other.status, other.json["code"]) == (422, "tournament_refused")


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"system": "chess"}, "unknown_system"),
        ({"sizes": [3]}, "bad_settings"),
        ({"options": {"start_seat": "moon"}}, "bad_option"),
        ({"format": "duplicate", "sizes": [2], "options": {"start_seat": "moon"}}, "bad_option"),
        ({"clock": {"bank": 9, "increment": 0, "cap": 1, "answer": 1}}, "bad_clock"),
        ({"name": "\u200b"}, "bad_name"),
        ({"clock": {"bank": 1, "increment": 0, "cap": 1, "answer": 1, "bot": "lookahead"}}, "bad_clock"),
    ],
)
def test_what_nobody_can_play_is_not_announced(api: InProcess, changed: dict[str, Any], reason: str) -> None:
    """With a stable reason."""
    answer = ask(api, "POST", "", {**WANTED, **changed})
    assert (answer.status, answer.json["code"], answer.json["reason"]) == (422, "tournament_refused", reason)


def test_a_request_that_is_none_is_a_schema_violation(api: InProcess) -> None:
    """Rounds belong to every format but the knock-out."""
    for body in ({**WANTED, "rounds": 0}, {**WANTED, "format": "knockout"}, {**WANTED, "format": "cup"}):
        assert ask(api, "POST", "", body).json["code"] == "schema_violation"


def test_players_are_told_apart_and_get_their_tokens_again(api: InProcess) -> None:
    """Names that look alike are refused; the same registration is answered as before."""
    tournament = announced(api)
    first = register(api, tournament, "p1", name="Ann", bot="")
    assert register(api, tournament, "p1", name="Ann", bot="").json == first.json
    assert register(api, tournament, "p2", name="\u0410nn").json["reason"] == "bad_name"
    assert register(api, tournament, "p1", name="Annie").json["reason"] == "already_registered"
    assert ask(api, "POST", f"/{tournament}/start").json["reason"] == "too_few_players"
    assert ask(api, "DELETE", f"/{tournament}/players/p9").json["reason"] == "no_such_player"


def test_only_the_key_that_announced_it_organises_a_tournament(api: InProcess) -> None:
    """Another one that may set games up is told so."""
    tournament = announced(api)
    stranger = Keys(api.store).create("stranger", ("create_games",), 1)
    body = {"player": "p", "name": "Pia"}
    for method, path, sent in (
        ("POST", "players", body),
        ("POST", "start", None),
        ("DELETE", "players/p", None),
    ):
        answer = ask(api, method, f"/{tournament}/{path}", sent, token=stranger)
        assert (answer.status, answer.json["code"]) == (403, "not_your_tournament")
    assert api.call("GET", "/v1/tournaments/nothing").json["code"] == "tournament_not_found"


def test_a_seat_is_found_with_the_player_s_own_token_only(api: InProcess) -> None:
    """And not before a round is played."""
    tournament = announced(api)
    token = register(api, tournament, "p1", bot="").json["token"]
    other = register(api, tournament, "p2", bot="").json["token"]
    asked = {"player": "p1", "token": other}
    assert ask(api, "POST", f"/{tournament}/seat", asked).json["reason"] == "wrong_token"
    asked["token"] = token
    assert ask(api, "POST", f"/{tournament}/seat", asked).json["reason"] == "not_seated"


def test_one_answer_is_made_however_many_ask(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """All who ask while it is made wait for the same one; after a change it is made again."""
    made: list[str] = []
    waits = Event()

    def describe(log: TournamentLog, names: Mapping[str, str]) -> dict[str, Any]:
        made.append(log.last.hash)
        waits.wait(30)
        return describe_tournament(log, names)

    monkeypatch.setattr(tournaments, "describe_tournament", describe)
    tournament = announced(api)
    made.clear()
    with ThreadPoolExecutor(8) as threads:
        asked = [threads.submit(shown, api, tournament) for _ in range(8)]
        eventually(lambda: len(made) == 1)
        waits.set()
        assert len({str(each.result()) for each in asked}) == 1
    assert len(made) == 1
    register(api, tournament, "one")
    assert len(shown(api, tournament)["field"]) == 1
    assert len(shown(api, tournament)["field"]) == 1
    assert len(made) == 2
