"""A store for an event loop: many questions under way on one connection, and no thread for those who wait."""

from concurrent.futures import Executor

from events.store.event_store import EventStore
from events.store.redis.pipelined_store import PipelinedStore
from events.store.redis.redis_store import require_redis

__all__ = ["PipelinedStore", "open_pipelined_store"]


def open_pipelined_store(store: EventStore, threads: Executor) -> PipelinedStore:
    """A store for the coroutines of one event loop; it asks in these threads where one connection does not do.

    It does not for a cluster, whose keys lie on several servers, nor where an append waits for a replica: behind
    that everything on its connection would wait too.
    """
    found = require_redis(store)
    return PipelinedStore(found, None if found.awaits_replica else found.connection.pipeline(), threads)
