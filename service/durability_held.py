"""Which level of durability holds, and the settings it rests on: for `/readyz`, `/metrics` and the log at start."""

from collections.abc import Mapping
from typing import Final

from events.redis_connection import RedisConnection
from service.durability import level_held, server_settings

UNKNOWN: Final = "unknown"
"""The level that holds where the server does not show its settings."""


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
