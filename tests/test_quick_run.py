"""`make quick` starts no process but the store: files that could are left out, and whatever else tries it fails."""

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[1]
LEFT_OUT = 'quick: $(development) $(project)\n\t$(python) -m pytest $(in_parallel) -m "'


def quick(folder: Path, **files: str) -> subprocess.CompletedProcess[str]:
    """Run files of tests in a folder of their own as `make quick` runs ours."""
    for name, source in files.items():
        (folder / f"{name}.py").write_text(dedent(source))
    selected = (ROOT / "Makefile").read_text().partition(LEFT_OUT)[2].partition('"')[0]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "tests.support.process_marks", "-m", selected, folder],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


PLAIN = """
    def test_plain():
        pass
"""
STARTING = (
    "import subprocess",
    "from subprocess import run",
    "from tests.support import processes",
    "from tests.support.processes import Service",
    "from tests.replay.commands.commands import run",
)


def test_a_file_that_knows_how_to_start_a_process_is_left_out(tmp_path: Path) -> None:
    """Nobody has to say so: what the file imports does. For the others there is the mark."""
    starting = {
        f"test_starting_{number}": f"{line}\n\n\ndef test_it():\n    pass\n"
        for number, line in enumerate(STARTING)
    }
    marked = "import pytest\n\n\n@pytest.mark.process\ndef test_it():\n    pass\n"

    done = quick(tmp_path, test_plain=PLAIN, test_marked=marked, **starting)

    assert f"1 passed, {len(STARTING) + 1} deselected" in done.stdout, done.stdout


def test_a_test_that_starts_a_process_all_the_same_fails_and_says_what_to_do(tmp_path: Path) -> None:
    """So `make quick` never starts a process of the service, whatever a test calls."""
    hidden = """
        def test_a_program():
            __import__("subprocess").run(["true"])

        def test_a_fork():
            __import__("os").fork()

        def test_a_process_of_the_service():
            __import__("subprocess").Popen([__import__("sys").executable, "-m", "service.web"])
    """

    done = quick(tmp_path, test_hidden=hidden)

    assert "3 failed" in done.stdout, done.stdout
    for name in ("test_a_program", "test_a_fork", "test_a_process_of_the_service"):
        assert f"{name} starts a process: import what starts it at the top of the file" in done.stdout


def test_the_embedded_store_is_the_one_process_that_is_taken(tmp_path: Path) -> None:
    """All tests of the service share it."""
    with_store = """
        import pytest

        pytest_plugins = ["tests.support.servers"]

        def test_it(redis_url):
            assert redis_url
    """

    done = quick(tmp_path, test_with_store=with_store)

    assert "1 passed" in done.stdout, done.stdout
