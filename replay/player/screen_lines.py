"""The whole screen as lines, from where the reader is and the window's size; two columns where it is wide."""

from itertools import zip_longest

from events import domain_events as e
from events.disclosure import viewer_name
from replay.commentary.texts import NAME_LENGTH, shown
from replay.player.bar import bar
from replay.player.log_pane import log_pane, notes_pane
from replay.player.pieces import apart, cropped, padded, width_of
from replay.player.sight import Sight
from replay.player.table_pane import table_pane
from replay.table_text import Line, folded, turn_lines, when

SMALLEST = (60, 18)
"""Columns and lines below which nothing is shown but a request for a larger window."""
WIDE = 120
"""Columns from which on table and log stand side by side."""
_AROUND = 4
"""Lines for heading, turn, bar and status."""
_LEAST_OF_LOG = 3
_TABLE_WIDTH = 84
_BETWEEN = " │ "


def screen_lines(sight: Sight, width: int, height: int) -> list[Line]:
    """Exactly so many lines, none wider than that."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return _too_small(width, height)
    room = height - _AROUND
    middle = _wide(sight, width, room) if width >= WIDE else _narrow(sight, width, room)
    bar_line = bar(sight.version, sight.course.last, width, sight.notes.versions)
    return [_title(sight, width), _turn(sight, width), *middle, bar_line, _status(sight, width)]


def _too_small(width: int, height: int) -> list[Line]:
    needed = f"The player needs {SMALLEST[0]} columns and {SMALLEST[1]} lines"
    text = f"{needed}; this window has {width} and {height}. q leaves."
    lines = folded(text, "bold", width) if width > 1 else []
    return [*lines, *([[]] * height)][:height]


def _narrow(sight: Sight, width: int, room: int) -> list[Line]:
    table = table_pane(sight.tell, sight.rules, sight.step.state, width, room - _LEAST_OF_LOG - 1)
    left = room - len(table) - 1
    notes = notes_pane(sight, width, min(3, left - _LEAST_OF_LOG))
    log = log_pane(sight, width, left - len(notes))
    rule: Line = [("─" * width, "dim")]
    return [*table, rule, *log, *notes, *([[]] * room)][:room]


def _wide(sight: Sight, width: int, room: int) -> list[Line]:
    of_table = max(min(_TABLE_WIDTH, width * 3 // 5), SMALLEST[0])
    of_log = width - of_table - len(_BETWEEN)
    table = table_pane(sight.tell, sight.rules, sight.step.state, of_table, room)
    notes = notes_pane(sight, of_log, room // 3)
    log = log_pane(sight, of_log, room - len(notes) - bool(notes))
    right = [*log, *([[]] if notes else []), *notes]
    return [
        [*padded(one or [], of_table), (_BETWEEN, "dim"), *(two or [])]
        for one, two in zip_longest([*table, *([[]] * room)][:room], right[:room])
    ]


def _title(sight: Sight, width: int) -> Line:
    state, course = sight.step.state, sight.course
    name = f"{shown(state.game, NAME_LENGTH)}, {shown(state.system, NAME_LENGTH)}"
    branch = f" · {sight.variation}" if sight.variation else ""
    left: Line = [(name, "bold"), (f" · as {viewer_name(course.viewer)}", ""), (branch, "yellow")]
    broken = " · then it breaks" if course.broken is not None else ""
    return apart(left, [(f"{sight.version} of {course.last}", "bold"), (broken, "bold red")], width)


def _turn(sight: Sight, width: int) -> Line:
    step = sight.step
    phase = "beginning" if isinstance(step.event, e.TurnBegan) else step.state.phase
    text = " ".join(text for line in turn_lines(sight.tell, step.state, phase) for text, _ in line)
    return cropped([(text, "")], width)


def _status(sight: Sight, width: int) -> Line:
    entry = sight.step.form.entry
    left: Line = [(f"{when(entry['at'])} · {entry['actor']}", "dim")]
    if sight.message:
        left = [(sight.message, "bold")]
        if width_of(left) > width // 2:
            return cropped(left, width)
    tempo = f"▶ {sight.tempo.shown}" if sight.tempo.playing else f"■ {sight.tempo.shown}"
    right: Line = [(f"{tempo} · {sight.language} · ", "dim"), ("?", "bold"), (" help", "dim")]
    return apart(left, right, width)
