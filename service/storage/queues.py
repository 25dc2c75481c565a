"""The queues of jobs (RQ), and how they are. `QUEUE_REDIS_URL` says where; by default on the log's own server.

RQ's keys lie in many slots, so no cluster can hold them: with the log on one, the queue needs a server of its own.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq import Queue
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer
from rq.utils import as_text, utcparse
from rq.worker_registration import WORKERS_BY_QUEUE_KEY

from events.store.errors import StoreError, StoreMisconfigured, StoreRefused, StoreUnavailable
from events.store.redis.client.opening import connect, is_in_cluster
from service.platform.configuration import QUEUE_REDIS_URL, REDIS_URL
from service.storage.settings import StoreSettings

QueueError = redis.RedisError
"""What is raised where the queue's server does not answer, or refuses."""
VALIDATION = "fieldbook-validation"
"""Name of the queue of validations."""
BESIDE = "fieldbook-beside"
"""Name of the queue of what is done beside games: their cases, evidence packs and archiving."""
AUDIT = "fieldbook-audit"
"""Name of the queue of audits, and of passes over many games (`service.across`)."""
IN_ORDER: Final = (VALIDATION, BESIDE, AUDIT)
"""All queues in the order in which a worker takes from them: whatever else waits, the next verdict comes first."""
ANSWER_SECONDS: Final = 1.0
"""How long the queue's server may take to tell how it is; waiting for it must not make the service look dead."""
HEARTBEAT_SECONDS: Final = 5
"""The interval of a worker's heartbeats, between jobs and during them."""
ALIVE_SECONDS: Final = 3 * HEARTBEAT_SECONDS
"""A worker whose last heartbeat is older than this counts as gone."""
TAKEN_SECONDS: Final = 10.0
"""A worker says that it is at a job much sooner after it took it from the queue."""
REMEMBERED_SECONDS: Final = 7200.0
"""How long it is remembered that a job was missing: longer than between two looks at any."""
_OVER: Final = frozenset({JobStatus.FINISHED, JobStatus.FAILED, JobStatus.STOPPED, JobStatus.CANCELED})


def queue_connection() -> redis.Redis:
    """A client for the queue's server.

    Raises:
        StoreMisconfigured: it is a cluster.
    """
    url = queue_address()
    _check_no_cluster(url)
    client = redis.Redis.from_url(url, socket_connect_timeout=2, health_check_interval=15)
    # A worker reads the first field. The library's own reader raises where the path of a socket has a blank.
    client.set_response_callback("CLIENT INFO", _client_fields)
    return client


def _client_fields(answer: bytes) -> dict[str, str]:
    fields = (each.partition("=") for each in answer.decode(errors="replace").split())
    return {name: value for name, _, value in fields}


def queue_address() -> str:
    """Where the queue is.

    Raises:
        StoreUnavailable: it is on the embedded store, which has not been started yet.
    """
    return QUEUE_REDIS_URL.value() or StoreSettings.from_environment().address()


def check_queue() -> None:
    """Look where the queue is configured to be.

    Raises:
        StoreMisconfigured: it is on a cluster.
    """
    url = QUEUE_REDIS_URL.value() or REDIS_URL.value()
    if url:
        _check_no_cluster(url)


def _check_no_cluster(url: str) -> None:
    try:
        connection = connect(url)
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


def beside_queue(connection: redis.Redis) -> Queue:
    """The queue of what is done beside games."""
    return Queue(BESIDE, connection=connection, serializer=JSONSerializer)


def audit_queue(connection: redis.Redis) -> Queue:
    """The queue of audits."""
    return Queue(AUDIT, connection=connection, serializer=JSONSerializer)


def count_workers(connection: redis.Redis) -> int:
    """Return the number of workers with a recent heartbeat; RQ's own count keeps a killed one for longer.

    Every worker takes from all queues.
    """
    pipeline = connection.pipeline(transaction=False)
    for name in connection.smembers(WORKERS_BY_QUEUE_KEY % VALIDATION):
        pipeline.hget(name, "last_heartbeat")
    oldest = datetime.now(UTC) - timedelta(seconds=ALIVE_SECONDS)
    return sum(beat is not None and utcparse(as_text(beat)) >= oldest for beat in pipeline.execute())


def is_over(job: Job) -> bool:
    """Whether a job is over, well or badly, as it was when it was fetched: RQ's own properties each ask again."""
    return job.get_status(refresh=False) in _OVER


class LostJobs:
    """Finds jobs that are said to wait and are in no queue: who took them, or the server, died in that moment.

    They would stand in the way of others for ever. One that a worker has just taken looks the same for a moment,
    however long it had waited: so a job is lost when it has been missing for a while.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Know of none."""
        self._clock = clock
        self._missing: dict[tuple[str, datetime | None], float] = {}
        """Since when jobs are missing, by their ids and when they were enqueued: an id is used again."""

    def is_lost(self, queue: Queue, job: Job) -> bool:
        """Whether this job is missing, and was at an earlier look long enough ago."""
        name = (job.id, job.enqueued_at)
        waits = job.get_status(refresh=False) is JobStatus.QUEUED
        if not waits or queue.get_job_position(job.id) is not None:
            self._missing.pop(name, None)
            return False
        now = self._clock()
        if name not in self._missing:
            # Most are not asked about again: a worker was at them.
            self._missing = {each: at for each, at in self._missing.items() if now < at + REMEMBERED_SECONDS}
        if now - self._missing.setdefault(name, now) < TAKEN_SECONDS:
            return False
        del self._missing[name]
        return True


class QueueState(msgspec.Struct, frozen=True):
    """The queue at one moment."""

    reachable: bool
    depth: dict[str, int]
    """Waiting jobs by queue; empty when it is out of reach."""
    workers: int
    """Workers that gave a sign of life lately."""


AWAY = QueueState(reachable=False, depth={}, workers=0)


class QueueWatch:
    """Looks at the queue."""

    def __init__(self) -> None:
        """Connect when first asked."""
        self._client: redis.Redis | None = None

    def look(self) -> QueueState:
        """The queue as it is now."""
        try:
            client = self._client = self._client or _client()
            depth = {name: int(client.llen(f"rq:queue:{name}")) for name in IN_ORDER}
            workers = count_workers(client)
        except (redis.RedisError, StoreError, OSError):
            # When it is back it may be somewhere else.
            self._client = None
            return AWAY
        return QueueState(reachable=True, depth=depth, workers=workers)


def _client() -> redis.Redis:
    """A client that gives up soon: who asks whether the queue is there wants an answer more than a queue."""
    return redis.Redis.from_url(
        queue_address(),
        socket_timeout=ANSWER_SECONDS,
        socket_connect_timeout=ANSWER_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )
