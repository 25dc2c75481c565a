"""How far the projections are behind the log."""

from events.redis_store import RedisEventStore
from service.checkpoints import Checkpoints
from service.read_models import GAMES

BOTS = "bots-1"
"""Name and version of the checkpoints of the process that plays the bots."""


def projection_lag(store: RedisEventStore) -> int:
    """Feed entries, over all partitions, that the list of games has not been told yet.

    Raises:
        StoreUnavailable
    """
    checkpoints = Checkpoints(store)
    return sum(
        max(0, store.feed_end(partition) - checkpoints.checkpoint(partition, GAMES))
        for partition in range(store.partitions)
    )
