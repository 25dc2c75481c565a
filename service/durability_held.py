"""How the store is: the level of durability that holds, the settings it rests on, and quarantined partitions.

One function for everybody who says it: `/readyz`, `/metrics` and the log at start.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from events.redis_connection import RedisConnection
from events.redis_store import RedisEventStore
from service.durability import Durability, level_held, server_settings

UNKNOWN: Final = "unknown"
"""The level that holds where the server does not show its settings."""


class StoreState(msgspec.Struct, frozen=True):
    """What an operator wants to know of the store."""

    declared: str
    """The level that is configured."""
    held: str
    """The highest level that the server's settings allow now; `unknown` where it does not show them."""
    settings: Mapping[str, str]
    """The server's settings on which that rests."""
    quarantined: Mapping[int, str]
    """Quarantined partitions with their reasons."""
    partitions: int

    @property
    def status(self) -> str:
        """`ready`, `degraded` where a partition is quarantined or the level does not hold, or `unavailable`."""
        if len(self.quarantined) == self.partitions:
            return "unavailable"
        weaker = self.held != UNKNOWN and list(Durability).index(Durability(self.held)) < list(
            Durability
        ).index(Durability(self.declared))
        return "degraded" if self.quarantined or weaker else "ready"


def store_state(store: RedisEventStore, declared: str) -> StoreState:
    """How a store is right now.

    Raises:
        StoreUnavailable
    """
    held, settings = held_by(store.connection)
    return StoreState(declared, held, settings, store.quarantine.reasons(), store.partitions)


def held_by(connection: RedisConnection) -> tuple[str, Mapping[str, str]]:
    """The highest level that a server's settings allow, and these settings.

    Raises:
        StoreUnavailable
    """
    settings = server_settings(connection)
    return (UNKNOWN, {}) if settings is None else (level_held(settings).value, settings)


def held_sentence(connection: RedisConnection, declared: str) -> str:
    """What the log says at start.

    Raises:
        StoreUnavailable
    """
    held, settings = held_by(connection)
    if held == UNKNOWN:
        return f"durability {declared} is believed: the store does not show its settings"
    named = ", ".join(f"{name} {value}" for name, value in settings.items())
    return f"durability {declared} is declared, and {held} holds: {named}"
