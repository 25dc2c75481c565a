"""When a process that was started again does its work again, as anybody can see who asks the store or the service."""

import time
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from typing import Final
from urllib.error import URLError
from urllib.request import urlopen

import redis
from rq.worker_registration import WORKERS_BY_QUEUE_KEY

from events.store.errors import StoreError
from events.store.redis.redis_store import RedisEventStore
from service.storage.heartbeats import PROCESSES
from service.storage.queues import VALIDATION
from service.storage.settings import StoreSettings
from tests.benchmarks.endurance.installation import STORE, Installation
from tests.benchmarks.own_service import HOST

READY_SECONDS: Final = 120.0
"""After so long without a sign of work a process counts as not started."""
LOOK_SECONDS: Final = 0.05
WORKER: Final = "worker"


class Readiness:
    """Sees when processes work; `store` is a connection of its own."""

    def __init__(self, installation: Installation, store: RedisEventStore) -> None:
        """Look at this installation."""
        self._installation = installation
        self._store = store
        self._queue = redis.Redis.from_url(
            StoreSettings.from_environment(installation.environment).address(), socket_timeout=2
        )

    def close(self) -> None:
        """Look no more."""
        self._queue.close()

    def workers(self) -> frozenset[str]:
        """The workers of the queue that have registered, also such as were killed."""
        with suppress(redis.RedisError):
            return frozenset(str(name) for name in self._queue.smembers(WORKERS_BY_QUEUE_KEY % VALIDATION))
        return frozenset()

    def await_ready(
        self, name: str, since: float, workers: frozenset[str], meanwhile: Callable[[], None]
    ) -> float | None:
        """The seconds from `since` (time.time) until a process works that was started after that; None for too long.

        `workers` are those from before; `meanwhile` is called all the time.
        """
        is_ready = self._sign(name, since, workers)
        while time.time() < since + READY_SECONDS:
            if is_ready():
                return time.time() - since
            self._installation.mend()
            meanwhile()
            time.sleep(LOOK_SECONDS)
        return None

    def _sign(self, name: str, since: float, workers: frozenset[str]) -> Callable[[], bool]:
        if name == WORKER:
            return lambda: bool(self.workers() - workers)
        if name in PROCESSES:
            return lambda: self._began(name) >= 1000 * since
        return self.answers if name == STORE else self._is_served

    def answers(self) -> bool:
        """Whether the store answers, and has loaded what it keeps."""
        with suppress(StoreError):
            self._store.ping()
            return True
        return False

    def _began(self, name: str) -> int:
        """When the process that last gave a sign of life began, in milliseconds since the epoch."""
        with suppress(StoreError):
            return int(self._store.connection.command("GET", f"{{processes}}:{name}") or 0)
        return 0

    def _is_served(self) -> bool:
        return is_served(self._installation.port)


def is_served(port: int) -> bool:
    """Whether the service at this port says that it can do its work."""
    with suppress(URLError, OSError, HTTPException), urlopen(f"http://{HOST}:{port}/readyz", timeout=2):
        return True
    return False
