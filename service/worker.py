"""`python -m service.worker`: the RQ worker that validates finished games, and audits them when asked to."""

import logging
import multiprocessing
import time
from types import FrameType

import redis
from rq import Worker
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer

from service.catalogues import catalogues_at_start
from service.parent_watch import end_with_parents
from service.process_logging import log_to_standard_error
from service.queues import AUDIT, VALIDATION, queue_connection
from service.store_opening import open_store

ORPHAN_SECONDS = 5
"""How long a job under way may go on when what this process belongs to is gone."""


PAUSE_SECONDS = 1.0
"""Between the end of a worker that nobody asked to stop and the next one."""
_log = logging.getLogger("fieldbook.worker")


def main() -> None:
    """Work until SIGTERM or SIGINT, through outages of the queue's server; a job under way is finished first.

    Games bring their catalogues with them. The configured ones are read only so that no process of a service starts
    where another one is refused.
    """
    log_to_standard_error()
    end_with_parents(ORPHAN_SECONDS)
    catalogues_at_start()
    open_store().close()
    while not _work():
        time.sleep(PAUSE_SECONDS)


class _Worker(Worker):
    """RQ's worker, which also says whether it ended because it was asked to."""

    asked_to_stop = False

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Finish the job under way and stop."""
        self.asked_to_stop = True
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call] # RQ gives it no types


def _work() -> bool:
    """Work until told to stop, which is True, or until the queue's server went away when RQ could not bear it."""
    worker: _Worker | None = None
    try:
        worker = _Worker(
            [VALIDATION, AUDIT],
            connection=queue_connection(),
            serializer=JSONSerializer,
            worker_ttl=30,
            maintenance_interval=10,
            job_monitoring_interval=5,
        )
        worker.work(logging_level="WARNING", with_scheduler=True)
    except StopRequested:
        return True
    except redis.RedisError as error:
        _log.warning("waiting for the queue's server: %s", error)
    finally:
        # A worker that could not take its leave leaves its scheduler behind.
        for scheduler in multiprocessing.active_children():
            scheduler.terminate()
            scheduler.join(PAUSE_SECONDS)
    return worker is not None and worker.asked_to_stop


if __name__ == "__main__":
    main()
