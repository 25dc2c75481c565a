"""The log around the version: what has just happened, what came before it, and what comes after."""

from replay.terminal.player.panes.pieces import crop, dim
from replay.terminal.player.view_state import ViewState
from replay.terminal.table_text import Line, fold_text
from replay.timeline.timeline import step_sentence

HERE, ANNOTATED = "▸", "◆"
_MOST_OF_ONE = 3
"""Lines of the sentence where one stands."""


def log_pane(view: ViewState, width: int, height: int) -> list[Line]:
    """At most so many lines of this width; two thirds of them are for what came before."""
    if height < 1:
        return []
    digits = len(str(view.track.last))
    here = _here(view, width, digits)[:height]
    room = height - len(here)
    to_come = min(room // 3, view.track.last - view.version)
    before = min(room - to_come, view.version - 1)
    to_come = min(room - before, view.track.last - view.version)
    lines = [_one(view, version, width, digits) for version in range(view.version - before, view.version)]
    lines += here
    for version in range(view.version + 1, view.version + to_come + 1):
        lines.append(dim(_one(view, version, width, digits)))
    return lines


def notes_pane(view: ViewState, width: int, height: int) -> list[Line]:
    """What has been said about this version, as far as there is room."""
    rows = [row for note in view.notes.at(view.version) for row in note.text.splitlines()]
    lines = [line for row in rows for line in fold_text(row, "italic", max(width - 2, 10))]
    if len(lines) > height:
        lines = [*lines[: max(height - 1, 0)], [("… i reads all of it", "dim")]]
    return [
        [(f"{ANNOTATED if place == 0 else ' '} ", "yellow"), *line]
        for place, line in enumerate(lines[:height])
    ]


def _here(view: ViewState, width: int, digits: int) -> list[Line]:
    sentence = step_sentence(view.tell, view.step)
    rows = fold_text(sentence, "bold", max(width - digits - 3, 10))
    rows = (
        rows
        if len(rows) <= _MOST_OF_ONE
        else [*rows[: _MOST_OF_ONE - 1], [(rows[_MOST_OF_ONE - 1][0][0] + "…", "bold")]]
    )
    mark = ANNOTATED if view.notes.at(view.version) else " "
    head: Line = [(HERE, "bold"), (f"{view.version:>{digits}}", "bold"), (mark, "yellow")]
    blank: Line = [(" " * (digits + 2), "")]
    return [crop([*(blank if place else head), *row], width) for place, row in enumerate(rows)]


def _one(view: ViewState, version: int, width: int, digits: int) -> Line:
    mark = ANNOTATED if view.notes.at(version) else " "
    sentence = view.sentences.sentence(view.track, view.tell, version)
    return crop([(f" {version:>{digits}}", "dim"), (mark, "yellow"), (sentence, "")], width)
