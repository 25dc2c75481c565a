"""A table of the dataset over HTTP: the rows of `fieldbook dataset`, each game once, for who may see them."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from events.store.errors import StoreUnavailable
from replay.across.dataset.format import TABLES
from replay.across.dataset.names import Names
from replay.across.dataset.told_game import ToldGame
from replay.across.played_game import PlayedGame
from replay.across.reading import read_game
from service.access.game_access import PRIVATE_GAME, PUBLIC_GAME, UNLISTED_GAME, GamePolicy
from service.access.store import Keys
from service.across.opened_store import OpenedStore
from tests.service.in_process import InProcess
from tests.support.http_play import Answer

DATASET = "/v1/dataset"


def asked(api: InProcess, query: str) -> list[dict[str, Any]]:
    """The lines of an answer."""
    answer = api.call("GET", f"{DATASET}?{query}", token=api.key)
    assert answer.status == 200, answer.body
    return lines_of(answer)


def lines_of(answer: Answer) -> list[dict[str, Any]]:
    """The lines of an answer."""
    return [json.loads(line) for line in answer.body.splitlines()]


def games_in(lines: list[dict[str, Any]]) -> list[str]:
    """The games that have rows, in order."""
    return [line["game"] for line in lines if "rows" in line]


@pytest.fixture
def stored(api: InProcess) -> InProcess:
    """A service with a public, an unlisted and a private game, and one that goes on."""
    api.stored(1, most_offers=5)
    api.stored(2, most_offers=5, policy=GamePolicy(UNLISTED_GAME))
    api.stored(3, most_offers=5, policy=GamePolicy(PRIVATE_GAME))
    api.stored(4, stop_at=60)
    return api


def test_a_table_has_the_rows_of_a_direct_fold(api: InProcess) -> None:
    """By column; moments are milliseconds."""
    api.stored(1, most_offers=5)
    played = read_game(OpenedStore(api.store), "game-1")
    assert isinstance(played, PlayedGame)

    for table in (each for each in TABLES if each.name in {"games", "offers", "harvests"}):
        first, last = asked(api, f"table={table.name}")
        expected = [row._asdict() for row in told(played, table.rows)]

        assert first["rows"] == json.loads(json.dumps(expected)), table.name
        assert last == {"after": last["after"], "complete": True, "left": {}}


def told(played: PlayedGame, rows: Any) -> Iterator[Any]:
    """The rows of a game as the tables make them."""
    yield from rows(ToldGame(played, Names()))


def test_a_public_table_counts_hidden_games_and_a_complete_one_has_them(stored: InProcess) -> None:
    """Not even the ids of hidden games stand in a public one; what goes on is in neither."""
    public = stored.call("GET", f"{DATASET}?table=events", token=stored.key)
    complete = asked(stored, "table=games&for=complete")

    assert games_in(lines_of(public)) == ["game-1"]
    assert lines_of(public)[-1]["left"] == {"private": 1, "unlisted": 1}
    assert not [game for game in (b"game-2", b"game-3", b"game-4") if game in public.body]
    assert {line["game"]: line["rows"][0]["visibility"] for line in complete if "rows" in line} == {
        "game-1": "public",
        "game-2": "unlisted",
        "game-3": "private",
    }


def test_a_call_reads_so_many_games_and_goes_on_behind_them(stored: InProcess) -> None:
    """Whatever was received, the rest comes once, and then only what is new."""
    whole = asked(stored, "table=seats&for=complete")
    order = games_in(whole)

    few, after = [], ""
    while True:
        few.append(asked(stored, f"table=seats&for=complete&limit=1{after}"))
        after = f"&after={few[-1][-1]['after']}"
        if few[-1][-1]["complete"]:
            break
    assert [game for lines in few for game in games_in(lines)] == order
    assert all(len(games_in(lines)) <= 1 for lines in few)
    for place, line in enumerate(whole[:-1], 1):
        rest = asked(stored, f"table=seats&for=complete&after={line['after']}")
        assert games_in(rest) == order[place:]
    new = stored.stored(5, most_offers=5)
    assert games_in(asked(stored, f"table=seats&for=complete{after}")) == [new.id]
    for limit in (0, 1001):
        refused = stored.call("GET", f"{DATASET}?table=seats&limit={limit}", token=stored.key)
        assert (refused.status, refused.json["code"]) == (422, "schema_violation")


def test_games_are_chosen_by_system_and_month(api: InProcess) -> None:
    """The month in which they ended, by UTC."""
    api.stored(1, most_offers=5)
    (row,) = asked(api, "table=games")[0]["rows"]
    assert row["month"] == "2026-01"

    for query, games in (
        ("month=2026-01", 1),
        ("month=2026-02", 0),
        ("month=2025-12", 0),
        ("month=undated", 0),
        ("month=2026-01&system=classic", 1),
        ("system=extended", 0),
    ):
        assert len(games_in(asked(api, f"table=games&{query}"))) == games, query


def test_what_has_no_rows_is_named_with_the_reason(stored: InProcess) -> None:
    """A log that is gone, and a partition in quarantine: none of the games is missing in silence."""
    tag = f"{{p{stored.store.partition_of('game-1'):02}}}"
    assert stored.store.connection.command("DEL", f"{tag}:game:game-1:log")
    stored.store.quarantine.put(stored.store.partition_of("game-2"), "a block of the disk was lost")

    lines = asked(stored, "table=games&for=complete")

    left = {line["game"]: line["left_out"] for line in lines if "left_out" in line}
    assert left["game-1"] == "does_not_verify"
    assert left["game-2"] == "quarantined"
    assert {*left, *games_in(lines)} == {"game-1", "game-2", "game-3"}
    assert sum(lines[-1]["left"].values()) == len(left)


def test_what_is_left_out_is_chosen_as_by_the_command(stored: InProcess) -> None:
    """With `take` and `leave_out`; a public table has nothing of hidden games, whoever asks for them."""
    stored.store.quarantine.put(stored.store.partition_of("game-2"), "a block of the disk was lost")
    complete = "table=games&for=complete"

    fewer = asked(stored, f"{complete}&leave_out=private,unlisted")
    more = asked(stored, f"{complete}&take=quarantined")

    assert games_in(fewer) == ["game-1"]
    assert fewer[-1]["left"] == {"private": 1, "unlisted": 1}
    assert sorted(games_in(more)) == ["game-1", "game-2", "game-3"]
    for query in ("table=games&take=private", f"{complete}&take=unreadable", f"{complete}&leave_out="):
        refused = stored.call("GET", f"{DATASET}?{query}", token=stored.key)
        assert (refused.status, refused.json["code"]) == (422, "schema_violation"), query


def test_what_is_cut_off_says_so_by_what_is_missing(
    stored: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the store fails the answer ends without its last line, and goes on later behind what was received."""
    order = games_in(asked(stored, "table=games&for=complete"))
    head = stored.store.head

    def failing(game: str) -> Any:
        if game == order[-1]:
            raise StoreUnavailable("gone")
        return head(game)

    monkeypatch.setattr(stored.store, "head", failing)
    cut = asked(stored, "table=games&for=complete")
    monkeypatch.undo()

    assert not any("complete" in line for line in cut)
    rest = asked(stored, f"table=games&for=complete&after={cut[-1]['after']}")
    assert games_in(cut) + games_in(rest) == order


def test_what_was_left_out_is_counted_line_by_line(stored: InProcess) -> None:
    """Hidden games have no line: whoever is cut off, and goes on behind what came, has counted each once."""
    for seed in (5, 6, 7):
        stored.stored(seed, most_offers=5, policy=GamePolicy(PRIVATE_GAME if seed == 6 else PUBLIC_GAME))
    whole = asked(stored, "table=games")

    assert whole[-1]["left"] == {"private": 2, "unlisted": 1}
    for line in whole[:-1]:
        rest = asked(stored, f"table=games&after={line['after']}")
        assert Counter(line["left"]) + Counter(rest[-1]["left"]) == whole[-1]["left"]
    assert len({json.dumps(line["left"]) for line in whole}) > 1


def test_an_export_and_a_table_have_one_place_together(stored: InProcess) -> None:
    """So that an auditor does not take the places of all others."""
    under_way = stored.app.test_client().get(
        f"{DATASET}?table=games", headers={"Authorization": f"Bearer {stored.key}"}
    )
    for path in ("/v1/exports/games", f"{DATASET}?table=games"):
        assert stored.call("GET", path, token=stored.key).json["code"] == "too_many_exports"
    under_way.close()
    assert asked(stored, "table=games")


def test_only_keys_with_audit_read_tables_and_ask_for_some_that_there_are(api: InProcess) -> None:
    """Everybody else is told so first."""
    weak = Keys(api.store).create("no games", ("arbitrate",), 2)
    for token, status in ((None, 401), (weak, 403)):
        assert api.call("GET", f"{DATASET}?table=none", token=token).status == status
    for query in ("", "?table=none", "?table=games&month=2026-13", "?table=games&for=me"):
        assert api.call("GET", f"{DATASET}{query}", token=api.key).status == 422
    foreign = api.call("GET", f"{DATASET}?table=games&after=MQ", token=api.key)
    assert (foreign.status, foreign.json["code"]) == (400, "bad_cursor")
