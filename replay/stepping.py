"""Stepping through a record: what each key does, and what is shown after it."""

import sys
from dataclasses import dataclass
from shutil import get_terminal_size
from types import MappingProxyType

import click

from replay import keyboard
from replay.screen import put
from replay.table_text import Line, table_lines
from replay.timeline import COMMAND, EVENT, PHASE, TURN, Timeline

FORWARD = MappingProxyType({"n": EVENT, "c": COMMAND, "f": PHASE, "t": TURN})
"""Keys that step forward, with the unit of the step."""
BACK = MappingProxyType({"p": EVENT, "C": COMMAND, "F": PHASE, "T": TURN})
"""Keys that step back."""
KEYS = "n/p event  c/C command  f/F phase  t/T turn  g VERSION  ? help  q quit"
HELP = """\
n  the next event                  p  the event before
c  to the end of the next command  C  to the end of the command before
f  to the next phase               F  to the beginning of the phase before
t  to the next turn                T  to the beginning of the turn before
g  go to a version (g 120)         ?  this help
q  quit

Enter, space and the right arrow are n, backspace and the left arrow are p."""
_ALSO = MappingProxyType(
    {
        "": "n",
        " ": "n",
        "\r": "n",
        "\n": "n",
        "\x1b[C": "n",
        "\x1bOC": "n",
        "\x7f": "p",
        "\b": "p",
        "\x1b[D": "p",
        "\x1bOD": "p",
        "\x03": "q",
        "\x04": "q",
        "\x1b": "q",
    }
)


@dataclass(frozen=True, slots=True)
class Position:
    """Where the player of a record stands.

    Attributes:
        version: the version shown.
        note: what to say below the table.
        over: whether the reader wants to leave.
    """

    version: int
    note: str = ""
    over: bool = False


def pressed(timeline: Timeline, position: Position, key: str) -> Position:
    """Where a key leads: a single key, or `g` with a version."""
    key = _ALSO.get(key, key)
    if key == "q":
        return Position(position.version, over=True)
    if key == "?":
        return Position(position.version, HELP)
    if key.startswith("g"):
        return _gone(timeline, position, key[1:].strip())
    if key in FORWARD:
        version = timeline.after(position.version, FORWARD[key])
        return Position(version, "This is the end of the record." if version == position.version else "")
    if key in BACK:
        version = timeline.back(position.version, BACK[key])
        return Position(
            version, "This is the beginning of the record." if version == position.version else ""
        )
    return Position(position.version, f"No key {key[:10]!r}. {KEYS}")


def _gone(timeline: Timeline, position: Position, version: str) -> Position:
    if version.isascii() and version.isdigit() and 1 <= int(version[:9]) <= timeline.last:
        return Position(int(version[:9]))
    return Position(position.version, f"Go to which version? Say g and a number from 1 to {timeline.last}.")


def step_through(timeline: Timeline, version: int, language: str) -> None:
    """Show the table and follow the keys until the reader quits or the input ends."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    position = Position(version, "" if terminal else KEYS)
    _show(timeline, position, language, terminal=terminal)
    for key in keyboard.keys() if terminal else keyboard.lines():
        position = pressed(timeline, position, key)
        if position.over:
            return
        if not terminal:
            put([[]])
        _show(timeline, position, language, terminal=terminal)


def _show(timeline: Timeline, position: Position, language: str, *, terminal: bool) -> None:
    note = position.note or (KEYS if terminal else "")
    below: list[Line] = [[(line, "dim")] for line in note.splitlines()]
    lines = [*table_lines(timeline, timeline.at(position.version), language), [], *below]
    if terminal:
        click.clear()
        if len(lines) >= get_terminal_size().lines:
            lines = [line for line in lines if line]
    put(lines)
