"""What access keeps in the store: keys, tickets, tokens of games, the audit log, and the counts of rate limits.

{keys}:keys          hash: a key's id -> the key as JSON; keys of the first releases stand under their whole hash
{keys}:used          hash: a key's id -> when it was last used (milliseconds since the epoch)
fieldbook:ticket:<hash>   string that expires: what a ticket is good for
{operator}:acts      stream: one entry per act
{operator}:looked:<...>   string that expires: this key has looked at this game through these eyes just now
limits:<class>:<subject>:<window>   number that expires with its window

The tokens of a game stand among its private fields (`events.store.redis.keys`). Everything here may raise
`StoreUnavailable`.
"""

from collections.abc import Sequence
from typing import Final

from events.store.event_store import EventStore
from events.store.partitions import is_game_id
from events.store.redis.keys import GameKeys
from events.store.redis.redis_store import require_redis

_KEYS: Final = "{keys}:keys"
_USED: Final = "{keys}:used"
_ACTS: Final = "{operator}:acts"
_COUNT: Final = """
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
if count == tonumber(ARGV[1]) then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return count
"""


class KeyRecords:
    """The keys, each under a field: its id, or of the first releases its hash."""

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the log of this store."""
        self._command = require_redis(store).connection.command

    def add(self, field: str, key: bytes) -> bool:
        """Keep a key, unless there is one already; returns whether there was none."""
        return bool(self._command("HSETNX", _KEYS, field, key))

    def replace(self, field: str, key: bytes) -> None:
        """Keep a key in place of what is there."""
        self._command("HSET", _KEYS, field, key)

    def find(self, *fields: str) -> list[bytes | None]:
        """The keys under these fields, in order."""
        found: list[bytes | None] = self._command("HMGET", _KEYS, *fields)
        return found

    def all(self) -> dict[str, bytes]:
        """All keys by their fields."""
        found = self._command("HGETALL", _KEYS)
        return {field.decode(): key for field, key in zip(found[::2], found[1::2], strict=True)}

    def note_use(self, key_id: str, at: int) -> None:
        """Keep when a key was used."""
        self._command("HSET", _USED, key_id, at)

    def last_used(self, key_ids: Sequence[str]) -> list[int | None]:
        """When these keys were last used; None for one that never was."""
        found = self._command("HMGET", _USED, *key_ids) if key_ids else []
        return [int(each) if each is not None else None for each in found]


class TicketRecords:
    """The tickets, each under the hash of its text."""

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the log of this store."""
        self._command = require_redis(store).connection.command

    def add(self, digest: str, ticket: bytes, seconds: int) -> None:
        """Keep a ticket for so long."""
        self._command("SET", f"fieldbook:ticket:{digest}", ticket, "EX", seconds)

    def take(self, digest: str) -> bytes | None:
        """Take a ticket out; None where it is not there any more."""
        found: bytes | None = self._command("GETDEL", f"fieldbook:ticket:{digest}")
        return found


class PrivateFields:
    """Some private fields of a game; all of them has `EventStore.private`."""

    def __init__(self, store: EventStore) -> None:
        """Read and write those of this store's games."""
        self._partitions = store.partitions
        self._command = require_redis(store).connection.command

    def read(self, game: str, names: Sequence[str]) -> dict[str, str]:
        """These fields of a game, without those that it has not; none of a game that does not exist."""
        if not is_game_id(game):
            return {}
        found = self._command("HMGET", self._key(game), *names)
        return {name: text.decode() for name, text in zip(names, found, strict=True) if text is not None}

    def set(self, game: str, name: str, value: str | bytes | int) -> None:
        """Set a field."""
        self._command("HSET", self._key(game), name, value)

    def remove(self, game: str, name: str) -> None:
        """Remove a field."""
        self._command("HDEL", self._key(game), name)

    def _key(self, game: str) -> str:
        return GameKeys(game, self._partitions).private


class AuditRecords:
    """The acts in the order in which they were recorded."""

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the log of this store."""
        self._command = require_redis(store).connection.command

    def add(self, act: bytes) -> None:
        """Add an act."""
        self._command("XADD", _ACTS, "*", "act", act)

    def mark_look(self, look: str, seconds: int) -> bool:
        """Mark a look for so long; False where it was marked already."""
        return self._command("SET", _look_key(look), "1", "NX", "EX", seconds) is not None

    def unmark_look(self, look: str) -> None:
        """Take the mark away."""
        self._command("DEL", _look_key(look))

    def page(self, limit: int, before: str | None) -> list[tuple[str, bytes]]:
        """At most so many acts before a place, the newest first, each with its place."""
        last = "+" if before is None else f"({before}"
        found = self._command("XREVRANGE", _ACTS, last, "-", "COUNT", limit)
        return [(place.decode(), fields[1]) for place, fields in found]


class RequestCounts:
    """How much was asked for in a window of time, over all processes. Counting is one script on one key."""

    def __init__(self, store: EventStore) -> None:
        """Count beside the log of this store."""
        self._command = require_redis(store).connection.command

    def add(self, window: str, number: int, seconds: int) -> int:
        """Add to the count of a window, which is kept for so long; returns what it is then."""
        return int(self._command("EVAL", _COUNT, 1, f"limits:{window}", number, seconds))


def _look_key(look: str) -> str:
    return f"{{operator}}:looked:{look}"
