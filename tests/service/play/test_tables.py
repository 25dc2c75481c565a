"""The games that a process keeps at hand: those that go on, and few of those that are over."""

from service.play.tables import Tables
from tests.service.in_process import InProcess


def test_games_that_are_over_make_room_for_others(api: InProcess) -> None:
    """Of those the last ones are kept, and every one that goes on; whoever asks for another has it read again."""
    tables = Tables(api.store, finished=2)
    over, going_on = [], []
    for seed in range(4):
        party, other = api.people(seed=seed), api.people(seed=seed)
        party.play(10_000)
        other.play(3)
        over.append(party.game)
        going_on.append(other.game)
    for game in (*going_on, *over):
        tables.newest(game)

    assert [tables.known(game) is not None for game in over] == [False, False, True, True]
    assert all(tables.known(game) for game in going_on)
    assert tables.newest(over[0]).table.state.status == "finished"
    assert [tables.known(game) is not None for game in over] == [True, False, False, True]


def test_a_game_that_is_forgotten_leaves_room(api: InProcess) -> None:
    """It no longer counts as one of those that are over."""
    tables = Tables(api.store, finished=1)
    first, second = api.people(seed=1), api.people(seed=2)
    for party in (first, second):
        party.play(10_000)
    tables.newest(first.game)
    tables.forget(first.game)
    tables.newest(second.game)
    assert tables.known(first.game) is None
    assert tables.known(second.game) is not None
