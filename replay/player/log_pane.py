"""The log around the version: what has just happened, what came before it, and what comes after."""

from replay.player.pieces import cropped, dimmed
from replay.player.sight import Sight
from replay.table_text import Line, folded
from replay.what_counts import marked

HERE, ANNOTATED = "▸", "◆"
_MOST_OF_ONE = 3
"""Lines of the sentence where one stands."""


def log_pane(sight: Sight, width: int, height: int) -> list[Line]:
    """At most so many lines of this width; two thirds of them are for what came before."""
    if height < 1:
        return []
    digits = len(str(sight.course.last))
    here = _here(sight, width, digits)[:height]
    room = height - len(here)
    to_come = min(room // 3, sight.course.last - sight.version)
    before = min(room - to_come, sight.version - 1)
    to_come = min(room - before, sight.course.last - sight.version)
    lines = [_one(sight, version, width, digits) for version in range(sight.version - before, sight.version)]
    lines += here
    for version in range(sight.version + 1, sight.version + to_come + 1):
        lines.append(dimmed(_one(sight, version, width, digits)))
    return lines


def notes_pane(sight: Sight, width: int, height: int) -> list[Line]:
    """What has been said about this version, as far as there is room."""
    rows = [row for note in sight.notes.at(sight.version) for row in note.text.splitlines()]
    lines = [line for row in rows for line in folded(row, "italic", max(width - 2, 10))]
    if len(lines) > height:
        lines = [*lines[: max(height - 1, 0)], [("… i reads all of it", "dim")]]
    return [
        [(f"{ANNOTATED if place == 0 else ' '} ", "yellow"), *line]
        for place, line in enumerate(lines[:height])
    ]


def _here(sight: Sight, width: int, digits: int) -> list[Line]:
    step = sight.step
    sentence = marked(sight.tell.sentence(step.state, step.event), counts=step.counts)
    rows = folded(sentence, "bold", max(width - digits - 3, 10))
    rows = (
        rows
        if len(rows) <= _MOST_OF_ONE
        else [*rows[: _MOST_OF_ONE - 1], [(rows[_MOST_OF_ONE - 1][0][0] + "…", "bold")]]
    )
    mark = ANNOTATED if sight.notes.at(sight.version) else " "
    head: Line = [(HERE, "bold"), (f"{sight.version:>{digits}}", "bold"), (mark, "yellow")]
    blank: Line = [(" " * (digits + 2), "")]
    return [cropped([*(blank if place else head), *row], width) for place, row in enumerate(rows)]


def _one(sight: Sight, version: int, width: int, digits: int) -> Line:
    mark = ANNOTATED if sight.notes.at(version) else " "
    sentence = sight.told.sentence(sight.course, sight.tell, version)
    return cropped([(f" {version:>{digits}}", "dim"), (mark, "yellow"), (sentence, "")], width)
