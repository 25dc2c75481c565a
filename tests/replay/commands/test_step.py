"""`step`: forward and back by event, command, phase and turn, from a pipe and on a terminal."""

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from events.game.record import read_record
from events.log.disclosure import ALL
from replay.commentary import LANGUAGES
from replay.commentary.messages import load_messages
from replay.terminal.stepping import ReaderPosition, press
from replay.timeline.timeline import Timeline, read_timeline
from tests.replay.commands.commands import ROOT, SEAT, WHOLE, run

RECORD = WHOLE.read_bytes().splitlines(keepends=True)
TIMELINE: Timeline = read_timeline(*read_record(RECORD), ALL)
LAST = TIMELINE.last


def versions(output: str) -> list[int]:
    """The versions shown, in order."""
    return [int(found) for found in re.findall(r"^game-115, classic: version (\d+) of", output, re.MULTILINE)]


def test_the_keys_of_a_pipe_are_followed() -> None:
    """Each line is a key; the table is shown after each, and the end of the input ends the program."""
    result = run("step", WHOLE, given=b"n\nn\np\n\ng 100\nq\nn\n")

    assert result.returncode == 0
    assert versions(result.stdout) == [1, 2, 3, 2, 3, 100]
    assert versions(run("step", WHOLE, given=b"n").stdout) == [1, 2]
    assert versions(run("step", WHOLE).stdout) == [1]


@pytest.mark.parametrize(
    ("forward", "back", "unit"),
    [("n", "p", "event"), ("c", "C", "command"), ("f", "F", "phase"), ("t", "T", "turn")],
)
def test_a_unit_is_stepped_both_ways(forward: str, back: str, unit: str) -> None:
    """Small letters step forward and their counterparts back, to the same stops."""
    stops = [version for version in TIMELINE.stops[unit] if version > 100][:4]
    keys = f"{forward}\n{forward}\n{forward}\n{forward}\n{back}\n{back}\n{back}\n"

    result = run("step", WHOLE, "--at", "100", given=keys.encode())

    assert versions(result.stdout) == [100, *stops, *stops[-2::-1]]


def test_going_past_either_end_stays_there_and_says_so() -> None:
    """Version 1 and the last one are the ends."""
    result = run("step", WHOLE, given=f"p\nC\ng {LAST}\nn\nt\n".encode())

    assert versions(result.stdout) == [1, 1, 1, LAST, LAST, LAST]
    assert result.stdout.count("This is the beginning of the record.") == 2
    assert result.stdout.count("This is the end of the record.") == 2


@pytest.mark.parametrize("key", ["g", "g 0", "g -1", f"g {LAST + 1}", "g x", "g " + "9" * 5_000, "g ²"])
def test_a_version_that_is_not_there_is_not_gone_to(key: str) -> None:
    """The reader is told which versions there are."""
    position = press(TIMELINE, ReaderPosition(7), key)

    assert position == ReaderPosition(7, f"Go to which version? Say g and a number from 1 to {LAST}.")


def test_an_unknown_key_changes_nothing() -> None:
    """The keys are named."""
    position = press(TIMELINE, ReaderPosition(7), "\x1b[31mz")

    assert position.version == 7
    assert load_messages("en").say("step", "keys") in position.note
    assert "\x1b" not in position.note


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_names_every_key(language: str) -> None:
    """? explains all keys, in every language, on lines of 80 columns at most."""
    note = press(TIMELINE, ReaderPosition(7), "?", language).note
    keys = press(TIMELINE, ReaderPosition(7), "{z}", language).note

    assert all(f"{key}  " in note for key in "npcCfFtTgq?")
    assert all(f"{key} " in keys for key in ("n/p", "c/C", "f/F", "t/T", "g", "?", "q"))
    assert "'{z}'" in keys
    assert max(map(len, [*note.splitlines(), load_messages(language).say("step", "keys")])) <= 80


@pytest.mark.parametrize(("key", "version"), [("\x1b[C", 8), (" ", 8), ("\r", 8), ("\x1b[D", 6), ("\x7f", 6)])
def test_arrows_enter_and_backspace_are_keys_too(key: str, version: int) -> None:
    """The right arrow, space and enter go on; the left arrow and backspace go back."""
    assert press(TIMELINE, ReaderPosition(7), key).version == version


@pytest.mark.parametrize("key", ["q", "\x03", "\x04", "\x1b"])
def test_there_are_several_ways_out(key: str) -> None:
    """q, escape and the control keys end the program."""
    assert press(TIMELINE, ReaderPosition(7), key).over


def test_stepping_as_a_seat_shows_what_the_seat_saw() -> None:
    """The same keys over a whole record --as seat:1 and over the seat's record show the same."""
    keys = b"t\nt\nt\nc\nc\nc\nf\n"

    assert run("step", WHOLE, "--as", "seat:1", given=keys).stdout == run("step", SEAT, given=keys).stdout


def test_a_broken_record_is_stepped_up_to_its_break(tmp_path: Path) -> None:
    """What holds can be stepped through; at the end the finding is named, with status 1."""
    (tmp_path / "record").write_bytes(b"".join([*RECORD[:60], *RECORD[61:]]))

    result = run("step", tmp_path / "record", given=b"g 59\nn\nq\n")

    assert versions(result.stdout) == [1, 59, 59]
    assert result.returncode == 1
    assert "version 60" in result.stderr


class Terminal:
    """The program on a terminal of its own."""

    def __init__(self, *arguments: str | Path, **environment: str) -> None:
        """Start it."""
        self.controller, terminal = pty.openpty()
        command = [sys.executable, "-m", "replay", *map(str, arguments)]
        known = {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "40", **environment}
        kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        self.process = subprocess.Popen(
            command, stdin=terminal, stdout=terminal, stderr=terminal, cwd=ROOT, env={**kept, **known}
        )
        os.close(terminal)

    def press(self, keys: str) -> None:
        """Press keys."""
        os.write(self.controller, keys.encode())

    def until(self, expected: str) -> str:
        """What appears on the screen up to this text."""
        seen, deadline = "", time.monotonic() + 30
        while expected not in seen:
            assert time.monotonic() < deadline, f"{expected!r} did not appear: {seen!r}"
            if select.select([self.controller], [], [], 0.2)[0]:
                seen += os.read(self.controller, 65_536).decode(errors="replace")
        return seen

    def close(self) -> int:
        """Its exit status."""
        status = self.process.wait(timeout=120)
        os.close(self.controller)
        return status


def test_on_a_terminal_single_keys_are_enough() -> None:
    """Keys act without Enter, the screen is cleared for each table, and cards have colours."""
    terminal = Terminal("step", WHOLE, "--at", "40")
    shown = terminal.until("q quit")
    terminal.press("n")
    after = terminal.until("q quit")
    terminal.press("g")
    terminal.until("version:")
    terminal.press("120\n")
    gone = terminal.until("q quit")
    terminal.press("q")

    assert terminal.close() == 0
    assert "version 40 of" in shown
    assert "version 41 of" in after
    assert "version 120 of" in gone
    assert "\x1b[2J" in after
    assert re.search(r"\x1b\[3\dm", gone)


def test_no_colour_is_respected() -> None:
    """With NO_COLOR a terminal gets plain text."""
    terminal = Terminal("show", WHOLE, "--at", "120", NO_COLOR="1")

    assert "\x1b" not in terminal.until("seat 4")
    terminal.process.wait(timeout=120)
    os.close(terminal.controller)
