"""Games that went back, in the replay tools: what is folded, counted, followed and marked is what counts."""

from functools import cache

import pytest

from events.domain_events import GameEnded
from events.game.folding import Folding
from events.game.record import read_record
from events.log.codec import decode_event
from events.log.disclosure import ALL, PUBLIC
from events.rules.evolving.evolve import evolve
from events.rules.table.state import INITIAL_STATE
from replay.exports.markdown import split_into_turns
from replay.records.effective_history import EVERYTHING, EffectiveHistory, Rewinding
from replay.timeline.statistics.tally import compute_statistics
from replay.timeline.timeline import Timeline, read_timeline
from tests.laws.test_rewinding import GAMES, game_of


@cache
def timeline_of(system: str, players: int, viewer: int = ALL) -> Timeline:
    """The timeline of a game that went back three times."""
    return read_timeline(*read_record(iter(game_of("back", system, players).lines(viewer))), viewer)


def test_everything_counts_in_a_game_that_never_went_back() -> None:
    """There is no stretch."""
    assert 1 in EVERYTHING
    assert EVERYTHING.discarded == ()


def test_a_stretch_lies_between_the_version_and_the_command_that_went_back() -> None:
    """The command itself counts: it says why."""
    counting = EffectiveHistory([Rewinding(begun=20, version=22, to_version=10)])
    assert counting.discarded == ((11, 19),)
    assert [version for version in range(9, 23) if version in counting] == [9, 10, 20, 21, 22]
    assert [*counting.select_effective(range(9, 23))] == [9, 10, 22], "what leads to the table"


def test_a_stretch_swallows_those_that_it_discards_again() -> None:
    """And leaves those before it."""
    first, second = Rewinding(20, 21, 10), Rewinding(30, 31, 25)
    assert EffectiveHistory([first, second]).discarded == ((11, 19), (26, 29))
    assert EffectiveHistory([first, second, Rewinding(40, 41, 5)]).discarded == ((6, 39),)
    assert EffectiveHistory([first, second, Rewinding(40, 41, 22)]).discarded == ((11, 19), (23, 39))


@pytest.mark.deep
@pytest.mark.parametrize(("system", "players"), GAMES)
def test_what_counts_folds_to_the_table_at_every_version(system: str, players: int) -> None:
    """Without the discarded stretches a plain fold leads to the same table: that is what counting means."""
    timeline, game = timeline_of(system, players), game_of("back", system, players)
    events = [decode_event(entry) for entry in game.log]
    versions = [*range(1, timeline.last + 1, 17), timeline.last]
    for last in versions:
        state = INITIAL_STATE
        for version in timeline.effective_history(last).select_effective(range(1, last + 1)):
            state = evolve(state, events[version - 1])
        assert state == timeline.at(last).state


@pytest.mark.deep
@pytest.mark.parametrize(("system", "players"), GAMES)
def test_every_version_has_its_own_table_discarded_or_not(system: str, players: int) -> None:
    """One can look at a discarded stretch as at any other; blocks are unpacked in any order."""
    timeline, game, folding = timeline_of(system, players), game_of("back", system, players), Folding()
    tables = [folding.follow(decode_event(each), begins=bool(each.command)) for each in game.log]
    for version in range(timeline.last, 0, -1):
        assert timeline.at(version).state == tables[version - 1]


@pytest.mark.deep
@pytest.mark.parametrize(("system", "players"), GAMES)
def test_seats_and_spectators_see_the_same_versions_discarded(system: str, players: int) -> None:
    """What counts is public."""
    everything = timeline_of(system, players).effective_history().discarded
    assert everything
    for viewer in (PUBLIC, 0):
        assert timeline_of(system, players, viewer).effective_history().discarded == everything


@pytest.mark.deep
@pytest.mark.parametrize(("system", "players"), GAMES)
def test_the_statistics_agree_with_the_result(system: str, players: int) -> None:
    """Coins by where they came from sum to the coins on the stack, which only what counts has earned."""
    timeline = timeline_of(system, players)
    figures, final = compute_statistics(timeline), timeline.at(timeline.last).state
    assert final.result is not None
    for seat in figures.seats:
        assert sum(seat.coins_from.values()) == seat.coins == len(final.seats[seat.seat].coins)
        assert seat.score == final.result.scores[seat.seat]
    assert figures.milliseconds == figures.others_milliseconds + sum(
        each.milliseconds for each in figures.seats
    )
    ended = [
        each
        for each in map(decode_event, game_of("back", system, players).log)
        if isinstance(each, GameEnded)
    ]
    assert [(each.scores, each.winners) for each in ended] == [(final.result.scores, final.result.winners)]


@pytest.mark.deep
@pytest.mark.parametrize(("system", "players"), GAMES)
def test_of_each_turn_one_course_counts(system: str, players: int) -> None:
    """The turns that count come one after the other; a turn that was gone back into goes on as the same turn."""
    counting = [turn.turn for turn in split_into_turns(timeline_of(system, players)) if turn.counts]
    assert sorted(counting) == counting
    assert {*counting} == {*range(counting[-1] + 1)}
