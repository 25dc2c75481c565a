"""Reading on in a feed, and noticing when it is no longer the one that was read before."""

from collections.abc import Sequence

from events.store.errors import StoreDamaged
from events.store.event_store import EventStore, FeedEntry


def read_batch(store: EventStore, partition: int, position: int, limit: int) -> tuple[FeedEntry, ...]:
    """The next entries of a partition's feed, at most `limit`; empty where it ends.

    Raises:
        StoreDamaged: the feed cannot be read, or ends before this position: the store has lost what was read.
        StoreUnavailable
    """
    end = store.feed_end(partition)
    if end == position:
        return ()
    if end < position:
        raise StoreDamaged(f"The feed of partition {partition} ends at {end}; {position} was read before.")
    try:
        return store.read_feed(partition, position, limit)
    except ValueError as error:
        raise StoreDamaged(f"The feed of partition {partition} cannot be read: {error}") from error


def check_gapless(partition: int, position: int, entries: Sequence[FeedEntry]) -> None:
    """Refuse entries that don't follow each other, or the position behind which they were read.

    Raises:
        StoreDamaged: the feed lacks a position.
    """
    for expected, entry in enumerate(entries, start=position + 1):
        if entry.position != expected:
            raise StoreDamaged(f"The feed of partition {partition} has no position {expected}.")
