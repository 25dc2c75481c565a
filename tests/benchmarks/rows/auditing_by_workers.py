"""How much faster `fieldbook audit --all` is with two workers than with one, on the clock of who waits for it."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import redis
from rq import Worker

from service.storage.levels import Durability
from service.storage.queues import audit_queue
from service.storage.settings import StoreSettings
from tests.benchmarks.figures import Comparison, Goal
from tests.benchmarks.games import played_games
from tests.benchmarks.measuring import Side, compared
from tests.benchmarks.own_service import ServiceFailed, started
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.stores import measured_installation, put
from tests.support.servers import ROOT

GAMES: Final = 300
START_SECONDS: Final = 60.0
LONGEST_SECONDS: Final = 300.0
LOOK_SECONDS: Final = 0.1
_NOT_QUITE_TWO: Final = (
    "by the clock; the command and the store take their part of the same processors: on two cores two workers have"
    " not quite two."
)


class AuditingByWorkers:
    """The command from its start to its end, and every receipt signed and stored, at level `fsync`."""

    name = "audit-workers"
    about = "fieldbook audit --all with two workers, beside one"

    def __init__(self, games: int = GAMES) -> None:
        """Audit so many games."""
        self._games = games

    def run(self, rounds: int, peers: Peers) -> Iterable[Comparison]:
        del peers
        games = played_games(self._games)
        entries = sum(len(game.log) for game in games)
        with measured_installation(Durability.FSYNC) as (store, environment):
            for game in games:
                put(store, game.table, game.log)

            def audit_with(workers: int) -> Callable[[], float]:
                return lambda: entries / _seconds(environment, workers)

            yield compared(
                self.name,
                "entries/s",
                goal=Goal(at_least=1.9),
                ours=Side(f"audit --all of {len(games)} games, two workers", audit_with(2)),
                beside=Side("one worker", audit_with(1)),
                rounds=rounds,
                notes=(_NOT_QUITE_TWO,),
            )


def _seconds(environment: Mapping[str, str], workers: int) -> float:
    """How long an audit takes that begins when so many workers wait for it.

    Raises:
        ServiceFailed: a worker does not start, or the audit finds something or takes too long.
    """
    with TemporaryDirectory(prefix="fieldbook-bench-") as name, ExitStack() as running:
        log = Path(name) / "worker.log"
        for _ in range(workers):
            running.enter_context(started([sys.executable, "-m", "service.worker"], environment, log))
        _await_workers(environment, workers, log)
        began = time.perf_counter()
        try:
            done = subprocess.run(
                [sys.executable, "-m", "service.command_line", "audit", "--all", "--again"],
                cwd=ROOT,
                env=dict(environment),
                capture_output=True,
                text=True,
                timeout=LONGEST_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise ServiceFailed(f"The audit was not over after {LONGEST_SECONDS:.0f} s.") from None
        if done.returncode:
            raise ServiceFailed(
                f"The audit ended with {done.returncode}: {done.stdout[-500:]}{done.stderr[-500:]}"
            )
        return time.perf_counter() - began


def _await_workers(environment: Mapping[str, str], workers: int, log: Path) -> None:
    """Wait until there are so many: those of the round before are gone, too.

    Raises:
        ServiceFailed: there are not.
    """
    deadline = time.monotonic() + START_SECONDS
    with closing(redis.Redis.from_url(StoreSettings.from_environment(environment).address())) as connection:
        while Worker.count(queue=audit_queue(connection)) != workers:
            if time.monotonic() >= deadline:
                raise ServiceFailed(f"The workers did not start: {log.read_text(errors='replace')[-1000:]}")
            time.sleep(LOOK_SECONDS)
