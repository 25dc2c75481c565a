"""Reading on in a feed, and noticing when it is no longer the one that was read before."""

from events.redis_store import RedisEventStore
from events.store import FeedEntry
from events.store_errors import StoreDamaged


def feed_batch(store: RedisEventStore, partition: int, position: int, limit: int) -> tuple[FeedEntry, ...]:
    """The next entries of a partition's feed, at most `limit`, without a gap; empty where it ends.

    Raises:
        StoreDamaged: the feed lacks a position, or ends before this one: the store has lost what was projected.
        StoreUnavailable
    """
    try:
        entries = store.read_feed(partition, position, limit)
    except ValueError as error:
        raise StoreDamaged(f"The feed of partition {partition} cannot be read: {error}") from error
    if not entries:
        end = store.feed_end(partition)
        if end < position:
            raise StoreDamaged(
                f"The feed of partition {partition} ends at {end}; {position} was read before."
            )
        return ()
    for expected, entry in enumerate(entries, start=position + 1):
        if entry.position != expected:
            raise StoreDamaged(f"The feed of partition {partition} has no position {expected}.")
    return entries
