"""Marks: keys that belong to one caller at a time, known by a random value."""

from typing import Final

from events.store.redis.client.connection import RedisConnection

_RELEASE: Final = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end return 1"


def take_mark(connection: RedisConnection, key: str, holder: str, seconds: int) -> bool:
    """Take a mark for so many seconds; False if another holder has it.

    `holder` is a random name of this call alone. The reply shows who holds the mark, so taking it again after a lost
    reply succeeds again.
    """
    found = connection.command("SET", key, holder, "NX", "GET", "EX", seconds)
    return found is None or bool(found == holder.encode())


def release_mark(connection: RedisConnection, key: str, holder: str) -> None:
    """Remove a mark, unless it is another holder's by now."""
    connection.command("EVAL", _RELEASE, 1, key, holder, repeat=True)
