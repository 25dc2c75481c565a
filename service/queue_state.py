"""What can be seen of the queue: how much waits in it, and whether workers serve it."""

import msgspec
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq.worker_registration import WORKERS_BY_QUEUE_KEY

from events.store_errors import StoreError
from service.queues import AUDIT, VALIDATION, queue_address

ANSWER_SECONDS = 1.0
"""How long the queue's server may take to answer; waiting for it must not make the service look dead."""


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
            depth = {name: int(client.llen(f"rq:queue:{name}")) for name in (VALIDATION, AUDIT)}
            names = client.smembers(WORKERS_BY_QUEUE_KEY % VALIDATION)
            workers = client.exists(*names) if names else 0
        except (redis.RedisError, StoreError, OSError):
            # When it is back it may be somewhere else.
            self._client = None
            return AWAY
        return QueueState(reachable=True, depth=depth, workers=int(workers))


def _client() -> redis.Redis:
    """A client that gives up soon: who asks whether the queue is there wants an answer more than a queue."""
    return redis.Redis.from_url(
        queue_address(),
        socket_timeout=ANSWER_SECONDS,
        socket_connect_timeout=ANSWER_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )
