"""The map over games by the workers of the queue, on however many machines: the same answers in the same order.

Games go into jobs of a few each. So many jobs are in the queue at once that no worker waits, and no more: what is
held here does not grow with the number of games. A job that fails, or is lost with its worker, is done again; what it
told is taken once, when it is its turn. So every game is told once, whatever happens meanwhile.
"""

import time
from base64 import b64decode
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final
from uuid import uuid4

import msgspec
from rq import Queue
from rq.job import Job

from replay.across.left import Left, Reason
from replay.across.mapping import Mapped, each_once
from service.across.part_job import Told
from service.across.passes import PASSES
from service.storage.queues import LostJobs, count_workers

JOB: Final = "service.across.part_job.map_part"
JOB_SECONDS: Final = 600
KEPT_SECONDS: Final = 3600
"""How long what a job told is kept for whoever submitted it."""
TOGETHER: Final = 8
"""Games in a job: for each job a worker starts a process, which opens the store."""
AHEAD: Final = 2
"""Jobs in the queue for each worker, and as many besides."""
MOST_TRIES: Final = 3
POLL_SECONDS: Final = 0.1
DESERTED_SECONDS: Final = 15.0
"""After so long without any worker the map gives up."""


class NotMapped(Exception):
    """Workers cannot do it: there are none, or a job fails again and again; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the workers are to do.

    Attributes:
        named: the pass, one of `PASSES`.
        source: `store` or `archive`: those of the workers' own settings.
        leave_out: the reasons for which games that could be taken are left out.
        arguments: the pass's arguments.
    """

    named: str
    source: str
    leave_out: frozenset[Reason]
    arguments: Sequence[str] = ()


@dataclass(slots=True)
class _Part:
    """Some games, and the job that has them."""

    games: list[str]
    job: str
    tries: int = field(default=1)


def map_by_workers(
    asked: Asked,
    names: Iterable[str],
    queue: Queue,
    *,
    patience: float = DESERTED_SECONDS,
    pause: Callable[[float], object] = time.sleep,
) -> Generator[Mapped[Any] | Left, None, None]:
    """Put games to a pass: every one gives an answer or a reason, in the order of the names (see `map_games`).

    Args:
        asked: what is to be done.
        names: the games.
        queue: where workers take from.
        patience: seconds after which it ends where there is no worker.
        pause: is called between two looks, with the seconds that it is meant to take.

    Raises:
        NotMapped: there is no worker, or a job has failed so often as it may.
        QueueError: the queue cannot be reached.
    """
    yield from each_once(_Run(asked, queue, patience, pause).told(iter(names)))


class _Run:
    def __init__(self, asked: Asked, queue: Queue, patience: float, pause: Callable[[float], object]) -> None:
        self._asked, self._queue, self._patience, self._pause = asked, queue, patience, pause
        self._name = f"map-{uuid4().hex[:12]}"
        self._submitted = 0
        self._attended = time.monotonic()
        self._lost = LostJobs()
        self._waiting: deque[_Part] = deque()

    def told(self, names: Iterator[str]) -> Iterator[Mapped[Any] | Left]:
        read = PASSES[self._asked.named].read
        try:
            self._fill(names)
            while self._waiting:
                for told in self._take(self._waiting[0]):
                    yield told.left or Mapped(told.name, told.game, told.head, read(told.answer))
                self._waiting.popleft()
                self._fill(names)
        finally:
            for part in self._waiting:
                self._forget(part)

    def _fill(self, names: Iterator[str]) -> None:
        """Keep as many jobs in the queue as workers can use."""
        room = AHEAD * (1 + count_workers(self._queue.connection))
        while len(self._waiting) < room and (games := list(islice(names, TOGETHER))):
            self._submitted += 1
            part = _Part(games, f"{self._name}-{self._submitted}")
            self._enqueue(part)
            self._waiting.append(part)

    def _enqueue(self, part: _Part) -> None:
        asked = self._asked
        leave_out = [reason.value for reason in Reason if reason in asked.leave_out]
        self._queue.enqueue(
            JOB,
            args=(asked.named, list(asked.arguments), asked.source, part.games, leave_out),
            job_id=part.job,
            job_timeout=JOB_SECONDS,
            result_ttl=KEPT_SECONDS,
            failure_ttl=KEPT_SECONDS,
        )

    def _take(self, part: _Part) -> list[Told]:
        """What came of a part's games, once its job is done; the job is gone then."""
        while True:
            job = self._find(part)
            if job is not None and job.is_finished:
                told = msgspec.msgpack.decode(b64decode(str(job.return_value())), type=list[Told])
                job.delete()
                return told
            if job is None or job.is_failed or job.is_stopped or job.is_canceled:
                self._again(part, job)
            elif self._lost.is_lost(self._queue, job):
                self._again(part, None)
            self._wait()

    def _again(self, part: _Part, failed: Job | None) -> None:
        if failed is not None:
            reason = _last_line(failed)
            failed.delete()
            if part.tries == MOST_TRIES:
                raise NotMapped(f"The job for {', '.join(part.games)} failed {MOST_TRIES} times: {reason}")
            part.tries += 1
        self._enqueue(part)

    def _wait(self) -> None:
        if count_workers(self._queue.connection):
            self._attended = time.monotonic()
        elif time.monotonic() - self._attended >= self._patience:
            raise NotMapped("No worker takes from the queue: start one (fieldbook worker), or use --workers.")
        self._pause(POLL_SECONDS)

    def _forget(self, part: _Part) -> None:
        job = self._find(part)
        if job is not None:
            job.delete()

    def _find(self, part: _Part) -> Job | None:
        (job,) = Job.fetch_many(
            [part.job], connection=self._queue.connection, serializer=self._queue.serializer
        )
        return job


def _last_line(job: Job) -> str:
    """Why a job failed; the worker's log has the rest."""
    result = job.latest_result()
    lines = ((result.exc_string if result is not None else "") or "").strip().splitlines()
    return lines[-1] if lines else "it does not say why"
