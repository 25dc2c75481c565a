"""`python -m service.worker`: the RQ worker that validates finished games, and audits them when asked to.

Each job has a process of its own, forked from this one, so that none can take the worker with it.
"""

import gc
import logging
import signal
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from threading import Event
from types import FrameType
from typing import Any, Final

from rq import Worker
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer

from service.catalogues.catalogues import catalogues_at_start
from service.platform.watchdog import keep_alive
from service.server.service_process import start_process
from service.storage.queues import HEARTBEAT_SECONDS, IN_ORDER, QueueError, queue_connection

WORKER_SECONDS: Final = HEARTBEAT_SECONDS + 15
"""RQ's `worker_ttl`: an idle worker sends a heartbeat 15 s before it ends."""
MAINTENANCE_SECONDS: Final = 10
"""How often a worker looks for jobs that were abandoned."""
ABANDONED_SECONDS: Final = 20
"""After so long without such a word a job counts as abandoned. One that goes on all the same does no harm."""
ORPHAN_SECONDS: Final = 5
"""How long a job under way may go on when what this process belongs to is gone."""
JOBS: Final = "service.jobs.jobs"
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

    def get_heartbeat_ttl(self, *_: Any, **__: Any) -> int:
        """Return the seconds after which a job without a heartbeat is abandoned; RQ has no setting for them."""
        return ABANDONED_SECONDS

    def heartbeat(self, *arguments: Any, **named: Any) -> None:
        """Send a heartbeat to the queue and to systemd, between jobs and during them."""
        keep_alive()
        super().heartbeat(*arguments, **named)


def main() -> None:
    """Work until SIGTERM or SIGINT, through outages of the queue; a job under way is finished first.

    Games bring their catalogues with them. The configured ones are read only so that no process of a service starts
    where another one is refused.
    """
    # RQ listens for them only once it works.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: PromptWorker.stopping.set())
    _, store = start_process(
        "worker", stop_seconds=ORPHAN_SECONDS, needs_queue=True, check=catalogues_at_start
    )
    store.close()
    _read_what_jobs_need()
    # The signal may come at any place of this loop, also between two workers.
    with suppress(StopRequested):
        while not PromptWorker.stopping.is_set():
            _work()
            # A worker also ends by itself where the queue is away for long.
            keep_alive()
            PromptWorker.stopping.wait(_PAUSE_SECONDS)


def _work() -> None:
    """Be one worker, until it is asked to stop or the queue is away."""
    try:
        PromptWorker(
            list(IN_ORDER),
            connection=queue_connection(),
            serializer=JSONSerializer,
            worker_ttl=WORKER_SECONDS,
            maintenance_interval=MAINTENANCE_SECONDS,
            job_monitoring_interval=HEARTBEAT_SECONDS,
        ).work(logging_level="WARNING")
    except QueueError as error:
        _log.warning("waiting for the queue: %s", error)


def _read_what_jobs_need() -> None:
    """Read the jobs' code here: else each of their processes would, which takes longer than to validate a game."""
    import_module(JOBS)
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    main()
