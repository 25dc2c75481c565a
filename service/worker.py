"""`python -m service.worker`: the RQ worker that validates finished games, and audits them when asked to."""

from contextlib import closing

from rq import Worker
from rq.serializers import JSONSerializer

from service.catalogues import catalogues_at_start
from service.process_logging import log_to_standard_error
from service.queues import AUDIT, VALIDATION, queue_connection
from service.start_report import say_that_it_starts
from service.store_opening import open_store
from service.store_settings import StoreSettings


def main() -> None:
    """Work until SIGTERM or SIGINT; a job under way is finished first.

    Games bring their catalogues with them. The configured ones are read only so that no process of a service starts
    where another one is refused.
    """
    log_to_standard_error()
    catalogues_at_start()
    settings = StoreSettings.from_environment()
    with closing(open_store(settings)) as store:
        say_that_it_starts("worker", settings, store)
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
