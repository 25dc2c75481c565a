"""Exit statuses: a failure to write is neither a finding (1) nor wrong use (2), and nothing ends with a traceback.

Source: issue 43, item 18; the table in docs/replay.md.
"""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.servers import ROOT, environment_without_settings

RECORD = ROOT / "tests/logs/classic/three-players.ndjson"
FULL = Path("/dev/full")
WRITE_FAILED, INTERRUPTED, BROKEN_PIPE = 74, 130, 141
REPLAY = [sys.executable, "-m", "replay"]
FIELDBOOK = [sys.executable, "-m", "service.command_line"]
SECOND = [shutil.which("node") or "node", str(ROOT / "replay/second_verifier/verify.mjs")]
FEW = ROOT / "tests/logs/bean-duel"
PLAN = ["--system", "classic", "--players", "3", "--bots", "random"]
COMMANDS: dict[str, list[object]] = {
    "verify": [*REPLAY, "verify", RECORD],
    "verify with JSON": [*REPLAY, "verify", RECORD, "--json"],
    "second verifier": [*SECOND, RECORD],
    "second verifier with JSON": [*SECOND, RECORD, "--json"],
    "log": [*REPLAY, "log", RECORD],
    "show": [*REPLAY, "show", RECORD],
    "stats": [*REPLAY, "stats", RECORD],
    "export": [*REPLAY, "export", RECORD, "--to", "csv"],
    "export to parquet": [*REPLAY, "export", RECORD, "--to", "parquet"],
    "branch": [*REPLAY, "branch", RECORD, "--at", "40"],
    "evidence": [*REPLAY, "evidence", RECORD, "--version", "40"],
    "help": [*REPLAY, "--help"],
    "configuration": [*FIELDBOOK, "configuration"],
    "simulate": [
        *FIELDBOOK,
        *["simulate", "--system", "classic", "--players", "3", "--games", "1", "--bots", "random"],
    ],
}
LIMITED = """
import resource, runpy, sys
sys.dont_write_bytecode = True
resource.setrlimit(resource.RLIMIT_FSIZE, (10, resource.RLIM_INFINITY))
module, *sys.argv[1:] = sys.argv[1:]
runpy.run_module(module, run_name="__main__")
"""
"""Runs a command that can write ten bytes into a file, as on a full disk."""


def run(words: list[object], **streams: Any) -> subprocess.CompletedProcess[str]:
    """Run a command with these standard streams; standard error is captured unless it is given."""
    return subprocess.run(
        [*map(str, words)],
        cwd=ROOT,
        env=environment_without_settings(),
        timeout=120,
        check=False,
        text=True,
        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams},
    )


def in_shell(words: list[object], redirection: str) -> subprocess.CompletedProcess[str]:
    """Run a command with a redirection of the shell."""
    return run(["sh", "-c", f'"$@" {redirection}', "sh", *words])


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_behind_standard_output_is_a_failure_to_write(name: str) -> None:
    """Status 74 and one line: `verify` must not say 1, which means that the record does not verify."""
    with FULL.open("w") as full:
        ended = run(COMMANDS[name], stdout=full)

    assert ended.returncode == WRITE_FAILED, ended.stderr
    assert "Standard output cannot be written" in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("name", ["verify", "second verifier", "log", "export", "help"])
def test_a_closed_pipe_ends_a_command_as_its_signal_would(name: str) -> None:
    """Status 141 without a word, as `head` expects."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ended = run(COMMANDS[name], stdout=writing)
    finally:
        os.close(writing)

    assert (ended.returncode, ended.stderr) == (BROKEN_PIPE, "")


@pytest.mark.parametrize("name", ["verify", "log", "configuration"])
def test_a_closed_standard_output_is_a_failure_to_write(name: str) -> None:
    """`>&-` is no success for a command that prints, and no traceback."""
    ended = in_shell(COMMANDS[name], ">&-")

    assert ended.returncode == WRITE_FAILED, ended.stderr
    assert "Standard output cannot be written" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_closed_standard_input_is_an_input_that_cannot_be_read() -> None:
    """`verify - <&-` is wrong use."""
    ended = in_shell([*REPLAY, "verify", "-"], "<&-")

    assert ended.returncode == 2, ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("redirection", ["2>/dev/full", "2>&-"])
def test_messages_that_cannot_be_shown_change_no_status(redirection: str, tmp_path: Path) -> None:
    """A finding stays one, and so does wrong use, where standard error takes nothing."""
    changed = tmp_path / "changed.ndjson"
    changed.write_bytes(RECORD.read_bytes().replace(b'"turn":5', b'"turn":6'))

    assert in_shell([*REPLAY, "verify", changed], redirection).returncode == 1
    assert in_shell([*REPLAY, "log", changed], redirection).returncode == 1
    assert in_shell([*REPLAY, "verify", tmp_path / "nothing"], redirection).returncode == 2
    assert in_shell([*REPLAY, "verify", RECORD], redirection).returncode == 0


@pytest.mark.parametrize(
    "words",
    [
        ["replay", "export", RECORD, "--to", "markdown", "--output", "OUT"],
        ["replay", "export", RECORD, "--to", "parquet", "--output", "OUT"],
        ["replay", "annotate", "add", RECORD, "--file", "OUT", "--at", "5", "--comment", "Why?"],
        ["replay", "branch", RECORD, "--at", "40", "--save", "OUT"],
        ["service.command_line", "report", "--records", FEW, "--workers", "1", "OUT"],
        [
            "service.command_line",
            *["simulate", "--system", "classic", "--players", "3", "--bots", "random", "--out"],
            "OUT",
        ],
    ],
    ids=["export", "export to parquet", "annotate", "branch", "report", "simulate"],
)
def test_a_full_disk_behind_a_file_is_a_failure_to_write(words: list[object], tmp_path: Path) -> None:
    """Status 74 with the name of the file, and no half of it is left."""
    out = tmp_path / "out"

    ended = run([sys.executable, "-c", LIMITED, *(out if word == "OUT" else word for word in words)])

    assert ended.returncode == WRITE_FAILED, ended.stderr
    assert f"{out}" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("program", [REPLAY, SECOND], ids=["python", "javascript"])
def test_an_interrupted_command_ends_as_its_signal_would(program: list[str]) -> None:
    """Ctrl-C is 130 for the shell: from the status in Python, from the signal itself in Node."""
    words = [*program, *(["verify"] if program is REPLAY else []), "-"]
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stderr is not None
        # A pipe holds less than the record: when all was written, the command has begun to read.
        lines = RECORD.read_bytes().splitlines(keepends=True)
        running.stdin.write(b"".join(lines[:-1]))
        running.stdin.flush()
        running.send_signal(signal.SIGINT)
        message = running.stderr.read()

    assert running.returncode in (INTERRUPTED, -signal.SIGINT)
    assert b"Traceback" not in message
