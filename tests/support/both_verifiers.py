"""Both verifiers, run as commands on a file: `replay verify` and `verify.mjs`."""

import json
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.commands import TIMEOUT_SECONDS, replay
from tests.support.second_verifier import FOLDER, node_program


class Verdict(NamedTuple):
    """The answer of one verifier."""

    status: int
    findings: tuple[tuple[str, int], ...]
    """The check and the version of each finding."""
    report: dict[str, Any]
    """The report in JSON; empty where none was printed."""
    complaint: str
    """The text on standard error."""


def verify_with_both(path: Path, *options: object) -> tuple[Verdict, Verdict]:
    """Verify a record with both verifiers, the Python one first, with options that both have."""
    return verify_in_python(path, *options), verify_in_node(path, *options)


def verify_in_python(path: Path, *options: object) -> Verdict:
    """Verify a record with `replay verify`."""
    return _verdict(replay("verify", path, "--json", *options))


def verify_in_node(path: Path, *options: object) -> Verdict:
    """Verify a record with `verify.mjs`."""
    command = [node_program(), FOLDER / "verify.mjs", path, "--json", *options]
    run = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=TIMEOUT_SECONDS,
    )
    return _verdict(run)


def _verdict(run: subprocess.CompletedProcess[str]) -> Verdict:
    report = json.loads(run.stdout) if run.stdout.strip() else {}
    findings = tuple((each["check"], each["version"]) for each in report.get("findings", ()))
    return Verdict(run.returncode, findings, report, run.stderr)
