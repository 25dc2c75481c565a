"""The command line as a user runs it, in a process of its own."""

import subprocess
import sys
from collections.abc import Mapping

from tests.support.servers import ROOT, environment_without_settings

TIMEOUT_SECONDS = 120


def replay(
    *arguments: object, stdin: str | bytes = b"", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `python -m replay` with these arguments and return its status and output."""
    return _run("replay", arguments, stdin, environment)


def fieldbook(
    *arguments: object, stdin: str | bytes = b"", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `fieldbook` with these arguments and return its status and output."""
    return _run("service.command_line", arguments, stdin, environment)


def _run(
    module: str, arguments: tuple[object, ...], stdin: str | bytes, environment: Mapping[str, str] | None
) -> subprocess.CompletedProcess[str]:
    run = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        cwd=ROOT,
        env=environment_without_settings() | {"PYTHONUTF8": "1", **(environment or {})},
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    return subprocess.CompletedProcess(
        run.args, run.returncode, run.stdout.decode(errors="replace"), run.stderr.decode(errors="replace")
    )
