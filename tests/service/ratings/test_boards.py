"""Boards that the service keeps: the same bytes as from exported records, whatever has happened in between."""

import time
from pathlib import Path
from typing import Any

import pytest
import redis
from click.testing import CliRunner

from events.rules.systems.registry import BY_KEY
from events.store.redis.redis_store import require_redis
from service.access.game_access import GamePolicy
from service.access.tokens import seat_token
from service.cli.projections import projections
from service.jobs.dispatching import Dispatcher
from service.ratings import rating_run
from service.ratings.rating_run import RatingRun
from service.ratings.store import RatingRecords
from service.simulation.self_play import self_play
from tests.service.in_process import InProcess
from tests.service.in_process_worker import work
from tests.support.rated_games import ADA, BOB, CAT, bring_up_to_date, check_rebuilt, people, put, served


def test_boards_of_every_system_are_what_records_say(api: InProcess, tmp_path: Path) -> None:
    """Games of bots and of people; then one more at the end, and one that comes in late."""
    for key, system in BY_KEY.items():
        bots = ("greedy", *("random",) * (system.players[0] - 1))
        put(api, *self_play(key, len(bots), bots, key, {}))
    people(api, 2, (ADA, BOB))
    people(api, 3, (BOB, CAT))
    bring_up_to_date(api)
    records = RatingRecords(api.store)
    generation = records.generation()
    boards = records.pools(generation)
    assert len({(each.system, each.pool) for each in boards}) == len(BY_KEY) + 1
    assert {each.time for each in boards if each.pool == "bots"} == {"always", "untimed"}
    before = served(api, "bean-duel", "people")

    people(api, 4, (CAT, ADA))
    bring_up_to_date(api)
    assert records.generation() == generation
    added = served(api, "bean-duel", "people")

    people(api, 1, (ADA, CAT))
    bring_up_to_date(api)
    assert records.generation() == generation
    rebuilt = check_rebuilt(api, tmp_path)
    assert {each["system"] for each in rebuilt if each["pool"] == "bots"} == BY_KEY.keys()
    assert before != added != served(api, "bean-duel", "people")

    first = api.get("/v1/ratings?system=bean-duel")
    assert [each for each in first["times"] if not each[0].isdigit()] == ["always", "live", "slow", "untimed"]
    ended = {
        time: sum(row["games"] for row in served(api, "bean-duel", "people", time)["players"])
        for time in first["times"]
    }
    assert (ended["live"], ended["slow"], ended["untimed"]) == (4, 2, 2)
    assert sum(games for time, games in ended.items() if time[0].isdigit()) == ended["always"] == 8
    refused = api.call("GET", "/v1/ratings?system=bean-duel&time=2026-13")
    assert refused.status == 422


@pytest.mark.usefixtures("queue")
def test_a_game_that_is_added_leads_where_all_at_once_do(api: InProcess, tmp_path: Path) -> None:
    """Three runs over a game each, and boards made anew, have the same bytes."""
    for number in (1, 2, 3):
        people(api, number, (ADA, BOB) if number % 2 else (BOB, CAT))
        bring_up_to_date(api)
    one_by_one = served(api, "bean-duel", "people")
    (own,) = api.get(f"/v1/ratings/{ADA}/boards")["boards"]
    assert [own.pop(each) for each in ("system", "system_version", "pool", "time")] == [
        "bean-duel",
        1,
        "people",
        "always",
    ]
    assert own in [{key: row[key] for key in own} for row in one_by_one["players"]]
    assert api.call("GET", "/v1/ratings/acme:nobody/boards").json["code"] == "not_found"
    rebuilt = CliRunner().invoke(projections, ["rebuild", "--ratings"])
    assert (rebuilt.exit_code, rebuilt.stdout) == (0, "The ratings are now generation 2, made of 3 games.\n")
    assert RatingRecords(api.store).generation() == 2
    assert served(api, "bean-duel", "people") == one_by_one
    check_rebuilt(api, tmp_path)


def test_what_is_ruled_about_an_old_game_changes_all_that_came_after(api: InProcess, tmp_path: Path) -> None:
    """While a case is open the game does not count; with a ruling it counts as that says. No log is read again."""
    games = [people(api, 1, (ADA, BOB)), people(api, 2, (BOB, CAT))]
    bring_up_to_date(api)
    before = check_rebuilt(api, tmp_path)
    tokens = [seat_token(api.store.installation.token_key, games[0], seat, "test") for seat in range(2)]

    def step(path: str, token: str, body: Any = None) -> Any:
        answer = api.call("POST", f"/v1/games/{games[0]}/disputes{path}", body, token=token)
        assert answer.status in {200, 201}, answer.body
        return answer.json

    case = step("", tokens[0], {"reason": "not_agreed", "text": "I never did that.", "version": 20})[
        "dispute"
    ]
    bring_up_to_date(api)
    disputed = check_rebuilt(api, tmp_path)
    assert sum(row["games"] for row in disputed[0]["players"]) == 2

    step(f"/{case}/claim", api.key)
    won = api.get(f"/v1/games/{games[0]}")["result"]["winners"]
    other = next(seat for seat in range(2) if won != [seat])
    scores = {"scores": [30 if seat == other else 1 for seat in range(2)], "winners": [other]}
    said = {"scope": "the end", "reason": "It was never agreed."}
    step(f"/{case}/rulings", api.key, {"kind": "replaced", **said, **scores})
    for token in tokens:
        step(f"/{case}/acceptance", token)
    bring_up_to_date(api)
    ruled = check_rebuilt(api, tmp_path)
    assert sum(row["games"] for row in ruled[0]["players"]) == 4
    assert ruled != before


def test_each_change_names_the_game_that_made_it_and_merged_players_are_one(
    api: InProcess, tmp_path: Path
) -> None:
    """The newest first, page by page; what one change leads to is what the next one begins with."""
    games = [people(api, number, (ADA, BOB)) for number in (1, 2, 3)]
    bring_up_to_date(api)
    query = "system=bean-duel&limit=2"
    page = api.get(f"/v1/ratings/{ADA}?{query}")
    rest = api.get(f"/v1/ratings/{ADA}?{query}&cursor={page['next']}")
    changes = page["changes"] + rest["changes"]
    assert [each["game"] for each in changes] == games[::-1]
    assert [each["before"] for each in changes[:-1]] == [each["after"] for each in changes[1:]]
    assert changes[0]["after"] == [page["standing"]["mu"], page["standing"]["sigma"]]
    assert rest["next"] is None
    assert api.call("GET", f"/v1/ratings/nobody?{query}").status == 404

    operator = api.key
    namespace = api.get("/v1/keys/self", operator)["players"]
    api.call("PUT", "/v1/players/me", {"name": "Ada"}, token=operator)
    people(api, 4, (f"{namespace}:old", BOB))
    people(api, 5, (f"{namespace}:me", BOB))
    api.call("POST", "/v1/players/old/merge", {"into": "me"}, token=operator)
    bring_up_to_date(api)
    merged = api.get(f"/v1/ratings/{namespace}:old?{query}")
    assert (merged["player"], merged["name"], merged["standing"]["games"]) == (f"{namespace}:me", "Ada", 2)


def test_a_job_keeps_boards_up_to_date(api: InProcess, queue: redis.Redis) -> None:
    """Asked for twice it is in the queue once."""
    people(api, 1, (ADA, BOB))
    dispatcher = Dispatcher(api.store)
    dispatcher.enqueue_rating()
    dispatcher.enqueue_rating()
    assert work(queue) == 1
    assert len(api.get("/v1/ratings?system=bean-duel")["players"]) == 2


def test_private_games_count_nowhere_and_a_long_backlog_is_read_in_parts(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Boards name games, so only those that everybody may find are on them."""
    people(api, 1, (ADA, BOB), GamePolicy("private"))
    people(api, 2, (ADA, BOB))
    monkeypatch.setattr(rating_run, "PART_SECONDS", -1.0)
    parts = [RatingRun(api.store).run() for _ in range(3)]
    assert parts == [False, False, True]
    board = api.get("/v1/ratings?system=bean-duel")
    assert {row["games"] for row in board["players"]} == {1}
    assert list(RatingRecords(api.store).uncounted()) == ["people-1"]


def raw(api: InProcess) -> Any:
    """Return the command function of the store's server."""
    return require_redis(api.store).connection.command


def test_a_game_that_is_read_twice_counts_once(api: InProcess, tmp_path: Path) -> None:
    """Reading the feeds again from their beginning leaves the boards as they were."""
    for number in (1, 2, 3):
        people(api, number, (ADA, BOB))
    bring_up_to_date(api)
    before = served(api, "bean-duel", "people")
    raw(api)("HDEL", "{ratings}:state", "place")
    people(api, 4, (ADA, CAT))
    bring_up_to_date(api)
    assert sum(row["games"] for row in before["players"]) == 6
    assert sum(row["games"] for row in served(api, "bean-duel", "people")["players"]) == 8
    check_rebuilt(api, tmp_path)


def test_a_run_whose_mark_has_expired_writes_nothing(api: InProcess, tmp_path: Path) -> None:
    """It was suspended between two games; meanwhile another process has read and counted all of them."""
    for number in (1, 2, 3):
        people(api, number, (ADA, BOB))
    ends: list[Any] = []

    def clock() -> float:
        if len(ends) == 1:
            raw(api)("DEL", "{ratings}:busy")
            bring_up_to_date(api)
        ends.append(raw(api)("HGETALL", "{ratings}:state"))
        return 0.0

    assert not RatingRun(api.store, clock).run()
    assert raw(api)("HGETALL", "{ratings}:state") == ends[-1]
    assert raw(api)("SCARD", "{ratings}:waiting") == 0
    bring_up_to_date(api)
    check_rebuilt(api, tmp_path)


@pytest.mark.usefixtures("queue")
def test_a_rebuild_waits_for_the_process_that_counts(
    api: InProcess, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It removes nothing before, and does not report success before every game is counted again."""
    people(api, 1, (ADA, BOB))
    bring_up_to_date(api)
    worker = RatingRecords(api.store)
    mark = worker.begin()
    seen: list[bool] = []

    def sleep(_seconds: float) -> None:
        seen.append(worker.applied() is not None)
        worker.end(mark)

    monkeypatch.setattr(time, "sleep", sleep)
    rebuilt = CliRunner().invoke(projections, ["rebuild", "--ratings"])
    assert seen == [True]
    assert (rebuilt.exit_code, rebuilt.stdout) == (0, "The ratings are now generation 2, made of 1 games.\n")
    check_rebuilt(api, tmp_path)


def test_boards_that_an_interrupted_rebuild_left_are_removed(api: InProcess) -> None:
    """A process that ends between switching to new boards and removing the old ones leaves those."""
    people(api, 1, (ADA, BOB))
    bring_up_to_date(api)
    for name in raw(api)("KEYS", "{ratings}:1:*"):
        raw(api)("COPY", name, name.replace(b":1:", b":kept:", 1))
    raw(api)("HDEL", "{ratings}:state", "applied")
    bring_up_to_date(api)
    assert raw(api)("KEYS", "{ratings}:1:*") == []
    for name in raw(api)("KEYS", "{ratings}:kept:*"):
        raw(api)("RENAME", name, name.replace(b":kept:", b":1:", 1))
    people(api, 2, (ADA, BOB))
    bring_up_to_date(api)
    assert raw(api)("KEYS", "{ratings}:1:*") == []
    assert RatingRecords(api.store).generation() == 2
