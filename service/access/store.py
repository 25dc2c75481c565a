"""What access keeps in the store: keys, tickets, tokens of games, the audit log, and the counts of rate limits.

{keys}:keys          hash: a key's id -> the key as JSON
{keys}:used          hash: a key's id -> when it was last used (milliseconds since the epoch)
fieldbook:ticket:<hash>   string that expires: what a ticket is good for
fieldbook:ticket:<hash>:redeemed   string that expires: which call has redeemed the ticket
{operator}:acts      stream: one entry per act
{operator}:act:<...>      string that expires: this act was recorded just now
{operator}:looked:<...>   string that expires: this key has looked at this game through these eyes just now
limits:<class>:<subject>:<window>   number that expires with its window

The tokens of a game stand among its private fields (`events.store.redis.keys`). Everything here may raise
`StoreUnavailable`.
"""

import hmac
import secrets
from collections.abc import Sequence
from typing import Final

import msgspec

from events.store.event_store import EventStore
from events.store.partitions import is_game_id
from events.store.redis.keys import GameKeys
from events.store.redis.redis_store import require_redis
from service.access.audit_log import COMMAND_LINE, LOOKING_SECONDS, RECORDED_SECONDS, Act, NumberedAct
from service.access.keys import (
    INTEGRATOR,
    KEY_PREFIX,
    KEY_TOKEN,
    Key,
    KeyIdReused,
    NewKey,
    checksum,
    key_id,
)
from service.access.tickets import PREFIX, SECONDS, Ticket
from service.access.tokens import REPLACED, SEAT_FIELD, SPECTATOR_FIELD, token_digest
from service.platform.clock import now_milliseconds
from service.storage.marks import take_mark

_KEYS: Final = "{keys}:keys"
_USED: Final = "{keys}:used"
_ACTS: Final = "{operator}:acts"
_COUNT: Final = """
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
if count == tonumber(ARGV[1]) then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return count
"""
_ADD_ACT: Final = """
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('XADD', KEYS[1], '*', 'act', ARGV[1])
redis.call('SET', KEYS[2], '1', 'EX', ARGV[2])
return 1
"""
_ADD_SPECTATOR: Final = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 1 end
local all, own, fields = 0, 0, redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  if string.sub(fields[i], 1, #ARGV[3]) == ARGV[3] then
    all = all + 1
    if cjson.decode(fields[i + 1]).given_by == ARGV[4] then own = own + 1 end
  end
end
if all >= tonumber(ARGV[5]) or own >= tonumber(ARGV[6]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
"""
_REPLACE: Final = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 1 end
local replaced, tokens, fields = 0, {}, redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  if string.sub(fields[i], 1, #ARGV[3]) == ARGV[3] then
    if fields[i + 1] == ARGV[4] then replaced = replaced + 1 end
    if fields[i + 1] == ARGV[2] then tokens[#tokens + 1] = fields[i] end
  end
end
if replaced >= tonumber(ARGV[5]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
for _, field in ipairs(tokens) do redis.call('HSET', KEYS[1], field, ARGV[4]) end
return 1
"""


class Keys:
    """The keys of an installation, each under its id."""

    def __init__(self, store: EventStore) -> None:
        """Keep the keys beside the log of this store."""
        self._command = require_redis(store).connection.command
        self._token_key = bytes.fromhex(store.installation.token_key)

    def create(self, name: str, scopes: tuple[str, ...], at: int, kind: str = INTEGRATOR) -> str:
        """Make a key; returns the token, which cannot be shown again."""
        wanted = NewKey(name=name, kind=kind, scopes=scopes)
        return self.issue(wanted, at=at, by="", request=secrets.token_hex(16))[0]

    def issue(
        self, wanted: NewKey, *, at: int, by: str, request: str, fingerprint: str = ""
    ) -> tuple[str, Key, bool]:
        """Make a key; returns its token, the key, and whether the same request had made it before.

        The token is derived from who asks and from the request's id, so that the same request gets the same token
        though only its hash is stored.

        Raises:
            KeyIdReused: the request had another fingerprint then.
        """
        token = self.token_for(by, request)
        digest = token_digest(token)
        key = Key(
            name=wanted.name,
            kind=wanted.kind,
            scopes=wanted.scopes,
            expires=wanted.expires,
            id=key_id(digest),
            hash=digest,
            created=at,
            created_by=by,
            fingerprint=fingerprint,
            players=wanted.players,
        )
        # Its effect is the same twice; the second reply says that the key is known, which it then is.
        if self._command("HSETNX", _KEYS, key.id, msgspec.json.encode(key), repeat=True):
            return token, key, False
        known = self.get(key.id)
        if known is None or known.fingerprint != fingerprint:
            raise KeyIdReused(key.id)
        return token, known, True

    def token_for(self, by: str, request: str) -> str:
        """The token that this request of this operator gets."""
        body = KEY_PREFIX + hmac.digest(self._token_key, f"key/{by}/{request}".encode(), "sha256").hex()[:40]
        return body + checksum(body)

    def id_for(self, by: str, request: str) -> str:
        """The id of the key that this request of this operator makes."""
        return key_id(token_digest(self.token_for(by, request)))

    def find(self, token: str) -> Key | None:
        """The key that a token is, revoked and expired ones too, or None when it is no key here."""
        found = KEY_TOKEN.fullmatch(token)
        if found is None or checksum(token[:-8]) != found[1]:
            return None
        digest = token_digest(token)
        key = self.get(key_id(digest))
        return key if key is not None and hmac.compare_digest(key.hash, digest) else None

    def get(self, name: str) -> Key | None:
        """The key with this id, or None."""
        stored = self._command("HGET", _KEYS, name)
        return msgspec.json.decode(stored, type=Key) if stored is not None else None

    def all(self) -> list[Key]:
        """All keys that there ever were, the newest first."""
        keys = [msgspec.json.decode(each, type=Key) for each in self._command("HVALS", _KEYS)]
        return sorted(keys, key=lambda each: (each.created, each.id), reverse=True)

    def revoke(self, key: Key, at: int) -> Key:
        """Make a key useless from now on; one that is revoked already keeps its time."""
        if key.revoked is not None:
            return key
        revoked = msgspec.structs.replace(key, revoked=at)
        self._command("HSET", _KEYS, key.id, msgspec.json.encode(revoked))
        return revoked

    def note_use(self, name: str, at: int) -> None:
        """Write down when a key was used."""
        self._command("HSET", _USED, name, at)

    def last_used(self, names: Sequence[str]) -> list[int | None]:
        """When these keys were last used; None for one that never was."""
        found = self._command("HMGET", _USED, *names) if names else []
        return [int(each) if each is not None else None for each in found]


class Tickets:
    """The tickets, each under the hash of its text."""

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the log of this store."""
        self._connection = require_redis(store).connection

    def issue(self, ticket: Ticket) -> str:
        """A text that is good for this ticket, once."""
        text = PREFIX + secrets.token_hex(20)
        self._connection.command("SET", _ticket_key(text), msgspec.json.encode(ticket), "EX", SECONDS)
        return text

    def redeem(self, text: str) -> Ticket | None:
        """Redeem a ticket, which can be done once; None for a text that is no ticket, has expired or was redeemed."""
        key = _ticket_key(text)
        stored = self._connection.command("GET", key) if text.startswith(PREFIX) else None
        if stored is None or not take_mark(
            self._connection, f"{key}:redeemed", secrets.token_hex(8), SECONDS + 1
        ):
            return None
        return msgspec.json.decode(stored, type=Ticket)


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

    def add_spectator(self, game: str, name: str, value: bytes, giver: str, most: tuple[int, int]) -> bool:
        """Set the field of a spectator's token, unless it is there; False where there is no room, and nothing is set.

        There are at most so many spectators, and so many whom this giver has invited. Counting and setting is one
        step of the store.
        """
        arguments = (name, value, SPECTATOR_FIELD, giver, *most)
        return bool(self._command("EVAL", _ADD_SPECTATOR, 1, self._key(game), *arguments, repeat=True))

    def replace_token(self, game: str, name: str, seat: int, most: int) -> bool:
        """Set the field of a seat's new token, unless it is there, and have all that the seat had before replaced.

        Counting and setting is one step of the store. False where `most` tokens of the game were replaced before, and
        nothing is set.
        """
        arguments = (name, seat, SEAT_FIELD, REPLACED, most)
        return bool(self._command("EVAL", _REPLACE, 1, self._key(game), *arguments, repeat=True))

    def replace(self, game: str, name: str, value: bytes) -> None:
        """Set a field of a game that exists."""
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
        self._add(act, f"{{operator}}:act:{secrets.token_hex(16)}", RECORDED_SECONDS)

    def record_look(self, act: Act) -> None:
        """Add that hidden cards are looked at, unless the same look was added just now."""
        self._add(act, f"{{operator}}:looked:{act.who}/{act.about}/{act.detail}", LOOKING_SECONDS)

    def _add(self, act: Act, mark: str, seconds: int) -> None:
        """Add an act, unless one was added under this mark so many seconds ago: so it can be repeated."""
        self._command("EVAL", _ADD_ACT, 2, _ACTS, mark, msgspec.json.encode(act), seconds, repeat=True)

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
        """Add to the count of a window, which is kept for so long; returns what it is then.

        Raises:
            StoreUnavailable: also where the reply was lost, and it may have been added.
        """
        return int(self._command("EVAL", _COUNT, 1, f"limits:{window}", number, seconds))
