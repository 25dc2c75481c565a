"""Marks: keys that expire and that one caller at a time can take."""

from events.store.redis.client.connection import RedisConnection


def take_mark(connection: RedisConnection, key: str, holder: str, seconds: int) -> bool:
    """Take a mark for so many seconds; False if another holder has it.

    `holder` is a random name of this call alone. The reply shows who holds the mark, so taking it again after a lost
    reply succeeds again.
    """
    found = connection.command("SET", key, holder, "NX", "GET", "EX", seconds)
    return found is None or bool(found == holder.encode())
