"""Switching the viewer folds nothing, and gives what folding that viewer's own entries gives."""

from pathlib import Path

import pytest

from events.game.folding import Folding
from events.game.record import read_record
from events.log.disclosure import ALL, PUBLIC
from events.log.redacted import event_in
from replay.records.hidden import redact
from replay.timeline.timeline import NotShown, read_timeline
from tests.replay.whole_games import GAMES, timeline_of
from tests.support.recorded_games import recorded_game


@pytest.mark.deep
@pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_table_of_a_viewer_is_the_fold_of_what_they_get(path: Path) -> None:
    """At every version, for the public and every seat: the whole table, redacted once, is the folded one."""
    whole = timeline_of(path)

    for viewer in (PUBLIC, *range(len(whole.at(1).state.seats))):
        folding = Folding()
        for version in range(1, whole.last + 1):
            entry = whole.recording.at(version)
            event = event_in(redact(entry.form, viewer).entry)
            folded = folding.follow(event, begins="command" in entry.form.entry)
            assert whole.recording.table(entry.moment, viewer) == folded, f"version {version} as {viewer}"


def test_a_switched_timeline_is_the_viewers_own() -> None:
    """Every step, with its entry, is what the viewer's own record would have shown."""
    game = recorded_game(5, 4, (), 12)
    whole = read_timeline(*read_record(game.record()), ALL)

    for viewer in (PUBLIC, 0, 3):
        own = read_timeline(*read_record(game.record(viewer)), viewer)
        assert [*whole.seen_by(viewer).steps] == [*own.steps]
    assert whole.seen_by(2).seen_by(ALL).at(40) == whole.at(40)


def test_a_viewer_beyond_the_record_is_refused() -> None:
    """A seat's record shows the seat and the public; no table has a seat 9."""
    game = recorded_game(5, 4, (), 12)
    own = read_timeline(*read_record(game.record(1)), 1)

    assert own.seen_by(PUBLIC).at(30).state == own.recording.at(30).moment.public
    for timeline, viewer in (
        (own, 2),
        (own, ALL),
        (own.seen_by(PUBLIC), 0),
        (read_timeline(*read_record(game.record()), ALL), 9),
    ):
        with pytest.raises(NotShown, match="--as"):
            timeline.seen_by(viewer)
