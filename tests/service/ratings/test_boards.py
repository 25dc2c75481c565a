"""Boards that the service keeps: the same bytes as from exported records, whatever has happened in between."""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
import redis
from click.testing import CliRunner

from events import commands as c
from events.commands.clock import PRESETS, ClockSettings
from events.game.table import Table, new_table
from events.log.recorded import RecordedEvent
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.move import HOST
from events.rules.systems.registry import BY_KEY
from events.store.redis.redis_store import require_redis
from replay.commands.ratings import ratings
from service.access.game_access import SECRET, GamePolicy
from service.access.tokens import seat_token, token_field
from service.cli.projections import projections
from service.jobs.dispatching import Dispatcher
from service.platform.clock import now_milliseconds
from service.ratings import rating_run
from service.ratings.rating_run import RatingRun
from service.ratings.store import RatingRecords
from service.simulation.self_play import self_play
from tests.service.in_process import InProcess
from tests.service.in_process_worker import work
from tests.support.recorded_games import play_on
from tests.support.servers import eventually

BEGINNING = now_milliseconds() - 10**8
"""So lately that there is still time to open a case."""
CLOCKS = (None, ClockSettings(bank=3_600, increment=3_600, cap=36_000, answer=3_600), PRESETS["week_a_game"])
"""By number: games are played with each."""
ADA, BOB, CAT = "acme:ada", "acme:bob", "club:7"


def put(api: InProcess, table: Table, log: list[RecordedEvent], policy: GamePolicy | None = None) -> str:
    """Put a whole game into the store, with tokens for its seats."""
    tokens = [
        seat_token(api.store.installation.token_key, table.game, seat, "test")
        for seat in range(table.rules.players)
    ]
    private = {
        SECRET: table.secret,
        **(policy or GamePolicy()).private_fields(),
        **{token_field(each): str(seat) for seat, each in enumerate(tokens)},
    }
    api.store.append(
        table.game, log, expected_version=0, command_id="test", fingerprint="test", private=private
    )
    return table.game


def people(api: InProcess, number: int, who: tuple[str, str], policy: GamePolicy | None = None) -> str:
    """A whole game of two people, which ended after those of lower numbers."""
    catalogue = shipped_catalogue(BY_KEY["bean-duel"].catalogue)
    table, log = new_table(
        f"people-{number}",
        "bean-duel",
        2,
        options={},
        catalogue=catalogue,
        secret=f"{number:064x}",
        at=BEGINNING + 10**7 * number,
        ordered=True,
        clock=CLOCKS[number % 3],
    )
    for seat, player in enumerate(who):
        taken = c.TakeSeat(seat, f"Player {seat + 1}", "human", player=player)
        table, entries = table.submit(HOST, taken, log[-1].at + 1)
        log += entries
    return put(api, play_on(table, log, random.Random(number), 0, None), log, policy)


def served(
    api: InProcess, system: str, pool: str, time: str = "always", *, player: str = "", rows: str = "players"
) -> dict[str, Any]:
    """A board as pages of two, put together; or with a player and `changes` their history."""
    whole: dict[str, Any] = {}
    cursor = ""
    while True:
        page = api.get(f"/v1/ratings{player}?system={system}&pool={pool}&time={time}&limit=2{cursor}")
        following = page.pop("next")
        whole = page | {rows: whole.get(rows, []) + page[rows]}
        if following is None:
            return whole
        cursor = f"&cursor={following}"


def check_rebuilt(api: InProcess, folder: Path) -> list[Any]:
    """Every board, and each history, is, byte for byte, what the command makes of the exported records.

    With what is known beside them. Returned are the boards of all games.
    """
    folder.mkdir(exist_ok=True)
    for game in api.get("/v1/games?limit=200", api.key)["games"] or names_of(api):
        record = api.call("GET", f"/v1/games/{game['game']}/record?as=all", token=api.key)
        (folder / f"{game['game']}.ndjson").write_bytes(record.body)
    inputs = folder / "inputs.json"
    inputs.write_bytes(api.call("GET", "/v1/ratings/inputs", token=api.key).body)
    asked = [str(folder), "--inputs", str(inputs), "--json", "--workers", "1", "--time", "every", "--changes"]
    ran = CliRunner().invoke(ratings, asked)
    assert ran.exit_code == 0, ran.output
    found = msgspec.json.decode(ran.output)
    rebuilt: list[Any] = found["pools"]
    for pool in rebuilt:
        name = {each: pool[each] for each in ("system", "pool", "time")}
        board = served(api, **name)
        assert pool["time"] in board.pop("times")
        for row in board["players"]:
            assert row.pop("name") is None
            history = served(api, **name, player=f"/{row['player']}", rows="changes")["changes"]
            own = [
                {key: each[key] for key in ("game", "ended", "before", "after")}
                for each in reversed(found["changes"])
                if each["player"] == row["player"] and all(each[key] == name[key] for key in name)
            ]
            assert msgspec.json.encode(history) == msgspec.json.encode(own)
            assert len(own) == row["games"]
        assert msgspec.json.encode(board, order="sorted") == msgspec.json.encode(pool, order="sorted")
    assert len(RatingRecords(api.store).pools(RatingRecords(api.store).generation())) == len(rebuilt)
    return [each for each in rebuilt if each["time"] == "always"]


def names_of(api: InProcess) -> list[dict[str, str]]:
    """All games of the feeds."""
    found = {
        entry.game_id for part in range(api.store.partitions) for entry in api.store.read_feed(part, 0, 1000)
    }
    return [{"game": each} for each in sorted(found)]


def test_boards_of_every_system_are_what_records_say(api: InProcess, tmp_path: Path) -> None:
    """Games of bots and of people; then one more at the end, and one that comes in late."""
    for key, system in BY_KEY.items():
        bots = ("greedy", *("random",) * (system.players[0] - 1))
        put(api, *self_play(key, len(bots), bots, key, {}))
    people(api, 2, (ADA, BOB))
    people(api, 3, (BOB, CAT))
    eventually(RatingRun(api.store).run)
    records = RatingRecords(api.store)
    generation = records.generation()
    boards = records.pools(generation)
    assert len({(each.system, each.pool) for each in boards}) == len(BY_KEY) + 1
    assert {each.time for each in boards if each.pool == "bots"} == {"always", "untimed"}
    before = served(api, "bean-duel", "people")

    people(api, 4, (CAT, ADA))
    eventually(RatingRun(api.store).run)
    assert records.generation() == generation
    added = served(api, "bean-duel", "people")

    people(api, 1, (ADA, CAT))
    eventually(RatingRun(api.store).run)
    assert records.generation() == generation + 1
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
        eventually(RatingRun(api.store).run)
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
    eventually(RatingRun(api.store).run)
    before = check_rebuilt(api, tmp_path)
    tokens = [seat_token(api.store.installation.token_key, games[0], seat, "test") for seat in range(2)]

    def step(path: str, token: str, body: Any = None) -> Any:
        answer = api.call("POST", f"/v1/games/{games[0]}/disputes{path}", body, token=token)
        assert answer.status in {200, 201}, answer.body
        return answer.json

    case = step("", tokens[0], {"reason": "not_agreed", "text": "I never did that.", "version": 20})[
        "dispute"
    ]
    eventually(RatingRun(api.store).run)
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
    eventually(RatingRun(api.store).run)
    ruled = check_rebuilt(api, tmp_path)
    assert sum(row["games"] for row in ruled[0]["players"]) == 4
    assert ruled != before


def test_each_change_names_the_game_that_made_it_and_merged_players_are_one(
    api: InProcess, tmp_path: Path
) -> None:
    """The newest first, page by page; what one change leads to is what the next one begins with."""
    games = [people(api, number, (ADA, BOB)) for number in (1, 2, 3)]
    eventually(RatingRun(api.store).run)
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
    eventually(RatingRun(api.store).run)
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


def test_what_the_release_before_kept_is_left_to_it_until_ratings_are_rebuilt(api: InProcess) -> None:
    """Its pools have no time and its games no pace: every game is read anew, and both may run side by side."""
    command = require_redis(api.store).connection.command
    people(api, 2, (ADA, BOB))
    eventually(RatingRun(api.store).run)
    now = served(api, "bean-duel", "people")
    RatingRun(api.store).begin_anew()
    command("UNLINK", *(key.decode() for key in command("KEYS", "{ratings:2}:*")))

    command("HSET", "{ratings}:read", "people-2", '{"rated": {"game": "people-2", "ended": 1}}')
    command("SADD", "{ratings}:waiting", "people-2")
    command("HSET", "{ratings}:state", "place", "[1]", "generation", "3")
    command("SADD", "{ratings}:3:pools", "bean-duel/1/people")
    command("ZADD", "{ratings}:3:bean-duel/1/people:board", "-1", ADA)
    for each in ("rows", "seats"):
        command("HSET", f"{{ratings}}:3:bean-duel/1/people:{each}", ADA, "{}")
    command("RPUSH", f"{{ratings}}:3:bean-duel/1/people:changes:{ADA}", "{}")
    before = sorted(command("KEYS", "{ratings}:*"))

    eventually(RatingRun(api.store).run)
    assert served(api, "bean-duel", "people") == now
    assert sorted(command("KEYS", "{ratings}:*")) == before
    RatingRecords(api.store).remove_before()
    assert command("KEYS", "{ratings}:*") == []
    assert served(api, "bean-duel", "people") == now
