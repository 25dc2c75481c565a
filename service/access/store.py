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

import secrets
from collections.abc import Sequence
from typing import Final

import msgspec

from events.store.event_store import EventStore
from events.store.partitions import is_game_id
from events.store.redis.keys import GameKeys
from events.store.redis.redis_store import require_redis
from service.access.audit_log import COMMAND_LINE, LOOKING_SECONDS, Act, NumberedAct
from service.access.tickets import PREFIX, SECONDS, Ticket
from service.access.tokens import token_digest
from service.platform.clock import now_milliseconds

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


class Tickets:
    """The tickets, each under the hash of its text."""

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the log of this store."""
        self._command = require_redis(store).connection.command

    def issue(self, ticket: Ticket) -> str:
        """A text that is good for this ticket, once."""
        text = PREFIX + secrets.token_hex(20)
        self._command("SET", _ticket_key(text), msgspec.json.encode(ticket), "EX", SECONDS)
        return text

    def redeem(self, text: str) -> Ticket | None:
        """What a text is good for, from now on for nothing more; None where it is no ticket or has lapsed."""
        stored = self._command("GETDEL", _ticket_key(text)) if text.startswith(PREFIX) else None
        return msgspec.json.decode(stored, type=Ticket) if stored is not None else None


def _ticket_key(text: str) -> str:
    return f"fieldbook:ticket:{token_digest(text)}"


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


class AuditLog:
    """The trail of an installation: its acts in the order in which they were recorded."""

    def __init__(self, store: EventStore) -> None:
        """Keep the trail beside the log of this store."""
        self._command = require_redis(store).connection.command

    def record(self, act: Act) -> None:
        """Add an act, before it is done."""
        self._command("XADD", _ACTS, "*", "act", msgspec.json.encode(act))

    def record_look(self, act: Act) -> None:
        """Add that hidden cards are looked at, unless the same look was added just now."""
        look = f"{{operator}}:looked:{act.who}/{act.about}/{act.detail}"
        if self._command("SET", look, "1", "NX", "EX", LOOKING_SECONDS) is None:
            return
        try:
            self.record(act)
        except Exception:
            # The next look has to be written down again: this one was not.
            self._command("DEL", look)
            raise

    def page(self, limit: int, before: str | None = None) -> tuple[list[NumberedAct], str | None]:
        """At most `limit` acts before a place, the newest first, and where the next page begins, if there is one."""
        last = "+" if before is None else f"({before}"
        found = self._command("XREVRANGE", _ACTS, last, "-", "COUNT", limit + 1)
        acts = [
            NumberedAct(id=place.decode(), act=msgspec.json.decode(fields[1], type=Act))
            for place, fields in found[:limit]
        ]
        return acts, acts[-1].id if len(found) > limit else None


def record_act(store: EventStore, what: str, about: str, detail: str = "") -> None:
    """Write down what is done from the command line, before it is done."""
    act = Act(at=now_milliseconds(), who=COMMAND_LINE, what=what, about=about, detail=detail)
    AuditLog(store).record(act)


class RequestCounts:
    """How much was asked for in a window of time, over all processes. Counting is one script on one key."""

    def __init__(self, store: EventStore) -> None:
        """Count beside the log of this store."""
        self._command = require_redis(store).connection.command

    def add(self, window: str, number: int, seconds: int) -> int:
        """Add to the count of a window, which is kept for so long; returns what it is then."""
        return int(self._command("EVAL", _COUNT, 1, f"limits:{window}", number, seconds))
