"""Deadlines of disputes: the timer finds what is due, and the log says what came of it."""

from collections.abc import Callable
from typing import Any

import pytest
import redis

from events.disputes import commands as c
from service.disputes.disputes import Disputes
from service.jobs import jobs
from service.jobs.dispatching import Dispatcher
from service.platform.clock import now_milliseconds
from tests.service.disputes.disputing import ADA, LIMITS, RUNNING, Chamber
from tests.service.in_process import InProcess
from tests.service.in_process_worker import work


def chamber(api: InProcess, left: int, seed: int = 1) -> Chamber:
    """An open case that is not claimed, with so many milliseconds left to do so."""
    found = Chamber(api.store, api.stored(seed, stop_at=RUNNING).id)
    found.at = now_milliseconds() - LIMITS.claim + left
    found.opened()
    return found


def test_a_case_whose_time_is_over_lapses(api: InProcess, queue: redis.Redis) -> None:
    """Found by the sweep, written down by a job; then nothing is due any more."""
    found = chamber(api, left=-1)
    dispatcher = Dispatcher(api.store)
    for _ in range(2):
        assert dispatcher.sweep_disputes(now_milliseconds()) is None
    assert work(queue) == 1
    assert found.types == ["dispute_opened", "dispute_lapsed"]
    dispatcher.sweep_disputes(now_milliseconds())
    assert work(queue) == 0


def test_the_timer_looks_at_a_case_when_its_time_is_over(api: InProcess, queue: redis.Redis) -> None:
    """It is told when that will be, and does nothing before; the log decides what has lapsed."""
    found = chamber(api, left=60_000)
    dispatcher = Dispatcher(api.store)
    until = found.case.until
    assert until is not None
    assert dispatcher.sweep_disputes(until - 1) == until
    assert work(queue) == 0
    assert dispatcher.sweep_disputes(until) is None
    assert work(queue) == 1
    assert found.case.status == "open", "the log knows that there is time left, whoever looks"


def test_the_first_of_many_deadlines_is_what_the_timer_waits_for(api: InProcess, queue: redis.Redis) -> None:
    """Whatever partition it is in, and however far ahead."""
    lefts = (90_000_000, 80_000, 85_000)
    moments = [chamber(api, left, seed).case.until for seed, left in enumerate(lefts, start=1)]
    assert Dispatcher(api.store).sweep_disputes(now_milliseconds()) == moments[1]
    assert work(queue) == 0


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
    assert dispatcher.sweep_disputes(now_milliseconds()) == found.case.until
