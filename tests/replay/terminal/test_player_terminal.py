"""The terminal player as a process on a real terminal, and where there is none."""

import re
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.replay.commands.commands import ROOT, WHOLE, run
from tests.replay.terminal.pseudo_terminal import PATIENCE, Terminal


def test_a_game_is_walked_through_on_a_real_terminal() -> None:
    """In colour, with keys typed as fast as one can, also after g; it leaves the terminal as it was."""
    terminal = Terminal(WHOLE, "--as", "seat:1")
    before = termios.tcgetattr(terminal.terminal)
    first = terminal.until(" help")
    terminal.press("g140\r")
    gone = terminal.until("140 of 474")
    terminal.press("eeeE")
    walked = terminal.until("142 of 474")
    terminal.press("q")
    terminal.process.wait(PATIENCE)
    assert termios.tcgetattr(terminal.terminal) == before
    status, rest = terminal.close()

    assert status == 0
    assert "1 of 474" in first
    assert re.search(r"\x1b\[3\dm", gone + walked + rest)
    assert "\x1b[?1049l" in rest


def test_without_colour_nothing_is_coloured() -> None:
    """NO_COLOR is respected on every line."""
    terminal = Terminal(WHOLE, "--at", "140", NO_COLOR="1")
    shown = terminal.until(" help")
    terminal.press("q")

    assert terminal.close()[0] == 0
    assert not re.search(r"\x1b\[[0-9;]*\b(?:3[0-7]|4[0-7]|38|48|9[0-7])\b[0-9;]*m", shown)


def test_a_broken_record_is_walked_up_to_its_break(tmp_path: Path) -> None:
    """What holds is shown with where it breaks and why; the exit status is 1."""
    lines = WHOLE.read_bytes().splitlines(keepends=True)
    (tmp_path / "record").write_bytes(b"".join([*lines[:60], *lines[61:]]))
    terminal = Terminal(tmp_path / "record", width=100)
    shown = terminal.until(" help")
    terminal.press(">")
    shown += terminal.until("The record does not verify at version 60")
    terminal.press("q")
    status, rest = terminal.close()

    assert "then it breaks" in shown
    assert status == 1
    assert "version 60" in rest


def test_a_record_that_breaks_at_once_has_nothing_to_walk_through(tmp_path: Path) -> None:
    """The finding is all there is: status 1."""
    (tmp_path / "record").write_bytes(b'{"record":1}\n')
    terminal = Terminal(tmp_path / "record")

    status, rest = terminal.close()
    assert status == 1
    assert "does not verify" in rest


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--author", "Rita"), "--annotations"),
        (("--as", "seat:9"), "no such seat"),
        (("--at", "475"), "ends with version 474"),
        (("--annotations", "nowhere"), "nowhere"),
    ],
)
def test_wrong_use_is_told_before_the_screen_is_taken(options: tuple[str, ...], reason: str) -> None:
    """Status 2, and the terminal is left alone."""
    terminal = Terminal(WHOLE, *options)
    status, rest = terminal.close()

    assert status == 2
    assert reason in rest
    assert "\x1b[?1049h" not in rest


def test_a_terminal_that_cannot_move_its_cursor_is_refused() -> None:
    """TERM=dumb: status 2, with what to use instead."""
    status, rest = Terminal(WHOLE, TERM="dumb").close()

    assert status == 2
    assert "`step`" in rest


def test_without_a_terminal_it_says_what_to_use_instead() -> None:
    """In a pipe: status 2."""
    result = run("play", WHOLE)

    assert result.returncode == 2
    assert "play needs a terminal" in result.stderr
    assert "`step`" in result.stderr
    assert run("play", "-").returncode == 2


def test_only_the_player_pays_for_loading_textual() -> None:
    """The command line, and its help, start without it."""
    code = "import sys; import replay.command_line; sys.exit('textual' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
