"""Whether commands can be appended as durably as declared, and what else works: what /readyz says.

Not ready means that a command would fail or be kept less safely than promised: the store is away or still loading,
takes no writes or no functions, holds another installation, or its settings became weaker than the declared level.
What only delays things makes the service degraded, not unready: the queue is away, a process is gone. So does memory
or disk that runs out: nothing fails yet, and the document says the reason.

The settings are looked at again every few seconds, not only at the start: `CONFIG SET appendfsync no` takes effect
without a restart, and silently.
"""

import logging
from typing import Any, Final

from events.store.errors import StoreError, StoreUnavailable
from service.operations.room import find_room
from service.platform.cached_calls import CachedCall, TimeBounded
from service.platform.release import release
from service.projections.progress import projection_progress
from service.storage.durability import read_durability
from service.storage.heartbeats import living
from service.storage.levels import Durability
from service.storage.queues import QueueWatch
from service.storage.server import find_unfitness, find_waiting_partitions
from service.storage.store import Store

LOOK_SECONDS: Final = 3.0
"""How old an answer about the server's settings, its functions and the other processes may be."""
_log = logging.getLogger("fieldbook.readiness")
PROBE_SECONDS: Final = 1.0
"""How old an answer about which partitions take appends may be."""
ANSWER_SECONDS: Final = 2.0
"""How long whoever probes waits: less than their own patience, so that they are told why."""


class Readiness:
    """The state of an installation, as this process finds it."""

    def __init__(
        self,
        store: Store,
        durability: str,
        *,
        trust: bool = False,
        queue: QueueWatch | None = None,
        look_seconds: float = LOOK_SECONDS,
    ) -> None:
        """Look at this store, which is declared to be this durable; with `trust` hidden settings are believed."""
        self._store = store
        self.durability = Durability(durability).value
        self._trust = trust
        self._was_ready = True
        self._queue = queue or QueueWatch()
        self._unsuitable = CachedCall(self._look_at_server, look_seconds)
        self._waiting = CachedCall(lambda: find_waiting_partitions(store), min(look_seconds, PROBE_SECONDS))
        self._around = CachedCall(self._look_around, look_seconds)
        self._within = TimeBounded(self._look, ANSWER_SECONDS)

    def look(self) -> tuple[str | None, dict[str, Any]]:
        """Why no command can be taken, or None and the document of what works; a change is said in the log."""
        try:
            reason, document = self._within()
        except TimeoutError:
            reason, document = f"The log's store does not answer within {ANSWER_SECONDS:.0f} seconds.", {}
        if (reason is None) != self._was_ready:
            self._was_ready = reason is None
            if reason is None:
                _log.warning("ready again: durability %s holds", self.durability)
            else:
                _log.error("not ready: %s", reason)
        return reason, document

    def _look(self) -> tuple[str | None, dict[str, Any]]:
        reason = self._reason()
        if reason is not None:
            return reason, {}
        try:
            return None, self._document()
        except StoreError as error:
            return f"The log's store does not answer: {error}", {}

    def _reason(self) -> str | None:
        try:
            if len(self._waiting()) == self._store.partitions:
                return "No partition of the log's store takes anything."
            if len(self._store.quarantine.reasons()) == self._store.partitions:
                return "Every partition is quarantined: nothing can be appended. See `fieldbook partitions`."
            return self._unsuitable() or None
        except StoreUnavailable as error:
            return f"The log's store does not answer: {error}"
        except StoreError as error:
            return f"The log's store cannot be used: {error}"

    def _document(self) -> dict[str, Any]:
        """What works, how durable it is and on which settings that rests, and how far things are behind."""
        around = dict(self._around())
        quarantined, waiting = self._store.quarantine.reasons(), self._waiting()
        progress = projection_progress(self._store)
        shortages = around.pop("shortages")
        degraded = [*around.pop("degraded"), *shortages, *(["partitions"] if quarantined or waiting else [])]
        return {
            "status": "degraded" if quarantined or waiting or shortages else "ready",
            "degraded": degraded,
            "reasons": list(shortages.values()),
            "release": release(),
            "durability": self.durability,
            **around,
            "partitions": self._store.partitions,
            "quarantined": [{"partition": each, "reason": reason} for each, reason in quarantined.items()],
            "waiting_partitions": waiting,
            "projection_lag": sum(each.lag for each in progress),
            "projection_stopped": [each.partition for each in progress if each.is_ahead],
            "quarantined_games": sum(each.quarantined for each in progress),
        }

    def _look_at_server(self) -> str:
        """What makes the server unfit for commands; empty where nothing does."""
        return find_unfitness(self._store, Durability(self.durability), trust=self._trust)

    def _look_around(self) -> dict[str, Any]:
        queue = self._queue.look()
        processes = {**living(self._store), "worker": queue.workers > 0}
        held, settings = read_durability(self._store)
        room = find_room(self._store)
        return {
            "durability_held": held,
            "settings": settings,
            "processes": {name: "alive" if alive else "gone" for name, alive in processes.items()},
            "queue": {"reachable": queue.reachable, "waiting": sum(queue.depth.values())},
            "memory": {"used": room.memory.used, "limit": room.memory.limit or None},
            "disk": None if room.disk is None else {**room.disk._asdict(), "reserve": room.reserve or None},
            "shortages": room.shortages(),
            "degraded": [name for name, alive in processes.items() if not alive]
            + ([] if queue.reachable else ["queue"]),
        }
