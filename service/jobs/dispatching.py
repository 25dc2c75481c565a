"""Having finished games validated and deadlines passed: unique jobs, enqueued again until it is done.

Validations have a queue of their own, from which workers take first. What is done beside games waits in another one,
in small jobs, so that no verdict waits for longer than one of them takes.
RQ is a hint, never the truth. The games due are written with the projection; a game is due until its report is there.
Losing the whole queue loses nothing. A queue that is away costs one try per sweep, not one per game.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final

from rq import Queue, Retry
from rq.exceptions import DuplicateJobError

from service.disputes.queue import DisputeQueue
from service.platform.timer import Due, every
from service.projections.generations import DUE, generation_name
from service.projections.store import Generations
from service.storage.checkpoints import Checkpoints
from service.storage.partition_pauses import FAILURES, PartitionPauses
from service.storage.queues import (
    LostJobs,
    QueueError,
    beside_queue,
    queue_connection,
    validation_queue,
)
from service.storage.store import Store
from service.telemetry.spans import current_span
from service.verification.readable import readable_here
from service.verification.store import PENDING, Unreadable, Validations

JOB: Final = "service.jobs.jobs.validate_game"
JOB_SECONDS: Final = 120
ARCHIVING: Final = "service.jobs.jobs.archive_games"
ARCHIVING_SECONDS: Final = 600
"""How long one job of archiving may take, which ends itself much sooner."""
FAILED_SECONDS: Final = 60
"""How long a failed job stands in the way of another try: as long as it is kept its id is taken."""
MOST_RETRIES: Final = 3
"""How often a job that fails is tried again at once; after that the sweep waits for `FAILED_SECONDS`."""
MOST_WAITING: Final = 1000
"""Jobs that a sweep leaves in a queue at most; the next ones top it up."""
SETTLING: Final = "service.jobs.jobs.settle_disputes"
EVIDENCE: Final = "service.jobs.jobs.build_evidence"
JOINED_SECONDS: Final = 10.0
"""What is said about a game within this time is taken up by one evidence pack."""
DEADLINES_SECONDS: Final = 5.0
"""How often it is looked which deadline of a case is next; those that are known pass at their moment."""
RATING: Final = "service.ratings.rating_job.rate"
RATING_SECONDS: Final = 60.0
"""How often boards are brought up to date."""
_RATING_JOB: Final = "ratings"
SWEEP_SECONDS: Final = 15.0
"""How often finished games without a report are enqueued again."""
TRACE: Final = "traceparent"
"""Where a job's meta says which trace it goes on in."""
_ARCHIVING_JOB: Final = "archive-games"
_CHUNK: Final = 200
_log = logging.getLogger("fieldbook.dispatcher")


class Dispatcher:
    """Enqueues validations, and runs of archiving."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        """Serve the games of this store."""
        self._clock = clock
        self._packed: dict[str, float] = {}
        """When a game's evidence pack was asked for, as long as the next one is to wait."""
        self._store = store
        self._checkpoints = Checkpoints(store)
        self._generations = Generations(store)
        self._validations = Validations(store)
        self._disputes = DisputeQueue(store)
        connection = queue_connection()
        self._queue, self._beside = validation_queue(connection), beside_queue(connection)
        self._lost = LostJobs(clock)
        self._pauses = PartitionPauses(_log)
        self._away = False

    def declarations(self) -> tuple[Due, ...]:
        """What a timer has to have done."""
        return (
            every("validations", SWEEP_SECONDS, self.sweep),
            Due("deadlines of cases", self.sweep_disputes, DEADLINES_SECONDS),
            every("evidence packs", 1.0, self.sweep_evidence),
            every("ratings", RATING_SECONDS, self.enqueue_rating),
        )

    def enqueue(self, game: str, version: int) -> bool:
        """Enqueue the validation of a finished game, once; False where that was not necessary or not possible.

        A queue that is away is the next sweep's affair.
        """
        return not self._away and self._enqueue(
            self._queue,
            JOB,
            game,
            job_id=_job_id(game, version),
            job_timeout=JOB_SECONDS,
            failure_ttl=FAILED_SECONDS,
            retry=Retry(max=MOST_RETRIES),
        )

    def enqueue_archiving(self) -> None:
        """Enqueue a run of archiving, unless one is waiting or at work."""
        try:
            under_way = [*self._beside.job_ids, *self._beside.started_job_registry.get_job_ids()]
        except QueueError as error:
            self._is_away(error)
            return
        if not any(each.startswith(_ARCHIVING_JOB) for each in under_way):
            self.go_on_archiving(0, 0)

    def go_on_archiving(self, partition: int, looked_at: int) -> None:
        """Enqueue archiving from a partition on, of which so many games were looked at."""
        self._enqueue(
            self._beside,
            ARCHIVING,
            partition,
            looked_at,
            job_id=f"{_ARCHIVING_JOB}-{partition}-{looked_at}",
            job_timeout=ARCHIVING_SECONDS,
            failure_ttl=1,
        )

    def enqueue_rating(self, part: int = 0) -> None:
        """Have boards brought up to date, unless that is waiting or at work; another `part` goes on with it."""
        self._enqueue(
            self._beside,
            RATING,
            part,
            job_id=f"{_RATING_JOB}-{part % 2}",
            job_timeout=ARCHIVING_SECONDS,
            failure_ttl=FAILED_SECONDS,
        )

    def sweep(self) -> int:
        """Enqueue the finished games of healthy partitions that have no report yet; returns how many there are.

        Left out are those that this release has tried and cannot read. With them go those that another release has
        found invalid.

        Raises:
            StoreUnavailable
        """
        due = list(self._due())
        self._away = False
        waiting = self._waiting(self._queue) if due else set[str]()
        room = MOST_WAITING - len(waiting)
        for game in due:
            if room <= 0 or self._away:
                break
            head = self._store.head(game)
            version = head.version if head is not None else 0
            if _job_id(game, version) not in waiting:
                room -= self.enqueue(game, version)
        return len(due)

    def sweep_disputes(self, now: int) -> int | None:
        """Have looked at every game with a case whose time is over; returns when the next one's will be.

        Raises:
            StoreUnavailable
        """
        self._away = False
        due = self._disputes.due(now)
        waiting = self._waiting(self._beside) if due else set[str]()
        room = MOST_WAITING - len(waiting)
        for game in due:
            if room <= 0 or self._away:
                break
            job = f"settle-{game}"
            if job not in waiting:
                room -= self._enqueue(
                    self._beside, SETTLING, game, job_id=job, job_timeout=JOB_SECONDS, failure_ttl=1
                )
        return self._disputes.next_due(now)

    def sweep_evidence(self) -> int:
        """Enqueue the games with a case that waits for an evidence pack; returns how many there are.

        It costs the store next to nothing while no case waits, so it can be done every second. What is said about a
        game soon after a pack was asked for waits for the next one: forty pieces of evidence are not forty packs.

        Raises:
            StoreUnavailable
        """
        self._away = False
        games = self._disputes.without_pack()
        now = self._clock()
        self._packed = {game: at for game, at in self._packed.items() if now < at + JOINED_SECONDS}
        wanted = [game for game in games if game not in self._packed]
        room = MOST_WAITING - len(self._waiting(self._beside)) if wanted else 0
        for game in wanted:
            if room <= 0 or self._away:
                break
            is_new = self._enqueue(
                self._beside,
                EVIDENCE,
                game,
                job_id=f"evidence-{game}",
                job_timeout=JOB_SECONDS,
                failure_ttl=FAILED_SECONDS,
            )
            if is_new:
                self._packed[game] = now
                room -= 1
        return len(games)

    def _due(self) -> Iterator[str]:
        quarantined = self._store.quarantine.reasons()
        for partition in range(self._store.partitions):
            if partition in quarantined or self._pauses.is_left_alone(partition):
                continue
            with suppress(*FAILURES), self._pauses.asking(partition):
                yield from self._due_in(partition)

    def _due_in(self, partition: int) -> Iterator[str]:
        name = generation_name(self._generations.in_use(partition))
        found = self._checkpoints.ranked(partition, name, DUE)
        for start in range(0, len(found), _CHUNK):
            games = found[start : start + _CHUNK]
            verdicts = self._validations.verdicts(partition, games)
            tried = self._validations.unreadable(partition, games)
            for game, verdict, why in zip(games, verdicts, tried, strict=True):
                if verdict != PENDING:
                    self._checkpoints.remove_ranked(partition, name, DUE, game)
                elif _may_be_told_otherwise(why):
                    yield game
        # An older release may have found invalid what it only did not know.
        found = self._validations.invalid(partition)
        for start in range(0, len(found), _CHUNK):
            games = found[start : start + _CHUNK]
            tried = self._validations.unreadable(partition, games)
            yield from (game for game, why in zip(games, tried, strict=True) if _may_be_told_otherwise(why))

    def _waiting(self, queue: Queue) -> set[str]:
        """The ids of the jobs in a queue."""
        try:
            return set(queue.job_ids)
        except QueueError as error:
            self._is_away(error)
            return set()

    def _enqueue(self, queue: Queue, job: str, *arguments: str | int, **options: Any) -> bool:
        traced = current_span().traceparent
        if traced:
            options["meta"] = {TRACE: traced}
        try:
            try:
                queue.enqueue(job, *arguments, unique=True, result_ttl=0, **options)
            except DuplicateJobError:
                known = queue.fetch_job(options["job_id"])
                if known is None or not self._lost.is_lost(queue, known):
                    return False
                queue.enqueue(job, *arguments, result_ttl=0, **options)
        except QueueError as error:
            self._is_away(error)
            return False
        return True

    def _is_away(self, error: QueueError) -> None:
        if not self._away:
            _log.warning("the queue cannot be reached, the next sweep tries again: %s", error)
        self._away = True


def _job_id(game: str, version: int) -> str:
    """The one name under which a game's validation is in the queue."""
    return f"validate-{game}-{version}"


def _may_be_told_otherwise(why: Unreadable | None) -> bool:
    """Whether nobody who reads what this release reads has tried a game without a verdict, or with a bad one."""
    return why is None or why.release != readable_here()
