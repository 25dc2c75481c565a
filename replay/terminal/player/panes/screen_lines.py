"""The whole screen as lines, from where the reader is and the window's size; two columns where it is wide."""

from itertools import zip_longest

from events.log.disclosure import viewer_name
from replay.commentary.texts import NAME_LENGTH, make_printable
from replay.terminal.clock_text import clock_texts, running_text
from replay.terminal.player.panes.bar import bar
from replay.terminal.player.panes.log_pane import log_pane, notes_pane
from replay.terminal.player.panes.pieces import align_ends, crop, line_width, pad
from replay.terminal.player.panes.table_pane import table_pane
from replay.terminal.player.view_state import ViewState
from replay.terminal.table_text import Line, fold_text, phase_of, turn_text, when

SMALLEST = (60, 18)
"""Columns and lines below which nothing is shown but a request for a larger window."""
WIDE = 120
"""Columns from which on table and log stand side by side."""
_AROUND = 4
"""Lines for heading, turn, bar and status."""
_LEAST_OF_LOG = 3
_TABLE_WIDTH = 84
_BETWEEN = " │ "


def screen_lines(view: ViewState, width: int, height: int) -> list[Line]:
    """Exactly so many lines, none wider than that."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return _too_small(width, height)
    room = height - _AROUND
    middle = _wide(view, width, room) if width >= WIDE else _narrow(view, width, room)
    bar_line = bar(view.version, view.track.last, width, view.notes.versions)
    return [_title(view, width), _turn(view, width), *middle, bar_line, _status(view, width)]


def _too_small(width: int, height: int) -> list[Line]:
    needed = f"The player needs {SMALLEST[0]} columns and {SMALLEST[1]} lines"
    text = f"{needed}; this window has {width} and {height}. q leaves."
    lines = fold_text(text, "bold", width) if width > 1 else []
    return [*lines, *([[]] * height)][:height]


def _narrow(view: ViewState, width: int, room: int) -> list[Line]:
    table = _table(view, width, room - _LEAST_OF_LOG - 1)
    left = room - len(table) - 1
    notes = notes_pane(view, width, min(3, left - _LEAST_OF_LOG))
    log = log_pane(view, width, left - len(notes))
    rule: Line = [("─" * width, "dim")]
    return [*table, rule, *log, *notes, *([[]] * room)][:room]


def _wide(view: ViewState, width: int, room: int) -> list[Line]:
    of_table = max(min(_TABLE_WIDTH, width * 3 // 5), SMALLEST[0])
    of_log = width - of_table - len(_BETWEEN)
    table = _table(view, of_table, room)
    notes = notes_pane(view, of_log, room // 3)
    log = log_pane(view, of_log, room - len(notes) - bool(notes))
    right = [*log, *([[]] if notes else []), *notes]
    return [
        [*pad(one or [], of_table), (_BETWEEN, "dim"), *(two or [])]
        for one, two in zip_longest([*table, *([[]] * room)][:room], right[:room])
    ]


def _table(view: ViewState, width: int, height: int) -> list[Line]:
    clock = clock_texts(view.tell, view.step)
    return table_pane(view.tell, view.rules, view.step.state, width, height, clock=clock)


def _title(view: ViewState, width: int) -> Line:
    state, track = view.step.state, view.track
    name = f"{make_printable(state.game, NAME_LENGTH)}, {make_printable(state.system, NAME_LENGTH)}"
    branch = f" · {view.variation}" if view.variation else ""
    left: Line = [(name, "bold"), (f" · as {viewer_name(track.viewer)}", ""), (branch, "yellow")]
    broken = " · then it breaks" if track.broken is not None else ""
    return align_ends(left, [(f"{view.version} of {track.last}", "bold"), (broken, "bold red")], width)


def _turn(view: ViewState, width: int) -> Line:
    """How far the game is, and at the right for whom time runs: the table may have no room for the clock."""
    turn: Line = [(turn_text(view.tell, view.step.state, phase_of(view.step)), "")]
    running = running_text(view.tell, view.step)
    return align_ends(turn, [(running, "bold")], width) if running else crop(turn, width)


def _status(view: ViewState, width: int) -> Line:
    entry = view.step.form.entry
    left: Line = [(" · ".join(filter(None, (when(entry["at"]), entry["actor"]))), "dim")]
    if view.message:
        left = [(view.message, "bold")]
        if line_width(left) > width // 2:
            return crop(left, width)
    tempo = f"▶ {view.tempo.shown}" if view.tempo.playing else f"■ {view.tempo.shown}"
    right: Line = [(f"{tempo} · {view.language} · ", "dim"), ("?", "bold"), (" help", "dim")]
    return align_ends(left, right, width)
