"""What can be seen of the queue: how much waits in it, and whether workers serve it."""

from collections.abc import Callable

import msgspec
import redis
from rq.worker_registration import WORKERS_BY_QUEUE_KEY

from events.store_errors import StoreError
from service.queues import AUDIT, VALIDATION, queue_connection

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

    def __init__(self, connect: Callable[[], redis.Redis] = queue_connection) -> None:
        """Look through a client made by `connect`, when first asked."""
        self._connect = connect
        self._client: redis.Redis | None = None

    def look(self) -> QueueState:
        """The queue as it is now."""
        try:
            client = self._client = self._client or self._connected()
            depth = {name: int(client.llen(f"rq:queue:{name}")) for name in (VALIDATION, AUDIT)}
            names = client.smembers(WORKERS_BY_QUEUE_KEY % VALIDATION)
            workers = client.exists(*names) if names else 0
        except (redis.RedisError, StoreError, OSError):
            return AWAY
        return QueueState(reachable=True, depth=depth, workers=int(workers))

    def _connected(self) -> redis.Redis:
        client = self._connect()
        client.connection_pool.connection_kwargs.update(
            socket_timeout=ANSWER_SECONDS, socket_connect_timeout=ANSWER_SECONDS
        )
        return client
