"""Help and shell completion: every command says what it does, with an example that is real."""

import os
import re
import shlex
import subprocess

import click
import pytest
from click.testing import CliRunner

from replay.command_line import COMMANDS, replay
from service.command_line import main
from tests.replay.commands.commands import ROOT


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    """What it does, and commands that could be typed: their options exist."""
    command = replay.get_command(click.Context(replay), name)
    assert command is not None
    text = CliRunner().invoke(replay, [name, "--help"]).output
    examples = re.findall(r"fieldbook replay [^\n>|)]*", text)

    assert command.help
    assert examples
    for example in examples:
        words = shlex.split(example.rstrip('"'))
        assert words[2] == name
        called = command.commands[words[3]] if isinstance(command, click.Group) else command
        known = {option for parameter in called.params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known
    assert all(option.help for option in command.params if isinstance(option, click.Option))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_each_shell(shell: str) -> None:
    """The script is for the installed program."""
    result = CliRunner().invoke(replay, ["completion", shell])

    assert result.exit_code == 0
    assert "_FIELDBOOK_COMPLETE" in result.output


def test_bash_accepts_the_script() -> None:
    """It is a script that bash can read."""
    script = CliRunner().invoke(replay, ["completion", "bash"]).output
    assert subprocess.run(["bash", "-n"], input=script, text=True, check=False, cwd=ROOT).returncode == 0


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("fieldbook replay fi", "plain,find"),
        ("fieldbook replay show game --as se", "plain,seat:1"),
        ("fieldbook replay show ga", "file,ga"),
        ("fieldbook replay log game --fo", "plain,--follow"),
    ],
)
def test_commands_options_and_files_are_completed(words: str, offered: str) -> None:
    """What the script asks the program is answered."""
    count = len(words.split()) - 1
    environment = {"COMP_WORDS": words, "COMP_CWORD": str(count), "_FIELDBOOK_COMPLETE": "bash_complete"}
    result = CliRunner().invoke(main, [], env={**os.environ, **environment}, prog_name="fieldbook")

    assert offered in result.output.splitlines()
