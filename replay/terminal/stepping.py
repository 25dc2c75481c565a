"""Stepping through a record: what each key does, and what is shown after it."""

import sys
from dataclasses import dataclass
from shutil import get_terminal_size
from types import MappingProxyType

import click

from replay.commentary import Commentary
from replay.commentary.messages import DEFAULT, Messages, load_messages
from replay.terminal import keyboard
from replay.terminal.clock_text import clock_lines
from replay.terminal.screen import print_styled
from replay.terminal.table_text import Line, table_lines
from replay.timeline.timeline import COMMAND, EVENT, PHASE, TURN, Timeline

FORWARD = MappingProxyType({"n": EVENT, "c": COMMAND, "f": PHASE, "t": TURN})
"""Keys that step forward, with the unit of the step."""
BACK = MappingProxyType({"p": EVENT, "C": COMMAND, "F": PHASE, "T": TURN})
"""Keys that step back."""
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
class ReaderPosition:
    """Where the player of a record stands.

    Attributes:
        version: the version shown.
        note: what to say below the table.
        over: whether the reader wants to leave.
    """

    version: int
    note: str = ""
    over: bool = False


def press(timeline: Timeline, position: ReaderPosition, key: str, language: str = DEFAULT) -> ReaderPosition:
    """Where a key leads: a single key, or `g` with a version."""
    key, tell = _ALSO.get(key, key), load_messages(language)
    if key == "q":
        return ReaderPosition(position.version, over=True)
    if key == "?":
        return ReaderPosition(position.version, tell.say("step", "help"))
    if key.startswith("g"):
        return _go(timeline, position, key[1:].strip(), tell)
    if key in FORWARD:
        version = timeline.after(position.version, FORWARD[key])
        return ReaderPosition(version, tell.say("step", "end") if version == position.version else "")
    if key in BACK:
        version = timeline.back(position.version, BACK[key])
        return ReaderPosition(version, tell.say("step", "beginning") if version == position.version else "")
    return ReaderPosition(
        position.version, tell.say("step", "no_key", key=repr(key[:10]), keys=tell.say("step", "keys"))
    )


def _go(timeline: Timeline, position: ReaderPosition, version: str, tell: Messages) -> ReaderPosition:
    if version.isascii() and version.isdigit() and 1 <= int(version[:9]) <= timeline.last:
        return ReaderPosition(int(version[:9]))
    return ReaderPosition(position.version, tell.say("step", "which_version", last=timeline.last))


def step_through(timeline: Timeline, version: int, language: str) -> None:
    """Show the table and follow the keys until the reader quits or the input ends."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    keys = load_messages(language).say("step", "keys")
    position = ReaderPosition(version, "" if terminal else keys)
    _show(timeline, position, language, terminal=terminal)
    for key in keyboard.keys() if terminal else keyboard.lines():
        position = press(timeline, position, key, language)
        if position.over:
            return
        if not terminal:
            print_styled([[]])
        _show(timeline, position, language, terminal=terminal)


def _show(timeline: Timeline, position: ReaderPosition, language: str, *, terminal: bool) -> None:
    keys = load_messages(language).say("step", "keys")
    note = position.note or (keys if terminal else "")
    below: list[Line] = [[(line, "dim")] for line in note.splitlines()]
    step, tell = timeline.at(position.version), Commentary(timeline.header.catalogue, language)
    lines = [*table_lines(timeline, step, language), *clock_lines(tell, step), [], *below]
    if terminal:
        click.clear()
        if len(lines) >= get_terminal_size().lines:
            lines = [line for line in lines if line]
    print_styled(lines)
