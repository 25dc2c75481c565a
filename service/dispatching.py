"""Having finished games validated and audited: unique jobs, enqueued again until the report is there.

RQ is a hint, never the truth. The set of games due is written with the projection; a game leaves it only when
its report is stored. Losing the whole queue loses nothing.
"""

import logging

import redis
from rq import Retry
from rq.exceptions import DuplicateJobError

from events.redis_store import RedisEventStore
from service.checkpoints import Checkpoints
from service.queues import queue_connection, validation_queue
from service.read_models import GAMES
from service.validations import Validations

JOB = "service.jobs.validate_game"
JOB_SECONDS = 120
ARCHIVING = "service.jobs.archive_games"
ARCHIVING_SECONDS = 3600
"""How long one run of archiving may take; what is left is done by the next."""
FAILED_SECONDS = 60
"""How long a failed job stands in the way of another try: as long as it is kept its id is taken."""
_log = logging.getLogger("fieldbook.dispatcher")


class Dispatcher:
    """Enqueues validations."""

    def __init__(self, store: RedisEventStore) -> None:
        """Serve the games of this store."""
        self._store = store
        self._checkpoints = Checkpoints(store)
        self._validations = Validations(store)
        self._queue = validation_queue(queue_connection())

    def enqueue(self, game: str, version: int) -> None:
        """Enqueue the validation of a finished game, once; a queue that is away is the sweep's affair."""
        try:
            self._queue.enqueue(
                JOB,
                game,
                job_id=f"validate-{game}-{version}",
                unique=True,
                job_timeout=JOB_SECONDS,
                result_ttl=0,
                failure_ttl=FAILED_SECONDS,
                retry=Retry(max=3, interval=[1, 5, 30]),
            )
        except DuplicateJobError:
            return
        except redis.RedisError as error:
            _log.warning("the queue cannot be reached, the sweep will try again: %s", error)

    def enqueue_archiving(self) -> None:
        """Enqueue a run of archiving, unless one is waiting or at work."""
        try:
            self._queue.enqueue(
                ARCHIVING,
                job_id="archive-games",
                unique=True,
                job_timeout=ARCHIVING_SECONDS,
                result_ttl=0,
                failure_ttl=1,
            )
        except DuplicateJobError:
            return
        except redis.RedisError as error:
            _log.warning("the queue cannot be reached, archiving waits: %s", error)

    def sweep(self) -> int:
        """Enqueue every finished game of a healthy partition that has no report yet; returns how many there were.

        Raises:
            StoreUnavailable
        """
        due = 0
        quarantined = self._store.quarantine.reasons()
        for partition in range(self._store.partitions):
            if partition in quarantined:
                continue
            key = self._checkpoints.read_model_key(partition, GAMES, "finished")
            for member in self._store.connection.command("SMEMBERS", key):
                game, version = member.decode().split("/")
                if self._validations.verdict(game) == "pending":
                    self.enqueue(game, int(version))
                    due += 1
                else:
                    self._store.connection.command("SREM", key, member)
        return due
