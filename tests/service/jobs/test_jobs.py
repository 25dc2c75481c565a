"""Finished games are validated whatever becomes of workers and queue: real processes, and a queue's server apart."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from events.store.redis.client.connection import RedisConnection
from events.store.redis.redis_store import RedisEventStore
from service.access.game_access import GamePolicy
from service.jobs.dispatching import Dispatcher
from service.storage.settings import StoreSettings
from service.verification.store import Validations
from tests.service.server.test_processes import eventually_open
from tests.support.processes import Service
from tests.support.recorded_games import recorded_game
from tests.support.servers import RunningStore, eventually

VALIDATED_SECONDS = 180
"""What docs/operating.md promises is a minute; a loaded machine takes longer."""


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[RunningStore]:
    """Run a server for the queue alone."""
    with RunningStore(tmp_path / "queue") as running:
        yield running


@pytest.fixture
def service(tmp_path: Path, queue: RunningStore, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """Yield a service that has its queue on a server apart; nothing is started yet."""
    (tmp_path / "service").mkdir()
    with Service(tmp_path / "service") as service:
        service.environment["QUEUE_REDIS_URL"] = queue.url
        monkeypatch.setenv("QUEUE_REDIS_URL", queue.url)
        yield service


def finish(store: RedisEventStore, seed: int) -> tuple[str, int]:
    """Put a finished game into the store; returns its id and version."""
    game = recorded_game(seed, most_offers=12)
    private = {"secret": game.table.secret, **GamePolicy().private_fields()}
    name = game.table.game
    store.append(name, game.log, expected_version=0, command_id="t", fingerprint="t", private=private)
    return name, len(game.log)


def await_report(store: RedisEventStore, game: str) -> None:
    """Wait until a game is found valid."""
    eventually(lambda: Validations(store).verdict(game) == "valid", seconds=VALIDATED_SECONDS)


def server_process(url: str) -> int:
    """The process id of a store's server."""
    connection = RedisConnection(url)
    with closing(connection):
        lines = connection.command("INFO", "server").decode().splitlines()
    return next(int(line.partition(":")[2]) for line in lines if line.startswith("process_id:"))


def workers(service: Service) -> list[int]:
    """The worker's process, and the one that is at its job."""
    found = []
    for process in service.alive():
        try:
            if b"service.worker" in (Path("/proc") / str(process) / "cmdline").read_bytes():
                found.append(process)
        except FileNotFoundError:
            continue
    return found


@pytest.mark.soak
def test_a_worker_killed_with_its_job_is_replaced(service: Service, queue: RunningStore) -> None:
    """Both processes are killed in the middle of a validation; the next worker does it, without help."""
    service.start("store")
    with closing(eventually_open(service)) as store:
        service.start("worker")
        listening = RedisConnection(queue.url)
        eventually(lambda: listening.command("SCARD", "rq:workers") == 1, seconds=60)
        listening.close()
        game, version = finish(store, 1)
        server = server_process(StoreSettings.from_environment(service.environment).address())
        dispatcher = Dispatcher(store)
        os.kill(server, signal.SIGSTOP)
        try:
            dispatcher.enqueue(game, version)
            eventually(lambda: len(workers(service)) == 2, seconds=60)
            for process in workers(service):
                os.kill(process, signal.SIGKILL)
        finally:
            os.kill(server, signal.SIGCONT)
        assert Validations(store).verdict(game) == "pending"
        service.kill("worker")
        service.start("projector", "worker")
        await_report(store, game)
        assert len(Validations(store).reports(game)) == 1


@pytest.mark.soak
def test_a_queue_that_is_wiped_or_away_delays_and_loses_nothing(
    service: Service, queue: RunningStore
) -> None:
    """Away at the start, wiped with a job in it, and away later: each game is validated after it."""
    queue.stop()
    service.start("store")
    with closing(eventually_open(service)) as store:
        service.start("projector", "worker")
        first, _ = finish(store, 1)
        eventually(lambda: "waiting for the queue" in service.log("worker"), seconds=60)
        eventually(lambda: "the queue cannot be reached" in service.log("projector"), seconds=60)
        with RunningStore(queue.folder) as again:
            assert again.url == queue.url
            await_report(store, first)
            service.kill("worker")
            second, _ = finish(store, 2)
            connection = RedisConnection(again.url)
            eventually(lambda: connection.command("LLEN", "rq:queue:fieldbook-validation") == 1, seconds=60)
            connection.command("FLUSHALL")
            connection.close()
            service.start("worker")
            await_report(store, second)
        third, _ = finish(store, 3)
        with RunningStore(queue.folder):
            await_report(store, third)
        assert service.stop("worker") == 0, service.log("worker")
