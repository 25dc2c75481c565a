"""docs/verifying.md shows what both verifiers print: each command is run here as it stands there."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from events.log.disclosure import ALL
from tests.replay.second_verifier.genuine import OTHER, signed_game
from tests.support.second_verifier import node_program
from tests.support.servers import ROOT
from tests.support.signing import Signer

PAGE = (ROOT / "docs" / "verifying.md").read_text(encoding="utf-8")
SECOND = ROOT / "replay" / "second_verifier"
BLOCKS = re.findall(r"^    \$ (.*)\n((?:    .*\n)*)", PAGE, re.MULTILINE)
WITH_TRUST = re.findall(r"^(\S+ .*--checkpoint .*)$", PAGE, re.MULTILINE)


def run(command: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Run a command of the page in a folder, with Node and our Python on the path."""
    path = [str(Path(sys.executable).parent), str(Path(node_program()).parent), os.environ["PATH"]]
    environment = {**os.environ, "PATH": os.pathsep.join(path), "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        ["sh", "-c", command.replace(".venv/bin/", "")],
        capture_output=True,
        cwd=folder,
        env=environment | {"PYTHONIOENCODING": "utf-8"},
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(("command", "printed"), BLOCKS, ids=[command[:60] for command, _ in BLOCKS])
def test_a_command_prints_what_the_page_says(command: str, printed: str) -> None:
    """From the project's folder."""
    ran = run(command, ROOT)
    expected = [line.removeprefix("    ") for line in printed.rstrip("\n").split("\n")]

    assert (ran.stdout + ran.stderr).decode().rstrip("\n").split("\n") == expected


@pytest.mark.parametrize("command", WITH_TRUST)
def test_the_options_for_what_was_kept_work(command: str, tmp_path: Path) -> None:
    """A key, a checkpoint and a receipt in files; and a finding with another key."""
    genuine, signer = signed_game("classic"), Signer()
    (tmp_path / "game.ndjson").write_bytes(b"".join(genuine.record(ALL)))
    (tmp_path / "service.key").write_text(f"{signer.key}\n")
    (tmp_path / "kept.receipt").write_text(signer.signed(genuine.game.head), encoding="utf-8")
    checkpoint = Signer(heads=[OTHER.text(), genuine.game.head.text()]).checkpoint()
    (tmp_path / "kept.checkpoint").write_text(checkpoint, encoding="utf-8")
    here = command.replace("replay/second_verifier", shlex.quote(str(SECOND)))

    ran = run(here, tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert b"in the log" in ran.stdout
    assert b"not one of yours" not in ran.stdout

    (tmp_path / "service.key").write_text(f"{Signer(2).key}\n")
    assert run(here, tmp_path).returncode == 1
    (tmp_path / "service.key").write_text("beans\n")
    assert run(here, tmp_path).returncode == 2
    assert b"at " not in run(here, tmp_path).stderr


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ("", 2),
        ("no-such-file", 2),
        (".", 2),
        ("--nonsense x", 2),
        ("README.md", 2),
        ("README.md --checkpoint no-such-file", 2),
        ("README.md --key beans+", 2),
        ("/dev/null", 2),
        ("- </dev/null", 2),
    ],
)
def test_wrong_use_ends_with_a_sentence(arguments: str, status: int) -> None:
    """Never with a traceback."""
    ran = run(f"node replay/second_verifier/verify.mjs {arguments}", ROOT)

    assert ran.returncode == status
    assert b"    at " not in ran.stdout + ran.stderr
    assert ran.stdout + ran.stderr


@pytest.mark.parametrize("cut", [3, 12, 2_000, -9, -1])
def test_a_damaged_compression_is_a_finding(cut: int, tmp_path: Path) -> None:
    """A compressed record that was cut off does not verify."""
    whole = (ROOT / "tests" / "logs" / "the-duel" / "two-players.ndjson.gz").read_bytes()
    (tmp_path / "cut.gz").write_bytes(whole[:cut])

    ran = run(f"node {shlex.quote(str(SECOND / 'verify.mjs'))} cut.gz", tmp_path)

    assert ran.returncode == 1
    assert b"    at " not in ran.stdout + ran.stderr
