"""`python -m service.worker`: the RQ worker that validates finished games, and audits them when asked to.

Each job has a process of its own, forked from this one, so that none can take the worker with it.
"""

import gc
import logging
from collections.abc import Callable
from contextlib import closing
from importlib import import_module
from threading import Event
from types import FrameType
from typing import Final

import redis
from rq import Worker
from rq.exceptions import StopRequested
from rq.job import Job
from rq.scheduler import RQScheduler
from rq.serializers import JSONSerializer

from service.catalogues import catalogues_at_start
from service.dispatching import JOB
from service.parent_watch import end_with_parents
from service.process_logging import log_to_standard_error
from service.queues import AUDIT, VALIDATION, queue_connection
from service.start_report import say_that_it_starts
from service.store_at_start import queue_at_start, settings_at_start, store_at_start

WORKER_SECONDS: Final = 30
"""How long a worker counts as alive without a word, and, 15 s less, how long it waits for a job at once."""
MAINTENANCE_SECONDS: Final = 10
"""How often a worker looks for jobs that were abandoned."""
HEARTBEAT_SECONDS: Final = 5
"""How often a worker says that it is at a job."""
ABANDONED_SECONDS: Final = 20
"""After so long without such a word a job counts as abandoned. One that goes on all the same does no harm."""
ORPHAN_SECONDS: Final = 5
"""How long a job under way may go on when what this process belongs to is gone."""
JOBS: Final = JOB.rpartition(".")[0]
"""The module that the queue names."""
_PAUSE_SECONDS: Final = 1.0
"""Between the end of a worker that nobody asked to stop and the next one."""
_log = logging.getLogger("fieldbook.worker")


class PromptWorker(Worker):
    """A worker whose jobs are soon taken up by another one when it is killed."""

    max_connection_wait_time = 5.0
    stopping = Event()
    """Whether the process was asked to end, also while the queue is away."""

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Take note of SIGTERM or SIGINT, and end as every RQ worker does."""
        self.stopping.set()
        stop: Callable[[int, FrameType | None], None] = super().request_stop
        stop(signum, frame)

    def run_maintenance_tasks(self) -> None:
        """Do also what RQ's scheduler does: enqueue the jobs whose time has come.

        It is done in this process: one of its own would be left behind when this one is killed.
        """
        maintain: Callable[[], None] = super().run_maintenance_tasks
        maintain()
        scheduler = RQScheduler(
            [queue.name for queue in self.queues],
            connection=self.connection,
            serializer=JSONSerializer,
            logging_level="WARNING",
        )
        acquire: Callable[[], set[str]] = scheduler.acquire_locks
        enqueue: Callable[[], None] = scheduler.enqueue_scheduled_jobs
        release: Callable[[], None] = scheduler.release_locks
        if acquire():
            try:
                enqueue()
            finally:
                release()

    def get_heartbeat_ttl(self, job: Job) -> int:  # RQ's own answer is a minute more than the interval
        """How many seconds a job is trusted to be at work since it was last said to be."""
        del job
        return ABANDONED_SECONDS


def main() -> None:
    """Work until SIGTERM or SIGINT, through outages of the queue; a job under way is finished first.

    Games bring their catalogues with them. The configured ones are read only so that no process of a service starts
    where another one is refused.
    """
    log_to_standard_error()
    end_with_parents(ORPHAN_SECONDS)
    catalogues_at_start()
    queue_at_start()
    settings = settings_at_start()
    with closing(store_at_start(settings)) as store:
        say_that_it_starts("worker", settings, store)
    _read_what_jobs_need()
    while not PromptWorker.stopping.is_set():
        try:
            worker = PromptWorker(
                [VALIDATION, AUDIT],
                connection=queue_connection(),
                serializer=JSONSerializer,
                worker_ttl=WORKER_SECONDS,
                maintenance_interval=MAINTENANCE_SECONDS,
                job_monitoring_interval=HEARTBEAT_SECONDS,
            )
            worker.work(logging_level="WARNING")
        except StopRequested:
            return
        except redis.RedisError as error:
            _log.warning("waiting for the queue: %s", error)
        # It also ends by itself where the queue is away for long.
        PromptWorker.stopping.wait(_PAUSE_SECONDS)


def _read_what_jobs_need() -> None:
    """Read the jobs' code here: else each of their processes would, which takes longer than to validate a game."""
    import_module(JOBS)
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    main()
