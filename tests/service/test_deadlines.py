"""Deadlines of disputes: RQ's scheduler knocks, the sweep finds what is due, and the log says what came of it."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
import redis
from rq import SimpleWorker
from rq.registry import ScheduledJobRegistry
from rq.serializers import JSONSerializer
from rq.timeouts import TimerDeathPenalty

from events.disputes import commands as c
from service import jobs
from service.clock import now_milliseconds
from service.dispatching import AHEAD_SECONDS, Dispatcher
from service.disputes import Disputes
from service.queues import validation_queue
from service.worker import PromptWorker
from tests.service.disputing import ADA, LIMITS, RUNNING, Chamber
from tests.service.in_process import InProcess
from tests.service.in_process_worker import work


class Maintained(PromptWorker, SimpleWorker):
    """Our worker, with its jobs in this process."""

    death_penalty_class = TimerDeathPenalty


def chamber(api: InProcess, left: int) -> Chamber:
    """An open case that is not claimed, with so many milliseconds left to do so."""
    found = Chamber(api.store, api.stored(stop_at=RUNNING).id)
    found.at = now_milliseconds() - LIMITS.claim + left
    found.opened()
    return found


def scheduled(client: redis.Redis) -> ScheduledJobRegistry:
    """What RQ's scheduler has to enqueue later."""
    registry: Callable[..., ScheduledJobRegistry] = ScheduledJobRegistry
    return registry(queue=validation_queue(client))


def maintain(client: redis.Redis) -> None:
    """Do what a worker does between two jobs."""
    queue = validation_queue(client)
    Maintained([queue], connection=client, serializer=JSONSerializer).run_maintenance_tasks()


def test_a_case_whose_time_is_over_lapses(api: InProcess, queue: redis.Redis) -> None:
    """Found by the sweep, written down by a job; then nothing is due any more."""
    found = chamber(api, left=-1)
    dispatcher = Dispatcher(api.store)
    assert dispatcher.sweep_disputes(now_milliseconds()) == 1
    assert dispatcher.sweep_disputes(now_milliseconds()) == 1
    assert work(queue) == 1
    assert found.types == ["dispute_opened", "dispute_lapsed"]
    assert dispatcher.sweep_disputes(now_milliseconds()) == 0


def test_the_scheduler_knocks_when_the_time_is_over(api: InProcess, queue: redis.Redis) -> None:
    """What ends soon is scheduled once; a worker enqueues it in its time."""
    found = chamber(api, left=60_000)
    dispatcher = Dispatcher(api.store)
    for _ in range(2):
        assert dispatcher.sweep_disputes(now_milliseconds()) == 1
    (job,) = scheduled(queue).get_job_ids()
    until = found.case.until
    assert until is not None
    assert scheduled(queue).get_scheduled_time(job) == datetime.fromtimestamp(until // 1000, UTC)
    maintain(queue)
    assert work(queue) == 0

    waiting = validation_queue(queue).fetch_job(job)
    assert waiting is not None
    scheduled(queue).schedule(waiting, datetime.fromtimestamp(1, UTC))
    maintain(queue)
    assert scheduled(queue).get_job_ids() == []
    assert work(queue) == 1
    assert found.case.status == "open", "the log knows that there is time left, whoever knocks"


def test_what_ends_later_is_not_looked_at_yet(api: InProcess, queue: redis.Redis) -> None:
    """The sweep looks a little ahead only."""
    chamber(api, left=1000 * AHEAD_SECONDS + 60_000)
    assert Dispatcher(api.store).sweep_disputes(now_milliseconds()) == 0
    assert scheduled(queue).get_job_ids() == []


def test_a_lost_queue_loses_no_deadline(api: InProcess, queue: redis.Redis) -> None:
    """The next sweep finds it again."""
    found = chamber(api, left=-1)
    dispatcher = Dispatcher(api.store)
    dispatcher.sweep_disputes(now_milliseconds())
    queue.delete(*queue.keys("rq:*"))
    dispatcher.sweep_disputes(now_milliseconds())
    assert work(queue) == 1
    assert found.case.status == "lapsed"


def test_a_job_that_runs_again_changes_nothing(api: InProcess, queue: redis.Redis) -> None:
    """However often, and whoever was there before."""
    assert queue.ping()
    found = chamber(api, left=-1)
    for _ in range(3):
        jobs.settle_disputes(found.game)
    assert found.types == ["dispute_opened", "dispute_lapsed"]


class Killed(BaseException):
    """The process is gone: nothing catches this."""


@pytest.mark.parametrize("after", [False, True])
def test_a_worker_may_die_at_the_append(
    api: InProcess, queue: redis.Redis, monkeypatch: pytest.MonkeyPatch, *, after: bool
) -> None:
    """Before it or after it: the next one finds the case as it has to be."""
    assert queue.ping()
    found = chamber(api, left=-1)
    real: Callable[..., Any] = Disputes.append

    def dying(*arguments: object) -> None:
        if after:
            real(*arguments)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(Disputes, "append", dying)
        with pytest.raises(Killed):
            jobs.settle_disputes(found.game)
    jobs.settle_disputes(found.game)
    assert found.types == ["dispute_opened", "dispute_lapsed"]


def test_a_claim_that_lapses_is_due_again(api: InProcess, queue: redis.Redis) -> None:
    """With the new time that the case got."""
    found = chamber(api, left=LIMITS.claim - LIMITS.ruling - 1)
    found.do(c.Claim(), ADA)
    dispatcher = Dispatcher(api.store)
    dispatcher.sweep_disputes(now_milliseconds())
    assert work(queue) == 1
    assert found.types[-1] == "claim_lapsed"
    assert found.case.status == "open"
    assert dispatcher.sweep_disputes(now_milliseconds()) == 0
