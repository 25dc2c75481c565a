"""The commands that may be sent again after a lost reply.

A command whose reply was lost may have been executed. It is sent again only if executing it twice leaves the same
state as executing it once, and the second reply means the same as the first. Commands that are not listed here are
never sent again: neither are scripts and functions, unless the caller says so (`repeat=True`), because only the
caller knows what they do.
"""

from collections.abc import Sequence
from typing import Final

from events.store.redis.client.pool import Argument

READS: Final = frozenset(
    {
        *("CLUSTER", "CONFIG", "DBSIZE", "INFO", "KEYS", "MEMORY", "OBJECT", "PING", "PTTL", "TIME", "TTL", "TYPE"),
        *("EXISTS", "GET", "MGET", "STRLEN", "SCAN", "WAIT", "ASKING"),
        *("HEXISTS", "HGET", "HGETALL", "HKEYS", "HLEN", "HMGET", "HSCAN", "HSTRLEN", "HVALS"),
        *("LINDEX", "LLEN", "LRANGE"),
        *("SCARD", "SISMEMBER", "SMEMBERS", "SMISMEMBER", "SSCAN"),
        *("XINFO", "XLEN", "XRANGE", "XREAD", "XREVRANGE"),
        *("ZCARD", "ZCOUNT", "ZINTERCARD", "ZMSCORE", "ZRANGE", "ZRANGEBYSCORE", "ZREVRANGE", "ZREVRANGEBYSCORE"),
        *("ZSCAN", "ZSCORE"),
    }
)  # fmt: skip
"""Commands that change nothing."""
WRITES: Final = frozenset(
    {
        *("DEL", "UNLINK", "EXPIRE", "HSET", "HDEL", "SADD", "SREM", "ZADD", "ZREM"),
        *("ZREMRANGEBYRANK", "FUNCTION"),
    }
)  # fmt: skip
"""Commands that set or remove what they name. Only their counts differ the second time, and no caller uses those."""
_OPTIONS_OF_SET: Final = 3
"""Where the options of SET begin."""


def is_repeatable(command: Sequence[Argument]) -> bool:
    """Return whether a command may be sent again after a lost reply.

    `SET` with `NX` may be only together with `GET`: the reply then shows whose value is there, so a caller that sets
    a value of its own recognises it.

    >>> is_repeatable(("HGETALL", "key")), is_repeatable(("GETDEL", "key")), is_repeatable(("XADD", "key", "*"))
    (True, False, False)
    >>> is_repeatable(("SET", "key", "mine", "NX")), is_repeatable(("SET", "key", "mine", "NX", "GET"))
    (False, True)
    """
    name = str(command[0]).upper()
    if name == "SET":
        options = command[_OPTIONS_OF_SET:]
        return "GET" in options if "NX" in options else True
    return name in READS or name in WRITES
