"""Going through what is in the store some at a time, so that no question holds the server up."""

from collections.abc import Iterator
from typing import Final

from events.store.redis.client.connection import RedisConnection

_CHUNK: Final = 1000


def scan(
    server: RedisConnection, command: str, key: str | None = None, match: str = "*"
) -> Iterator[list[bytes]]:
    """What SCAN finds, or HSCAN, SSCAN or ZSCAN of a key, in pieces; what is there all the time is in one or two."""
    asked = (command,) if key is None else (command, key)
    cursor = b"0"
    while True:
        cursor, found = server.command(*asked, cursor, "MATCH", match, "COUNT", _CHUNK)
        if found:
            yield found
        if cursor == b"0":
            return
