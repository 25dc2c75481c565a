"""How long somebody waits: for the command line, and for the whole service."""

import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from service.cli.demo import running_service
from tests.benchmarks.figures import Comparison, Goal
from tests.benchmarks.measuring import Side, compared
from tests.benchmarks.peers.installed import Peers

NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"


class Starting:
    """Seconds on the clock, in a new process and on an empty data folder."""

    name = "start"
    about = "start of the command line, and of everything until it is ready"

    def run(self, rounds: int, peers: Peers) -> Iterable[Comparison]:
        del peers
        with compiled():
            yield from self._rows(rounds)

    def _rows(self, rounds: int) -> Iterable[Comparison]:
        yield compared(
            f"{self.name}/command-line",
            "s",
            goal=Goal(of="figure", at_most=0.3),
            ours=Side("fieldbook --help", help_shown),
            rounds=rounds,
        )
        yield compared(
            f"{self.name}/service",
            "s",
            goal=Goal(of="figure", at_most=3.0),
            ours=Side("fieldbook up, until /readyz answers and the first key is there", service_ready),
            rounds=rounds,
            notes=(
                "what `make run` starts once everything is set up; asked ten times a second whether it is ready.",
            ),
        )


def help_shown() -> float:
    """Seconds until `fieldbook --help` has ended."""
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "service.command_line", "--help"], stdout=subprocess.DEVNULL, check=True
    )
    return time.perf_counter() - began


def service_ready() -> float:
    """Seconds until a fresh installation is ready; it is stopped and thrown away afterwards.

    Raises:
        DemoFailed: it does not become ready.
    """
    with TemporaryDirectory(prefix="fieldbook-bench-") as folder:
        began = time.perf_counter()
        with running_service(Path(folder)):
            return time.perf_counter() - began


@contextmanager
def compiled() -> Iterator[None]:
    """Let Python keep what it has compiled, as `make run` does: else each process would compile everything again."""
    forbidden = os.environ.pop(NO_BYTECODE, None)
    try:
        yield
    finally:
        if forbidden is not None:
            os.environ[NO_BYTECODE] = forbidden
