"""`python -m service.worker`: the RQ worker that validates finished games, and audits them when asked to."""

from rq import Worker
from rq.serializers import JSONSerializer

from service.catalogues import catalogues_at_start
from service.parent_watch import end_with_parents
from service.process_logging import log_to_standard_error
from service.queues import AUDIT, VALIDATION, queue_connection
from service.store_opening import open_store

ORPHAN_SECONDS = 5
"""How long a job under way may go on when what this process belongs to is gone."""


def main() -> None:
    """Work until SIGTERM or SIGINT; a job under way is finished first.

    Games bring their catalogues with them. The configured ones are read only so that no process of a service starts
    where another one is refused.
    """
    log_to_standard_error()
    end_with_parents(ORPHAN_SECONDS)
    catalogues_at_start()
    open_store().close()
    worker = Worker(
        [VALIDATION, AUDIT],
        connection=queue_connection(),
        serializer=JSONSerializer,
        worker_ttl=30,
        maintenance_interval=10,
        job_monitoring_interval=5,
    )
    worker.work(logging_level="WARNING", with_scheduler=True)


if __name__ == "__main__":
    main()
