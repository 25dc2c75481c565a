"""The timeline of a record: looking up versions, and stepping by event, command, phase and turn."""

import random

import pytest

from events import domain_events as e
from events.game.record import read_record
from events.log.disclosure import ALL, PUBLIC, viewer_name
from events.rules.table.player_view import player_view
from events.rules.table.state import INITIAL_STATE
from replay.timeline.recording import BLOCK, UNPACKED, Recording
from replay.timeline.timeline import COMMAND, EVENT, PHASE, TURN, Timeline, read_timeline
from tests.support.recorded_games import recorded_game

GAME = recorded_game(5, 4, (("start_seat", "random"),), 12)


def timeline(viewer: int = ALL, scope: int = ALL) -> Timeline:
    """The game's timeline for a viewer, from a record in this scope."""
    return read_timeline(*read_record(GAME.record(scope)), viewer)


def test_each_version_has_its_entry_and_table() -> None:
    """Looking up a version gives its entry and the table after it; the last table is the game's."""
    whole = timeline()

    assert [step.version for step in whole.steps] == list(range(1, len(GAME.log) + 1))
    assert whole.at(whole.last).state == GAME.table.state
    assert whole.before(1) == INITIAL_STATE
    assert whole.before(40) == whole.at(39).state
    assert whole.broken is None


@pytest.mark.parametrize("version", [0, -1, len(GAME.log) + 1])
def test_a_version_that_is_not_there_is_refused(version: int) -> None:
    """There is no version before 1 and none after the last."""
    with pytest.raises(IndexError):
        timeline().at(version)


@pytest.mark.parametrize("viewer", [PUBLIC, 0, 3], ids=viewer_name)
def test_a_whole_record_redacted_is_what_the_viewer_would_have_got(viewer: int) -> None:
    """Showing less of a whole record is the same as showing the viewer's own record."""
    redacted, own = timeline(viewer), timeline(viewer, viewer)

    assert [step.form for step in redacted.steps] == [step.form for step in own.steps]
    assert [step.state for step in redacted.steps] == [step.state for step in own.steps]


@pytest.mark.parametrize("viewer", [PUBLIC, 0, 3], ids=viewer_name)
def test_the_filtered_table_shows_what_the_whole_one_shows_this_viewer(viewer: int) -> None:
    """Folding filtered entries and filtering the folded table are the same."""
    for whole, redacted in zip(timeline().steps, timeline(viewer).steps, strict=True):
        assert player_view(redacted.state, viewer) == player_view(whole.state, viewer)


def test_a_command_stops_at_the_last_entry_that_it_brought_about() -> None:
    """After a step by command the next entry begins a new command."""
    whole = timeline()

    for version in whole.stops[COMMAND]:
        assert version == whole.last or whole.at(version + 1).command is not None
    assert sum(step.command is not None for step in whole.steps) == len(whole.stops[COMMAND])


def test_phases_and_turns_stop_where_they_begin() -> None:
    """After a step by phase or turn it has just begun."""
    whole = timeline()

    assert all(isinstance(whole.at(version).event, e.PhaseBegan) for version in whole.stops[PHASE])
    assert [whole.at(version).state.turn for version in whole.stops[TURN]] == list(
        range(1, whole.at(whole.last).state.turn + 1)
    )


@pytest.mark.parametrize("unit", [EVENT, COMMAND, PHASE, TURN])
def test_stepping_forward_and_back_visits_every_stop(unit: str) -> None:
    """Forward to the end and back to the beginning, stop by stop."""
    whole = timeline()
    visited, version = [], 1
    while (after := whole.after(version, unit)) != version:
        visited.append(version := after)
    returned = []
    while (back := whole.back(version, unit)) != version:
        returned.append(version := back)

    expected = sorted({1, *whole.stops[unit], whole.last})
    assert visited == expected[1:]
    assert returned == expected[-2::-1]


def test_a_broken_record_ends_where_it_breaks() -> None:
    """What holds can be shown; the finding says where it ends."""
    record = GAME.record()

    broken = read_timeline(*read_record([*record[:60], *record[61:]]), ALL)

    assert broken.last == 59
    assert broken.broken is not None
    assert broken.broken.version == 60


def test_a_timeline_grows_while_it_is_read() -> None:
    """As entries arrive they are there for every viewer, with their tables and stops."""
    header, forms = read_record(GAME.record())
    whole = timeline()
    growing = Timeline(Recording(header), ALL)
    seat, seen = Timeline(growing.recording, 2), []

    def told(version: int) -> None:
        seen.append(version)
        assert growing.last == seat.last == version
        assert growing.after(version, EVENT) == version
        if version % 7 == 0:
            assert growing.at(version) == whole.at(version)
            assert seat.at(version - 1) == whole.seen_by(2).at(version - 1)

    growing.recording.read(forms, told)

    assert seen == [*range(1, whole.last + 1)]
    assert {unit: [*stops] for unit, stops in growing.stops.items()} == {
        unit: [*stops] for unit, stops in whole.stops.items()
    }


def test_steps_are_made_when_asked_for() -> None:
    """Their order is that of the versions, also across the blocks in which entries are kept."""
    whole = timeline()
    steps = [*whole.steps]

    assert [step.version for step in steps[BLOCK - 2 : BLOCK + 2]] == [*range(BLOCK - 1, BLOCK + 3)]
    assert steps[-1].version == len(steps) == len(GAME.log)
    assert [whole.at(version) for version in range(len(steps), 0, -40)] == steps[::-40]
    assert steps[3:9] == [*timeline().steps][3:9]


def test_a_jump_unpacks_one_block_and_keeps_few() -> None:
    """However far one jumps about, what is kept unpacked stays bounded, and every version is right."""
    whole, chance = timeline(), random.Random(3)
    tables = [step.state for step in whole.steps]

    for _ in range(400):
        version = chance.randint(1, whole.last)
        assert whole.at(version).state == tables[version - 1]
    assert 0 < whole.recording.unpacked <= UNPACKED
