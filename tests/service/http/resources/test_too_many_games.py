"""How many games there may be that have not ended: of one key, and in a store that is nearly full."""

import json
from typing import Any

import pytest

from events.store.redis.keys import projection_key
from service.access.game_access import GamePolicy
from service.access.store import Keys
from service.http.context.services import EXTENSION, Services
from service.projections import unfinished_games
from service.projections.generations import generation_name, touched_part
from service.storage.server import memory_use
from tests.events.store.server_contract import setting
from tests.service.in_process import NAMES, InProcess, Stored
from tests.service.projections.listing import differences, project
from tests.service.projections.test_rebuilding import rebuild
from tests.support.http_play import Answer

THREE = [{"name": name} for name in NAMES[:3]]
MOST = 3


@pytest.fixture(autouse=True)
def bounded(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> Services:
    """A key has few games, and they are counted at every question."""
    monkeypatch.setattr(unfinished_games, "SECONDS", 0.0)
    found: Services = api.app.extensions[EXTENSION]
    monkeypatch.setattr(found, "most_unfinished", MOST)
    monkeypatch.setattr(found, "memory_filled", lambda: memory_use(api.store).filled)
    return found


def create(api: InProcess, token: str | None = None, key: str | None = None, seats: Any = THREE) -> Answer:
    """Ask for a game."""
    headers = {"Idempotency-Key": key} if key else {}
    body = {"system": "classic", "seats": seats}
    return api.call("POST", "/v1/games", body, token=token or api.key, headers=headers)


@pytest.mark.parametrize("is_listed", [True, False])
def test_a_key_has_so_many_unfinished_games(api: InProcess, bounded: Services, *, is_listed: bool) -> None:
    """Open and running ones, whether or not the list has them yet; other keys and operators go on."""
    for number in range(MOST):
        assert create(api, key=f"game-{number}", seats=[None, *THREE[1:]] if number else THREE).status == 201
    if is_listed:
        project(api.store)
    refused = [create(api) for _ in range(2)]
    assert [(each.status, each.json["code"]) for each in refused] == [(409, "too_many_games")] * 2
    assert "3 games" in refused[0].json["detail"]
    again = create(api, key="game-0")
    assert (again.status, again.headers["idempotent-replayed"]) == (201, "true")
    other = Keys(api.store).create("other", ("create_games",), 1)
    operator = Keys(api.store).create("operator", (), 1, "operator")
    assert create(api, other).status == 201
    assert [create(api, operator).status for _ in range(MOST + 1)] == [201] * (MOST + 1)
    assert len(bounded.unfinished_games._counts) == 2, "of whom there is no bound nothing is remembered"  # noqa: SLF001
    reserved = api.call("POST", "/v1/reservations", token=api.key).json["reservation"]
    body = {"system": "classic", "seats": THREE, "reservation": reserved}
    assert api.call("POST", "/v1/games", body, token=api.key).json["code"] == "too_many_games"


def test_a_game_that_has_ended_makes_room(api: InProcess) -> None:
    """As soon as the list says so; nothing else has to be put right."""
    parties = [api.people(seed=seed) for seed in range(MOST)]
    project(api.store)
    assert create(api).status == 409
    parties[0].play()
    project(api.store)
    assert [create(api).status, create(api).status] == [201, 409]


def left_behind(api: InProcess, seeds: tuple[int, ...]) -> list[Stored]:
    """Running games of this key which were played long ago."""
    creator = api.get("/v1/keys/self", api.key)["id"]
    return [api.stored(seed, stop_at=100, policy=GamePolicy(creator=creator)) for seed in seeds]


def test_a_game_that_nobody_touches_makes_room_until_somebody_does(
    api: InProcess, bounded: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two weeks after its last event it does not count any more; who goes on with it has it count again."""
    games = left_behind(api, (1, 2, 3))
    project(api.store)
    first, _, last = sorted(game.recorded.log[-1].at for game in games)
    days = 14 * 24 * 60 * 60 * 1000

    with monkeypatch.context() as then:
        then.setattr(unfinished_games, "now_milliseconds", lambda: first + days)
        refused = create(api)
        assert (refused.status, refused.json["code"]) == (409, "too_many_games")
        assert "nothing has happened for 14d does not count" in refused.json["detail"]
        creator = api.get("/v1/keys/self", api.key)["id"]
        for later, counted in ((first, 3), (first + 1, 2), (last, 1), (last + 1, 0)):
            then.setattr(unfinished_games, "now_milliseconds", lambda now=later + days: now)
            assert bounded.unfinished_games.count(creator) == counted, later - first

    path, say = f"/v1/games/{games[0].id}/commands", {"type": "say", "text": "x"}
    assert api.call("POST", path, say, token=games[0].tokens[0]).status == 200
    project(api.store)
    assert bounded.unfinished_games.count(creator) == 1


def test_a_game_that_an_earlier_release_has_listed_counts_from_its_next_event_on(
    api: InProcess, bounded: Services
) -> None:
    """The list does not say when it was touched; after a rebuild it does."""
    creator = api.get("/v1/keys/self", api.key)["id"]
    parties = [api.people(seed=seed) for seed in range(2)]
    project(api.store)
    assert bounded.unfinished_games.count(creator) == 2
    for party in parties:
        forget_when_it_was_touched(api, party.game, creator)
    assert bounded.unfinished_games.count(creator) == 0

    assert parties[0].send(0, {"type": "plant", "field": 0}).status == 200
    project(api.store)
    assert bounded.unfinished_games.count(creator) == 1
    rebuild(api.store)
    assert bounded.unfinished_games.count(creator) == 2
    assert differences(api.store) == []


def forget_when_it_was_touched(api: InProcess, game: str, creator: str) -> None:
    """Have the list say of a game what it said before there was such a thing."""
    command, partition = api.store.connection.command, api.store.partition_of(game)
    summaries = projection_key(partition, generation_name(1), "games")
    row = json.loads(command("HGET", summaries, game))
    assert row.pop("touched") > 0
    command("HSET", summaries, game, json.dumps(row, separators=(",", ":")))
    command("DEL", projection_key(partition, generation_name(1), touched_part(creator)))
    command("SREM", projection_key(partition, generation_name(1), "parts"), touched_part(creator))


def test_what_was_counted_lately_is_not_counted_again(
    api: InProcess, bounded: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is asked once in a few seconds for each key."""
    monkeypatch.setattr(unfinished_games, "SECONDS", 1000.0)
    asked: list[str] = []
    ask = bounded.unfinished_games._ask  # noqa: SLF001 - to see what is asked

    def noted(key: str, games: tuple[str, ...]) -> tuple[int, frozenset[str]]:
        asked.append(key)
        return ask(key, games)

    monkeypatch.setattr(bounded.unfinished_games, "_ask", noted)
    assert [create(api).status for _ in range(MOST + 1)] == [201] * MOST + [409]
    assert len(asked) == 1


def test_a_store_that_is_nearly_full_keeps_its_room_for_games_that_have_begun(api: InProcess) -> None:
    """New ones are refused while those that there are are played on, and joined."""
    party = api.people()
    made = create(api, key="open", seats=[None, *THREE[1:]]).json
    used = int(_information(api)["used_memory"])
    with setting(api.store.connection, "maxmemory", str(used * 100 // 95)):
        refused = create(api)
        assert (refused.status, refused.json["code"]) == (503, "store_nearly_full")
        assert int(refused.headers["retry-after"]) > 0
        assert create(api, key="open", seats=[None, *THREE[1:]]).status == 201
        assert party.send(0, {"type": "plant", "field": 0}).status == 200
        assert api.call("POST", f"/v1/games/{made['game']}/seats", {"name": "Eve"}).status == 201


def _information(api: InProcess) -> dict[str, str]:
    text = api.store.connection.command("INFO", "memory").decode()
    return dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
