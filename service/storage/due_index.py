"""What is due at which moment, kept in the store: sorted sets of names by milliseconds since the epoch."""

from collections.abc import Sequence

from events.store.event_store import EventStore
from events.store.redis.redis_store import require_redis


class DueIndex:
    """Reads such sets, as one for each partition; whoever decides what is due writes them with it.

    Every method may raise StoreUnavailable, and costs one round trip. What is due in a part of the store that is away
    is due later.
    """

    def __init__(self, store: EventStore, keys: Sequence[str]) -> None:
        """Read the sets under these keys."""
        self._connection = require_redis(store).connection
        self._keys = keys

    def due(self, at: int, most: int = -1) -> dict[str, int]:
        """What is due by this moment, and since when; set by set, in each the longest due first.

        Of each set so many at most; without a number all of them.
        """
        found = self._connection.answered_commands(
            [("ZRANGEBYSCORE", key, "-inf", at, "WITHSCORES", "LIMIT", 0, most) for key in self._keys]
        )
        return {
            name.decode(): int(moment)
            for each in found
            if each is not None
            for name, moment in zip(each[::2], each[1::2], strict=True)
        }

    def next_due(self, after: int) -> int | None:
        """When the first thing after this moment is due; None where nothing is."""
        found = self._connection.answered_commands(
            [("ZRANGEBYSCORE", key, f"({after}", "+inf", "WITHSCORES", "LIMIT", 0, 1) for key in self._keys]
        )
        return min((int(names[1]) for names in found if names), default=None)
