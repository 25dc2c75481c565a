"""Every job may run twice, at once, and be cut off at any point; what is due is known without the queue."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import redis

from service.jobs import dispatching, jobs
from service.jobs.dispatching import Dispatcher
from service.jobs.jobs import validation_report
from service.projector import Projector
from service.storage.queues import TAKEN_SECONDS, validation_queue
from service.verification.store import MOST_REPORTS, Validations
from service.verification.transparency_log import TransparencyLog
from tests.service.in_process import InProcess, Stored
from tests.service.in_process_worker import replace_entry, work

NOW = 1_800_000_000_000


def project(api: InProcess) -> None:
    """Let a projector start and catch up."""
    projector = Projector(api.store, Dispatcher(api.store))
    projector.begin()
    projector.catch_up(projector.partitions())


class Killed(BaseException):
    """The process is gone: nothing catches this."""


STEPS: dict[str, tuple[object, str, bool]] = {
    "before the head is logged": (TransparencyLog, "log", False),
    "after the head is logged": (TransparencyLog, "log", True),
    "after the game is verified": (jobs, "validation_report", True),
    "before the report is kept": (Validations, "_replace", False),
    "after the report is kept": (Validations, "_replace", True),
}


def killed_at(where: tuple[object, str, bool], monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the process die before or after a step."""
    place, name, after = where
    real: Callable[..., Any] = getattr(place, name)

    def dying(*arguments: Any) -> None:
        if after:
            real(*arguments)
        raise Killed

    monkeypatch.setattr(place, name, dying)


@pytest.mark.parametrize("step", STEPS)
def test_a_worker_may_die_at_every_step(
    api: InProcess, queue: redis.Redis, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """The next one does it again: one entry in the log of finished games, one report, and the game is due no more."""
    game = api.stored()
    project(api)
    with monkeypatch.context() as dying:
        killed_at(STEPS[step], dying)
        with pytest.raises(Killed):
            jobs.validate_game(game.id)
    jobs.validate_game(game.id)
    log = TransparencyLog(api.store, api.signing_keys)
    assert (log.size(), log.place_of(game.id)) == (1, 0)
    assert [report["ok"] for report in Validations(api.store).reports(game.id)] == [True]
    assert [each["game"] for each in api.get("/v1/games?validation=valid")["games"]] == [game.id]
    assert Dispatcher(api.store).sweep() == 0


def test_reports_of_workers_at_once_are_all_kept(api: InProcess) -> None:
    """Each has judged by another engine; none overwrites what another one has kept meanwhile."""
    game = api.stored()
    validations = Validations(api.store)
    report = validation_report(api.store, game.id, NOW)
    engines = range(MOST_REPORTS)

    def add(engine: int) -> None:
        for _ in range(5):
            validations.add(game.id, {**report, "engine_version": engine})

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(add, engines))
    assert sorted(each["engine_version"] for each in validations.reports(game.id)) == list(engines)


def test_the_verdict_in_the_list_is_that_of_the_newest_report(api: InProcess, queue: redis.Redis) -> None:
    """With the report the game moves from one verdict to the other, and is never found by both."""
    game = api.stored()
    project(api)
    validations = Validations(api.store)
    report = validation_report(api.store, game.id, NOW)
    for ok, verdict, other in (
        (True, "valid", "invalid"),
        (False, "invalid", "valid"),
        (True, "valid", "invalid"),
    ):
        validations.add(game.id, {**report, "ok": ok})
        for status in ("", "&status=finished"):
            found = api.get(f"/v1/games?validation={verdict}{status}")["games"]
            assert [(each["game"], each["validation"]) for each in found] == [(game.id, verdict)]
            assert api.get(f"/v1/games?validation={other}{status}")["games"] == []
            assert api.get(f"/v1/games?validation=pending{status}")["games"] == []


def test_what_an_older_release_found_invalid_is_judged_again(api: InProcess, queue: redis.Redis) -> None:
    """It cannot tell what it does not know from what does not hold: its verdict is replaced, and its report kept."""
    game = api.stored()
    unknown = {
        "check": "fold",
        "version": 1,
        "reason": "game_created: Object contains unknown field `close_after`",
    }
    report = {"ok": False, "engine_version": 0, "version": len(game.recorded.log), "findings": [unknown]}
    Validations(api.store).add(game.id, report)
    project(api)

    assert Dispatcher(api.store).sweep() == 1
    assert work(queue) == 1

    assert [each["ok"] for each in Validations(api.store).reports(game.id)] == [True, False]
    assert [each["game"] for each in api.get("/v1/games?validation=valid")["games"]] == [game.id]
    assert Dispatcher(api.store).sweep() == 0


def test_what_is_invalid_for_whoever_reads_it_is_judged_once_by_each_release(
    api: InProcess, queue: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not with every sweep."""
    game = api.stored()
    replace_entry(api, game, 40, d=b"{}")
    project(api)
    work(queue)
    assert Validations(api.store).verdict(game.id) == "invalid"
    assert Dispatcher(api.store).sweep() == 0

    monkeypatch.setattr(dispatching, "readable_here", lambda: "the next release")
    assert Dispatcher(api.store).sweep() == 1


def newer(api: InProcess) -> tuple[Stored, bytes]:
    """A finished game that a newer release has written, and its log as this one could read it."""
    game = api.stored()
    key = f"{{p{api.store.partition_of(game.id):02}}}:game:{game.id}:log"
    dumped: bytes = api.store.connection.command("DUMP", key)
    replace_entry(api, game, 40, v=99)
    return game, dumped


def test_a_game_of_another_release_is_tried_once_by_each(
    api: InProcess, queue: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Why it was not judged is remembered; a release that reads something else tries it again."""
    game, _ = newer(api)
    project(api)
    assert Dispatcher(api.store).sweep() == 1
    assert work(queue) == 1
    [why] = Validations(api.store).unreadable(api.store.partition_of(game.id), [game.id])
    assert why is not None
    assert (why.version, "version 40" in why.reason) == (len(game.recorded.log), True)
    assert [Dispatcher(api.store).sweep() for _ in range(3)] == [0, 0, 0]
    assert work(queue) == 0
    assert api.get(f"/v1/games/{game.id}/validations")["validation"] == "pending"
    monkeypatch.setattr(dispatching, "readable_here", lambda: "the next release")
    assert Dispatcher(api.store).sweep() == 1


def test_a_game_that_can_be_read_again_is_judged(api: InProcess, queue: redis.Redis) -> None:
    """`fieldbook projections retry` has it tried again without another release; then nothing is remembered."""
    game, dumped = newer(api)
    project(api)
    work(queue)
    key = f"{{p{api.store.partition_of(game.id):02}}}:game:{game.id}:log"
    api.store.connection.command("DEL", key)
    api.store.connection.command("RESTORE", key, 0, dumped)
    Validations(api.store).forget_unreadable()
    assert Dispatcher(api.store).sweep() == 1
    assert work(queue) == 1
    assert Validations(api.store).verdict(game.id) == "valid"
    assert Validations(api.store).unreadable(api.store.partition_of(game.id), [game.id]) == [None]


def test_two_sweepers_enqueue_each_game_once(api: InProcess, queue: redis.Redis) -> None:
    """However often they sweep at once."""
    games = [api.stored(seed) for seed in range(1, 6)]
    project(api)
    queue.delete(*queue.scan_iter("rq:*"))
    sweepers = [Dispatcher(api.store) for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(Dispatcher.sweep, sweepers * 3)) == [5] * 12
    waiting = validation_queue(queue).job_ids
    assert sorted(waiting) == sorted(f"validate-{game.id}-{len(game.recorded.log)}" for game in games)


def test_a_job_that_fails_is_tried_again_by_itself(
    api: InProcess, queue: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four times at once; then its id is free again after a while, and the sweep enqueues it anew."""
    monkeypatch.setattr(dispatching, "FAILED_SECONDS", 1)
    game = api.stored()
    tries: list[str] = []

    def failing(*_: object) -> None:
        tries.append(game.id)
        raise ValueError("this release has a fault")

    with monkeypatch.context() as broken:
        broken.setattr(jobs, "validation_report", failing)
        project(api)
        work(queue)
        assert len(tries) == 4
        assert Validations(api.store).verdict(game.id) == "pending"
        assert validation_queue(queue).job_ids == []
    for _ in range(300):
        Dispatcher(api.store).sweep()
        if work(queue):
            break
    assert Validations(api.store).verdict(game.id) == "valid"


def test_a_queue_that_is_away_is_asked_once_a_sweep(
    api: InProcess, queue: redis.Redis, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Each try may take seconds, and the list of games has to go on."""
    for seed in range(1, 5):
        api.stored(seed)
    monkeypatch.setenv("QUEUE_REDIS_URL", "redis://127.0.0.1:1")
    dispatcher = Dispatcher(api.store)
    projector = Projector(api.store, dispatcher)
    projector.catch_up(projector.partitions())
    assert dispatcher.sweep() == 4
    said = [record for record in caplog.records if "queue cannot be reached" in record.getMessage()]
    assert len(said) == 2


def test_a_sweep_leaves_room_in_the_queue(
    api: InProcess, queue: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a wiped queue not everything is enqueued at once: further sweeps top it up until nothing is due."""
    monkeypatch.setattr(dispatching, "MOST_WAITING", 2)
    for seed in range(1, 6):
        api.stored(seed)
    projector = Projector(api.store, Dispatcher(api.store))
    projector.catch_up(projector.partitions())
    queue.delete(*queue.scan_iter("rq:*"))
    done = []
    while Dispatcher(api.store).sweep():
        done.append(work(queue))
    assert done == [2, 2, 1]


def test_a_job_that_was_taken_and_is_lost_does_not_stand_in_the_way(
    api: InProcess, queue: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its server was killed just then: it is said to wait, and is in no queue. The sweep enqueues it again."""
    lost, other = api.stored(), api.stored(seed=2)
    project(api)
    waiting = validation_queue(queue)
    waiting.remove(next(job for job in waiting.job_ids if lost.id in job))
    dispatcher = Dispatcher(api.store)
    dispatcher.sweep()
    assert not any(lost.id in job for job in waiting.job_ids), "a worker may be about to say that it is at it"

    monkeypatch.setattr("service.storage.queues.TAKEN_SECONDS", 0.0)
    for _ in range(2):
        dispatcher.sweep()
        found = [sum(game.id in job for job in waiting.job_ids) for game in (lost, other)]
        assert found == [1, 1]


def test_a_job_that_has_waited_for_long_is_not_enqueued_again_as_soon_as_it_is_taken(
    api: InProcess, queue: redis.Redis
) -> None:
    """From when it is gone from the queue it has some time to say that it is at work, and each time anew."""
    api.stored()
    project(api)
    waiting = validation_queue(queue)
    (name,) = waiting.job_ids
    queue.hset(f"rq:job:{name}", "enqueued_at", "2026-01-01T00:00:00.000000Z")
    now = 0.0
    dispatcher = Dispatcher(api.store, lambda: now)
    for _ in range(2):
        waiting.remove(name)
        for passed, again in ((0.0, []), (TAKEN_SECONDS - 0.1, []), (0.2, [name])):
            now += passed
            dispatcher.sweep()
            assert waiting.job_ids == again, now
