"""docs/research.md does what it shows."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SMALL = "--generations 2 --candidates 4 --games 1 --trials 4"
"""The same training, over in seconds."""


def _shown(language: str) -> list[str]:
    text = (ROOT / "docs" / "research.md").read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_environment_is_used_as_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example plays a game to its end and writes its record."""
    monkeypatch.chdir(tmp_path)
    (code,) = _shown("python")
    exec(code, {})  # noqa: S102 (the document's own code)
    assert (tmp_path / "game.ndjson").read_bytes().endswith(b"}\n")


def test_the_commands_work_as_shown(tmp_path: Path) -> None:
    """The text mode answers, a policy is trained, and the game that it played verifies."""
    for script in _shown("sh"):
        short = re.sub(r"--generations .* --trials \d+", SMALL, script).replace(
            "trained.ndjson", f"{tmp_path}/trained.ndjson"
        )
        command = short.replace(".venv/bin/python", sys.executable)
        command = command.replace(".venv/bin/fieldbook", f"{sys.executable} -m service.command_line")
        done = subprocess.run(["sh", "-ec", command], capture_output=True, text=True, check=False, cwd=ROOT)
        assert done.returncode == 0, done.stderr
        assert re.search(r"beside the others:|: verified", done.stdout)
