"""docs/replay.md shows what the commands print: each is run here as it stands there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from replay.command_line import COMMANDS, replay
from replay.terminal.stepping import BACK, FORWARD
from tests.replay.commands.commands import ROOT

PAGE = (ROOT / "docs" / "replay.md").read_text()
BLOCKS = re.findall(r"^    \$ (.*)\n((?:    .*\n|\n(?=    ))*)", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("command", "printed"), BLOCKS, ids=[command for command, _ in BLOCKS])
def test_a_command_prints_what_the_page_says(command: str, printed: str) -> None:
    """Every example is run by a shell, from the project's folder."""
    folder = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        ["sh", "-c", command.replace(".venv/bin/fieldbook", "fieldbook")],
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "PATH": folder, "PYTHONIOENCODING": "utf-8"},
        check=False,
        timeout=60,
    )
    expected = [line.removeprefix("    ").rstrip() for line in printed.rstrip("\n").split("\n")]

    assert (ran.stdout + ran.stderr).decode().rstrip("\n").split("\n") == expected


def test_the_page_names_every_command_option_and_key() -> None:
    """Nothing that the tool can do is missing."""
    for name in COMMANDS:
        command = replay.get_command(click.Context(replay), name)
        assert command is not None
        assert f"## {name}\n" in PAGE
        for parameter in command.params:
            for option in parameter.opts:
                assert not option.startswith("--") or option in PAGE
    for key in (*FORWARD, *BACK, "q", "?"):
        assert f"| `{key}` |" in PAGE
