"""The queues of jobs (RQ). `QUEUE_REDIS_URL` says where they are; by default on the log's own server.

RQ's keys lie in many slots, so no cluster can hold them: with the log on one, the queue needs a server of its own.
"""

import os
from datetime import UTC, datetime
from typing import Final

import redis
from rq import Queue
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from events.redis_opening import connected, is_in_cluster
from events.store_errors import StoreMisconfigured, StoreRefused, StoreUnavailable
from service.store_settings import StoreSettings

VALIDATION = "fieldbook-validation"
"""Name of the queue of validations."""
AUDIT = "fieldbook-audit"
"""Name of the queue of audits; a worker takes from it when nothing is to be validated."""
TAKEN_SECONDS: Final = 10.0
"""A worker says that it is at a job much sooner after it took it from the queue."""


def queue_connection() -> redis.Redis:
    """A client for the queue's server.

    Raises:
        StoreMisconfigured: it is a cluster.
    """
    url = queue_address()
    _check_no_cluster(url)
    return redis.Redis.from_url(url, socket_connect_timeout=2, health_check_interval=15)


def queue_address() -> str:
    """Where the queue is.

    Raises:
        StoreUnavailable: it is on the embedded store, which has not been started yet.
    """
    return os.environ.get("QUEUE_REDIS_URL") or StoreSettings.from_environment().address()


def check_queue() -> None:
    """Look where the queue is configured to be.

    Raises:
        StoreMisconfigured: it is on a cluster.
    """
    url = os.environ.get("QUEUE_REDIS_URL") or os.environ.get("REDIS_URL")
    if url:
        _check_no_cluster(url)


def _check_no_cluster(url: str) -> None:
    try:
        connection = connected(url)
        in_cluster = any(is_in_cluster(server) for server in connection.servers())
        connection.close()
    except (StoreUnavailable, StoreRefused):
        # Whoever needs the queue waits for it, or says what is wrong there. An embedded store is no cluster.
        return
    if in_cluster:
        raise StoreMisconfigured(
            "The job queue would be on a cluster, where it cannot live: set QUEUE_REDIS_URL to a server of its own."
        )


def validation_queue(connection: redis.Redis) -> Queue:
    """The queue of validations."""
    return Queue(VALIDATION, connection=connection, serializer=JSONSerializer)


def audit_queue(connection: redis.Redis) -> Queue:
    """The queue of audits."""
    return Queue(AUDIT, connection=connection, serializer=JSONSerializer)


def is_adrift(queue: Queue, job: Job) -> bool:
    """Whether a job is said to wait and is not in the queue: who took it, or the server, died in that moment.

    It would stand in the way of another one for ever.
    """
    if job.get_status(refresh=False) is not JobStatus.QUEUED or job.enqueued_at is None:
        return False
    waiting = datetime.now(UTC) - job.enqueued_at
    return waiting.total_seconds() > TAKEN_SECONDS and queue.get_job_position(job.id) is None
