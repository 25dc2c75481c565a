"""A game as a function over many games gets it."""

from itertools import pairwise
from pathlib import Path

import pytest

from events import domain_events as e
from events.game.record import read_record
from events.log.disclosure import ALL
from events.rules.table.state import INITIAL_STATE
from replay.across.played_game import PlayedGame
from replay.across.reading import read_game
from replay.across.source import RecordFolder
from replay.timeline.timeline import read_timeline
from tests.replay.across.folders import write, write_rewound
from tests.support.recorded_games import recorded_game


def played(folder: Path, name: str) -> PlayedGame:
    """The game of this name."""
    found = read_game(RecordFolder(folder), name)
    assert isinstance(found, PlayedGame)
    return found


def test_it_says_what_was_played_and_how_it_ended(tmp_path: Path) -> None:
    """As the record does."""
    recorded = recorded_game(2, 2, system="the-duel")
    write(tmp_path / "duel.ndjson", recorded.record())

    found = played(tmp_path, "duel.ndjson")

    assert (found.game, found.system, found.players) == ("game-2", "the-duel", 2)
    assert found.result == recorded.table.state.result
    assert found.end == recorded.table.state
    assert found.rules == recorded.table.rules
    assert found.created.system == "the-duel"
    assert found.report.ok
    assert found.visibility == ""


def test_each_step_has_the_tables_around_it(tmp_path: Path) -> None:
    """The table before a step is the one after the step before."""
    write(tmp_path / "a.ndjson", recorded_game(1).record())

    steps = list(played(tmp_path, "a.ndjson").steps)

    assert [each.version for each in steps] == list(range(1, len(recorded_game(1).log) + 1))
    assert steps[0].before == INITIAL_STATE
    assert all(later.before is step.after for step, later in pairwise(steps))
    assert all(each.counts and each.in_effect for each in steps)


def test_what_was_discarded_when_the_game_went_back_is_marked(tmp_path: Path) -> None:
    """The same entries as in the timeline of the same record."""
    write_rewound(tmp_path)
    header, forms = read_record((tmp_path / "rewound.ndjson").read_bytes().splitlines(keepends=True))
    timeline = read_timeline(header, forms, ALL)
    history = timeline.effective_history()

    found = played(tmp_path, "rewound.ndjson")

    steps = list(found.steps)
    assert len(found.rewindings) == 3
    assert sum(isinstance(each.event, e.GameRewound) for each in steps) == 3
    assert [each.version for each in steps if not each.counts] == [
        version for version in range(1, timeline.last + 1) if version not in history
    ]
    assert [each.version for each in steps if each.in_effect] == list(
        history.select_effective(range(1, timeline.last + 1))
    )
    assert any(each.counts and not each.in_effect for each in steps)


def test_a_game_without_a_result_has_none(tmp_path: Path) -> None:
    """Asked too early, of entries that somebody put together."""
    write(tmp_path / "a.ndjson", recorded_game(1).record())
    whole = played(tmp_path, "a.ndjson")
    part = PlayedGame("part", whole.header, whole.entries[:10], whole.report)

    with pytest.raises(ValueError, match="has no result"):
        _ = part.result
