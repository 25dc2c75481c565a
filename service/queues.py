"""The queues of jobs (RQ). `QUEUE_REDIS_URL` says where it is; by default on the log's own server."""

import os

import redis
from rq import Queue
from rq.serializers import JSONSerializer

from service.store_settings import StoreSettings

VALIDATION = "fieldbook-validation"
"""Name of the queue of validations."""
AUDIT = "fieldbook-audit"
"""Name of the queue of audits; a worker takes from it when nothing is to be validated."""


def queue_connection() -> redis.Redis:
    """A client for the queue's server."""
    return redis.Redis.from_url(queue_address(), socket_connect_timeout=2, health_check_interval=15)


def queue_address() -> str:
    """Where the queue is.

    Raises:
        StoreUnavailable: it is on the embedded store, which has not been started yet.
    """
    return os.environ.get("QUEUE_REDIS_URL") or StoreSettings.from_environment().address()


def validation_queue(connection: redis.Redis) -> Queue:
    """The queue of validations."""
    return Queue(VALIDATION, connection=connection, serializer=JSONSerializer)


def audit_queue(connection: redis.Redis) -> Queue:
    """The queue of audits."""
    return Queue(AUDIT, connection=connection, serializer=JSONSerializer)
