"""Start of the command line and of the whole service, in new processes and on an empty data folder."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from service.cli.demo import running_service
from tests.benchmarks.figures import Comparison, Goal, Options, Side, compared, milliseconds

ABOUT = "start of the command line, and of everything until it is ready"
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"


def run(options: Options) -> Iterator[Comparison]:
    """Measure seconds on the wall clock."""
    # Compiled modules are kept, as by `make run`; else each process would compile everything again.
    forbidden = os.environ.pop(NO_BYTECODE, None)
    try:
        yield compared(
            "start/command-line",
            "s",
            goal=Goal(of="figure", at_most=0.3),
            ours=Side("fieldbook --help", _help_shown),
            rounds=options.rounds,
        )
        yield compared(
            "start/service",
            "s",
            goal=Goal(of="figure", at_most=3.0),
            ours=Side("fieldbook up, until /readyz answers and the first key is there", _service_ready),
            rounds=options.rounds,
            notes=("what `make run` starts once everything is set up; polled ten times a second.",),
        )
    finally:
        if forbidden is not None:
            os.environ[NO_BYTECODE] = forbidden


def _help_shown() -> float:
    command = [sys.executable, "-m", "service.command_line", "--help"]
    return milliseconds(lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True)) / 1000


def _service_ready() -> float:
    with TemporaryDirectory(prefix="fieldbook-bench-") as folder:
        began = time.perf_counter()
        with running_service(Path(folder)):
            return time.perf_counter() - began
