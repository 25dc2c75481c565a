"""How the start is kept short: what comes first imports little, and who is waited for is let go ahead."""

import subprocess
import sys

import pytest

from tests.support.servers import ROOT, environment_without_settings


def output_of(code: str) -> str:
    """What Python prints that runs this."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment_without_settings() | {"PYTHONUNBUFFERED": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize(
    ("module", "unneeded"),
    [
        ("service.embedded_store", {"asyncio", "cryptography", "flask", "fsspec", "redis"}),
        ("service.up", {"asyncio", "cryptography", "flask", "fsspec", "multiprocessing", "redis", "rq"}),
        ("service.web", {"asyncio", "flask", "gunicorn", "redis"}),
        ("service.server.web_process", {"fsspec", "honcho", "markdown_it", "pyarrow", "rich"}),
    ],
)
def test_what_somebody_waits_for_imports_no_more_than_it_needs(module: str, unneeded: set[str]) -> None:
    """A module that is imported for few requests, or for none, is imported when it is used."""
    code = f"import sys, {module}; print(*sorted({unneeded!r} & set(sys.modules)))"

    assert output_of(code).split() == []


def test_the_other_processes_begin_when_the_first_one_is_there() -> None:
    """And no sooner, though they may wait for less than a second; what they say is told as it is said."""
    code = """
import os, sys
from threading import Timer
from honcho.printer import Printer
from service.server import supervising

supervising.FIRST_SECONDS = 60.0

def when_started():
    Timer(0.5, lambda: (print("it is there"), processes.let_others_begin())).start()

processes = supervising.Processes(Printer(sys.stdout), when_started)
processes.add("other", "echo the other begins; sleep 60", dict(os.environ))
processes.add("web", "echo the first begins; sleep 2", dict(os.environ))
processes.loop()
"""
    told = output_of(code)

    assert told.index("the first begins") < told.index("it is there") < told.index("the other begins"), told
