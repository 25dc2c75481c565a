"""Reading keys: single ones from a terminal, or a line each from a pipe.

The terminal stays in its key-by-key mode from the first key to the last, so nothing typed ahead is lost; echo and
line editing come back when reading ends, however it ends. Needs a POSIX terminal.
"""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_KEYS = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)
_MOST_DIGITS = 9


def lines() -> Iterator[str]:
    """Keys from a pipe: one to a line."""
    for line in sys.stdin:
        yield line.strip()


def keys() -> Iterator[str]:
    """Keys from a terminal, each as soon as it is pressed; after `g` the number that is typed, up to Enter."""
    with _key_by_key():
        pressed = _read_keys()
        for key in pressed:
            yield key + _read_number(pressed) if key == "g" else key


def _read_keys() -> Iterator[str]:
    while True:
        try:
            read = os.read(sys.stdin.fileno(), 1024)
        except (KeyboardInterrupt, OSError):
            return
        if not read:
            return
        yield from _KEYS.findall(read.decode(errors="replace"))


def _read_number(pressed: Iterator[str]) -> str:
    """The number typed up to Enter, echoed; any other key gives up."""
    _echo("version: ")
    number = ""
    for key in pressed:
        if key in "\r\n":
            return number
        if key in "\x7f\b" and number:
            number = number[:-1]
            _echo("\b \b")
        elif key.isdecimal() and key.isascii() and len(number) < _MOST_DIGITS:
            number += key
            _echo(key)
        elif not key.isspace():
            return ""
    return ""


def _echo(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


@contextmanager
def _key_by_key() -> Iterator[None]:
    import termios  # noqa: PLC0415  # only where there is a terminal
    import tty  # noqa: PLC0415

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSADRAIN)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
