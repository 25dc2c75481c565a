"""The store as the service hands it around: the log of all games, archived ones too, and nothing of how it is kept.

Whoever keeps something of its own beside the log does so in its capability's `store` module, which alone asks
`events.store.redis.redis_store.require_redis` for the connection. An import contract holds that.
"""

from typing import Protocol

from events.store.event_store import EventStore
from events.store.redis.archiving import RedisArchiving


class Store(EventStore, Protocol):
    """The opened store of an installation; see `service.startup.store_opening.open_store`."""

    archiving: RedisArchiving
    """The games that lie in the archive."""

    def close(self) -> None:
        """Close all connections; a later question opens new ones."""
        ...
