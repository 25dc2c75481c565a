"""The table before and after an entry, as each viewer could see it, and what they could know for certain."""

from collections.abc import Iterable
from typing import Final

from events.log.disclosure import ALL, PUBLIC, viewer_name
from events.rules.table.player_view import player_view
from replay.commentary import Commentary
from replay.exports.evidence.pack import Group, Perspective, ViewedTable
from replay.terminal.knowledge_text import knowledge_lines
from replay.terminal.table_text import Line, lying_lines
from replay.timeline.knowledge import knowledge
from replay.timeline.timeline import Timeline

_LABELLED: Final = 2
"""A line with a label has the label as its first piece, and something behind it."""


def perspectives(timeline: Timeline, version: int, tell: Commentary) -> tuple[Perspective, ...]:
    """The tables around the entry of a version: for the public, for every seat, and all of it.

    The timeline's record holds all.
    """
    seats = range(len(timeline.recording.at(version).moment.whole.seats))
    return tuple(
        Perspective(
            viewer_name(viewer),
            _sight(timeline, version - 1, viewer, tell) if version > 1 else None,
            _sight(timeline, version, viewer, tell),
        )
        for viewer in (PUBLIC, *seats, ALL)
    )


def _sight(timeline: Timeline, version: int, viewer: int, tell: Commentary) -> ViewedTable:
    moment = timeline.recording.at(version).moment
    state = timeline.recording.table(moment, viewer)
    shown = tuple(group_lines(lying_lines(tell, state)))
    if viewer == ALL or viewer >= len(state.seats):
        return ViewedTable(player_view(state, viewer), shown)
    catalogue = timeline.header.catalogue
    told = knowledge(catalogue, state, moment.known, viewer)
    rows = tuple(row for group in group_lines(knowledge_lines(catalogue, state, told)) for row in group.rows)
    return ViewedTable(player_view(state, viewer), shown, told, rows)


def group_lines(lines: Iterable[Line]) -> Iterable[Group]:
    """Lines of a screen as rows again: what was broken to fit its width is put together.

    Empty lines stand between groups. A row begins with a label, and goes on on lines with an empty one.
    """
    heading: list[str] = []
    rows: list[list[str]] = []
    for line in (*lines, []):
        if not line:
            if heading or rows:
                yield Group(" ".join(heading), tuple((label, text) for label, text in rows))
            heading, rows = [], []
        elif len(line) < _LABELLED:
            heading.append(line[0][0].strip())
        else:
            label, text = line[0][0].strip(), "".join(piece for piece, _ in line[1:]).strip()
            if label or not rows:
                rows.append([label, text])
            else:
                rows[-1][1] += f" {text}"
