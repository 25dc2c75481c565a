"""A test that ends its own process fails, the rest of its file is run, and the run ends."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FATAL = """
import os
import pytest

pytestmark = pytest.mark.xdist_group("one")


def test_before():
    pass


def test_fatal():
    os._exit(1)


def test_after():
    pass
"""


def test_a_test_that_ends_its_process_fails_once_and_the_others_are_run(tmp_path: Path) -> None:
    """By pytest-xdist alone it would be given to the next process, and to the next, until none is started."""
    (tmp_path / "test_fatal.py").write_text(FATAL)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.support.crashes", "-p", "no:randomly"]

    done = subprocess.run(
        [*command, "-n", "2", "--dist", "loadgroup", tmp_path],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert "1 failed, 2 passed" in done.stdout, done.stdout
    assert "crashed while running 'test_fatal.py::test_fatal@one'" in done.stdout
