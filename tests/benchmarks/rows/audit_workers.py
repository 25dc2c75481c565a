"""`fieldbook audit --all` with two workers, compared with one, by the wall clock."""

import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory

import redis
from rq import Worker

from service.storage.levels import Durability
from service.storage.queues import audit_queue
from service.storage.settings import StoreSettings
from tests.benchmarks.figures import Comparison, Goal, Options, Side, compared
from tests.benchmarks.games import played_games
from tests.benchmarks.own_service import ServiceFailed, own_store, put, started
from tests.support.servers import ROOT, eventually

ABOUT = "fieldbook audit --all with two workers, compared with one"
START_SECONDS = 60.0
LONGEST_SECONDS = 300.0
_NOT_QUITE_TWO = (
    "by the clock; the command and the store take their part of the same processors: on two cores two workers have"
    " not quite two."
)


def run(options: Options) -> Iterator[Comparison]:
    """Measure the command from its start to its end: every receipt is signed and stored, at level `fsync`."""
    games = played_games(options.size(300, 2))
    entries = sum(len(game.log) for game in games)
    with own_store(Durability.FSYNC) as (store, environment):
        for game in games:
            put(store, game.table, game.log)
        yield compared(
            "audit-workers",
            "entries/s",
            goal=Goal(at_least=1.9),
            ours=Side(
                f"audit --all of {len(games)} games, two workers", lambda: entries / _seconds(environment, 2)
            ),
            baseline=Side("one worker", lambda: entries / _seconds(environment, 1)),
            rounds=options.rounds,
            notes=(_NOT_QUITE_TWO,),
        )


def _seconds(environment: Mapping[str, str], workers: int) -> float:
    """Return the seconds of an audit that begins when all workers are ready.

    Raises:
        ServiceFailed: the audit finds something.
    """
    address = StoreSettings.from_environment(environment).address()
    with (
        TemporaryDirectory(prefix="fieldbook-bench-") as name,
        closing(redis.Redis.from_url(address)) as connection,
        ExitStack() as running,
    ):
        log = Path(name) / "worker.log"
        for _ in range(workers):
            running.enter_context(started([sys.executable, "-m", "service.worker"], environment, log))
        # Also those of the round before have ended then.
        eventually(lambda: Worker.count(queue=audit_queue(connection)) == workers, seconds=START_SECONDS)
        began = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "service.command_line", "audit", "--all", "--again"],
            cwd=ROOT,
            env=dict(environment),
            capture_output=True,
            text=True,
            timeout=LONGEST_SECONDS,
            check=False,
        )
        took = time.perf_counter() - began
    if done.returncode:
        raise ServiceFailed(
            f"The audit ended with {done.returncode}: {done.stdout[-500:]}{done.stderr[-500:]}"
        )
    return took
