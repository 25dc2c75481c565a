"""What is done beside games holds up no verdict: validations come first, and other jobs are small and so many."""

import pytest
import redis
from rq import Queue
from rq.serializers import JSONSerializer

from service.disputes.evidence import MOST_AT_ONCE
from service.disputes.queue import DisputeQueue
from service.jobs import dispatching
from service.jobs.dispatching import Dispatcher
from service.projector import Projector
from service.storage.queues import BESIDE, IN_ORDER, VALIDATION, beside_queue, validation_queue
from service.verification.store import Validations
from tests.service.disputes.disputing import ANN, BEN, DAY, NOW, RUNNING, Chamber
from tests.service.in_process import InProcess
from tests.service.in_process_worker import Worker, work


def disputed(api: InProcess, seed: int = 1) -> str:
    """A running game with more cases that wait for a pack than one job builds."""
    game = api.stored(seed, RUNNING).id
    chamber = Chamber(api.store, game)
    for number in range(MOST_AT_ONCE + 1):
        chamber.opened((ANN, BEN)[number % 2], 100 + number)
    return game


def project(api: InProcess) -> None:
    """Let a projector start and catch up."""
    projector = Projector(api.store, Dispatcher(api.store))
    projector.begin()
    projector.catch_up(projector.partitions())


def work_once(queue: redis.Redis) -> None:
    """Do the job that a worker takes up next."""
    queues = [Queue(name, connection=queue, serializer=JSONSerializer) for name in IN_ORDER]
    Worker(queues, connection=queue, serializer=JSONSerializer).work(
        burst=True, max_jobs=1, logging_level="ERROR"
    )


def test_the_packs_of_one_game_delay_no_verdict_of_another(api: InProcess, queue: redis.Redis) -> None:
    """Whoever is at the packs is done after a few; then the verdict comes, whatever else waits."""
    busy = disputed(api)
    dispatcher = Dispatcher(api.store)
    assert dispatcher.sweep_evidence() == 1
    dispatcher.sweep_disputes(NOW + 30 * DAY)
    dispatcher.enqueue_archiving()
    assert len(beside_queue(queue)) == 3
    finished = api.stored(2)
    project(api)
    assert (len(validation_queue(queue)), len(beside_queue(queue))) == (1, 3)

    work_once(queue)

    assert Validations(api.store).verdict(finished.id) == "valid"
    assert len(beside_queue(queue)) == 3
    work_once(queue)
    assert DisputeQueue(api.store).without_pack() == [busy]
    assert IN_ORDER[:2] == (VALIDATION, BESIDE)


def test_so_many_jobs_beside_games_wait_and_no_more(
    api: InProcess, queue: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next sweep tops the queue up: nothing is lost, and the queue's memory has a bound."""
    monkeypatch.setattr(dispatching, "MOST_WAITING", 2)
    for seed in range(1, 4):
        Chamber(api.store, api.stored(seed, RUNNING).id).opened()
    dispatcher = Dispatcher(api.store)
    assert dispatcher.sweep_evidence() == 3
    assert len(beside_queue(queue)) == 2
    dispatcher.sweep_disputes(NOW + 30 * DAY)
    assert len(beside_queue(queue)) == 2
    done = [work(queue)]
    while len(done) < 9 and (dispatcher.sweep_evidence() or dispatcher.sweep_disputes(NOW + 30 * DAY)):
        done.append(work(queue))
    assert sum(done) >= 3
    assert DisputeQueue(api.store).without_pack() == []
