"""`python -m service.worker`: the RQ worker that validates finished games, and audits them when asked to."""

from rq import Worker
from rq.serializers import JSONSerializer

from service.catalogues import catalogues_at_start
from service.process_logging import log_to_standard_error
from service.queues import AUDIT, VALIDATION, queue_at_start, queue_connection
from service.store_opening import open_store


def main() -> None:
    """Work until SIGTERM or SIGINT; a job under way is finished first.

    Games bring their catalogues with them. The configured ones are read only so that no process of a service starts
    where another one is refused.
    """
    log_to_standard_error()
    catalogues_at_start()
    queue_at_start()
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
