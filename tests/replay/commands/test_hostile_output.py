"""Nothing out of a record reaches the screen as an escape: every command, on a record made by an enemy."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from events.chain.hash_chain import GENESIS, link
from events.log.disclosure import PUBLIC, Form, public_form
from replay.command_line import replay
from tests.replay.verification.forging import parsed, written
from tests.support.recorded_games import recorded_game

GAME = recorded_game(9, 4, (), 40)
ENDS = [entry.version - 1 for entry in GAME.log if entry.command and entry.actor != "dealer"]
CUT = next(version for version in ENDS if version > 200)
HOSTILE = "A\x1b[2J\x1b]0;t\x07\x9b31m\u202eb\u200b"
COMMANDS = (
    ["show"],
    ["show", "--knows"],
    ["show", "--at", "40", "--json", "--knows"],
    ["log"],
    ["log", "--json"],
    ["find", "--after", "0"],
    ["find", "--text", "a", "--json"],
    ["find", "--card", "nothing"],
    ["find", "--history", "3"],
    ["find", "--history", "3", "--json"],
    ["diff", "--from", "2"],
    ["diff", "--from", "2", "--to", "90", "--json"],
    ["verify"],
    ["verify", "--json"],
    ["audit"],
)
UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e]")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A public record whose names and talk are hostile, chained anew: from a spectator's view nothing is wrong."""
    lines = parsed(GAME.record(PUBLIC, CUT))
    head = GENESIS
    for line in lines[1:-1]:
        data = line["entry"]["data"]
        for name in {"name", "bot", "text"} & data.keys():
            data[name] = f"{data[name]} {HOSTILE}"
            # A command that said something else than its event would be found.
            if name in line["entry"].get("command", {}):
                line["entry"]["command"][name] = data[name]
        head = line["hash"] = link(head, public_form(Form(line["entry"], line["salts"], "")))
    lines[-1]["hash"] = head
    path = tmp_path_factory.mktemp("hostile") / "record.ndjson"
    path.write_bytes(b"".join(written(lines)))
    return path


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_command_prints_an_escape(record: Path, command: list[str]) -> None:
    """Whatever the command and its answer, only line breaks are left of what a terminal would obey."""
    result = CliRunner().invoke(replay, [command[0], str(record), *command[1:]])

    assert result.exit_code in (0, 1, 2)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert not UNSAFE.search(result.output)


def test_the_record_is_shown_and_hostile(record: Path) -> None:
    """The record is read to its end, and its names are printed with their code points."""
    log = CliRunner().invoke(replay, ["log", str(record)])

    assert len(log.output.splitlines()) == CUT
    assert "<1b>[2J" in log.output
    between = CliRunner().invoke(replay, ["diff", str(record), str(record)])
    assert f"are the same, to version {CUT}" in between.output
