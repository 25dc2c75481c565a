"""What a game can go back to: the same whether the whole log is folded for it, or only what is asked for is read."""

import pytest

from events.game.table import open_with_history
from events.rules.catalogues.catalogue import installed_catalogue
from events.rules.systems.registry import BY_KEY
from service.access.game_access import SECRET
from service.play.snapshots import APART
from service.play.tables import LoadedGame, Tables
from tests.service.play.test_snapshots import CountingStore, stored
from tests.support.disputed_games import disputed_game
from tests.support.recorded_games import RecordedGame, recorded_game


@pytest.mark.parametrize("system", BY_KEY)
def test_a_game_goes_back_to_what_the_whole_log_says(system: str) -> None:
    """At every version, from tables of several versions: after talk, within commands, and in discarded stretches."""
    game = disputed_game("going back", system, BY_KEY[system].players[0])
    store, table = stored(RecordedGame(game.table, game.log))
    tables = Tables(store)
    newest = LoadedGame(table, {SECRET: table.secret})
    for version in (game.rewindings[-1] + 1, len(game.log) // 2, len(game.log) - 5):
        then = LoadedGame(tables.at(newest, version), newest.private)
        _, whole = open_with_history(game.log[:version], table.secret, installed_catalogue)
        found = tables.earlier(then)
        assert {each: found(each) for each in range(version + 3)} == {
            each: whole(each) for each in range(version + 3)
        }
        stops = [(each, whole(each)) for each in range(version - 1, 0, -1) if whole(each) is not None]
        for most in (1, 7, 20):
            assert tables.last_stops(then, most) == stops[:most]


def test_to_go_back_little_is_read() -> None:
    """However long the log is: the entries at the place, and from the nearest snapshot on."""
    game = recorded_game(5, 4, (), 12)
    store = CountingStore()
    _, table = stored(game, store)
    tables, loaded = Tables(store), LoadedGame(table, {SECRET: table.secret})
    tables.at(loaded, table.version - 1)
    for version in range(table.version - 3, 0, -60):
        store.entries = 0
        tables.earlier(loaded)(version)
        assert store.entries <= APART + 4
    store.entries = 0
    tables.last_stops(loaded, 20)
    assert store.entries <= 4 * APART
