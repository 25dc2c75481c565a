"""Running the replay commands as a user would: in a process of their own."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
LOGS = ROOT / "tests" / "logs" / "classic"
WHOLE = LOGS / "five-players.ndjson"
PUBLIC = LOGS / "five-players.public.ndjson"
SEAT = LOGS / "five-players.seat-1.ndjson"


def run(*arguments: str | Path, given: bytes = b"", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `python -m replay` with these arguments, some bytes on standard input, and an environment."""
    finished = subprocess.run(
        [sys.executable, "-m", "replay", *map(str, arguments)],
        input=given,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        check=False,
        timeout=240,
    )
    assert b"Traceback" not in finished.stderr
    return subprocess.CompletedProcess(
        finished.args, finished.returncode, finished.stdout.decode(), finished.stderr.decode()
    )
