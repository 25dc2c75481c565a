"""A page of the list looks at so many games: what is not wanted by the thousand is gone through page by page."""

from typing import Any

import pytest

from service.access.game_access import UNLISTED_GAME, GamePolicy
from service.projections import game_list
from service.projections.audience import Audience
from service.projections.game_list import GameList
from service.projections.list_cursors import read_cursor
from service.projections.listed_games import Filter
from service.projections.store import ReadModelRecords
from tests.service.http.messages.test_keeping import links
from tests.service.in_process import InProcess
from tests.service.projections.listing import listed, project


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many questions each round trip to the list had; each looks at two games at most."""
    monkeypatch.setattr(game_list, "MOST_LOOKED_AT", 2)
    counts: list[int] = []
    real = ReadModelRecords.list_all

    def counting(self: ReadModelRecords, shape: str, listings: Any) -> Any:
        counts.append(len(listings))
        return real(self, shape, listings)

    monkeypatch.setattr(ReadModelRecords, "list_all", counting)
    return counts


def test_a_page_ends_where_enough_games_were_looked_at(
    api: InProcess, asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two large sets that have nothing in common no request walks along all of one; the pages end all the same."""
    monkeypatch.setattr(game_list, "MOST_LOOKED_AT", 1)
    monkeypatch.setattr(game_list, "MOST_CALLS", 1)
    running = {api.people(seed=seed).game for seed in range(24)}
    waiting = {api.create([{"name": "Zoe"}, None, None])["game"] for _ in range(40)}
    project(api.store)

    where, pages = "/v1/games?status=running&player=Zoe", 0
    while where:
        asked.clear()
        page = api.call("GET", where)
        # One call in each partition, and another one where several games were set up in the same millisecond.
        assert sum(asked) <= 2 * api.store.partitions
        assert page.json["games"] == []
        pages, where = pages + 1, links(page).get("next", "")
        assert pages < 100
    assert pages > 1
    assert set(listed(api, "player=Zoe&limit=3")) == waiting
    assert set(listed(api, "status=running&limit=7")) == running


@pytest.mark.parametrize("limit", [1, 2, 7, 200])
def test_every_game_stands_on_one_page_however_early_pages_end(
    api: InProcess, asked: list[int], monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    """Also where many were set up in one millisecond, and for whom most are hidden; some pages are empty."""
    del asked
    monkeypatch.setattr(game_list, "MOST_CALLS", 2)
    policies = [GamePolicy(), GamePolicy(UNLISTED_GAME, 0, "key_somebody")]
    games = {seed: api.stored(seed, 60, policies[seed % 3 > 0]).id for seed in range(10, 40)}
    project(api.store)
    shown = [game for seed, game in games.items() if seed % 3 == 0]

    found: list[str] = []
    cursor = None
    for _ in range(200):
        page, cursor = GameList(api.store).page(Filter(player="Ann"), limit, cursor, Audience())
        found += [each.game for each in page]
        if cursor is None:
            break
    assert sorted(found) == sorted(shown)


def test_a_place_names_no_game_that_is_hidden(api: InProcess, asked: list[int]) -> None:
    """A page that ends early ends in front of a time: whoever decodes the cursor learns no id."""
    del asked
    for seed in range(1, 31):
        api.stored(seed, 60, GamePolicy(UNLISTED_GAME, 0, "key_somebody"))
    project(api.store)
    page, cursor = GameList(api.store).page(Filter(player="Ann"), 5, None, Audience())
    assert page == []
    while cursor is not None:
        assert read_cursor(cursor)[1] == "~"
        page, cursor = GameList(api.store).page(Filter(player="Ann"), 5, cursor, Audience())
        assert page == []
