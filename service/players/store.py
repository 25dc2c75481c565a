"""The names to show for players, and which ids mean the same player: kept beside the logs, which hold ids alone.

fieldbook:players:names    hash: a player's id -> the name to show
fieldbook:players:merged   hash: a player's id -> the id that it was merged into
fieldbook:players:forgotten   string: there while the append-only file may hold a name that was forgotten

Everything here may raise `StoreUnavailable`.
"""

import secrets
from collections.abc import Iterable
from typing import Final

from events.store.event_store import EventStore
from events.store.redis.client.connection import RedisConnection
from events.store.redis.client.opening import information
from events.store.redis.redis_store import require_redis
from service.storage.marks import release_mark

NAMES: Final = "fieldbook:players:names"
MERGED: Final = "fieldbook:players:merged"
_FORGOTTEN: Final = "fieldbook:players:forgotten"
MOST_NAMED: Final = 1_000_000
"""Players with a name at most."""
MOST_MERGED: Final = 100_000
"""Ids that are merged into others at most."""
LONGEST_WAY: Final = 100
"""Merges that follow one another at most."""
_NAME: Final = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
"""
_MERGE: Final = """
local into = ARGV[2]
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) and redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
for step = 1, tonumber(ARGV[3]) do
  if into == ARGV[1] then return 0 end
  local following = redis.call('HGET', KEYS[1], into)
  if not following then
    redis.call('HSET', KEYS[1], ARGV[1], into)
    return 1
  end
  into = following
end
return 0
"""


class PlayerRecords:
    """Names and merges of an installation's players."""

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the log of this store."""
        self._command = require_redis(store).connection.command

    def name(self, player: str, name: str) -> bool:
        """Give a player a name to show, in place of any other; False where there is no room for one more."""
        return bool(self._command("EVAL", _NAME, 1, NAMES, player, name, MOST_NAMED, repeat=True))

    def names(self, players: Iterable[str]) -> dict[str, str]:
        """The names of those of these players that have one, each id by itself."""
        asked = list(players)
        found = self._command("HMGET", NAMES, *asked) if asked else []
        return {player: name.decode() for player, name in zip(asked, found, strict=True) if name is not None}

    def forget(self, player: str) -> None:
        """Forget a player's name, and note that the append-only file still has it.

        The mark before lasts if this process ends in between. The one after is new: a rewrite that began before the
        name was removed does not remove it.
        """
        self._command("SET", _FORGOTTEN, secrets.token_hex(8))
        self._command("HDEL", NAMES, player)
        self._command("SET", _FORGOTTEN, secrets.token_hex(8))

    def merge(self, player: str, into: str) -> bool:
        """Have an id mean the player of another one; False where that one leads back to it, or leads too far."""
        limits = LONGEST_WAY, MOST_MERGED
        return bool(self._command("EVAL", _MERGE, 1, MERGED, player, into, *limits, repeat=True))

    def merged_into(self, player: str) -> str | None:
        """The id that this one was merged into, followed to its end; None for one that was not."""
        into: str | None = None
        for _ in range(LONGEST_WAY):
            found = self._command("HGET", MERGED, into or player)
            if found is None:
                break
            into = found.decode()
        return into

    def merges(self) -> dict[str, str]:
        """All merges: by id, the one that it was merged into at the time."""
        found = self._command("HGETALL", MERGED)
        return {one.decode(): other.decode() for one, other in zip(found[::2], found[1::2], strict=True)}


Rewrites = frozenset[str]
"""The servers that rewrite their files, by the id that each has from its start to its end."""


class ForgottenNames:
    """The names that were forgotten, and the server's append-only file, which may still hold them."""

    def __init__(self, store: EventStore) -> None:
        """Look after the servers of this store."""
        self._connection = require_redis(store).connection

    def mark(self) -> str | None:
        """Return the mark of the last name that was forgotten since the file was rewritten; None if there is none."""
        found = self._connection.command("GET", _FORGOTTEN)
        return None if found is None else str(found.decode())

    def unmark(self, mark: str) -> None:
        """Remove this mark, unless another name was forgotten since."""
        release_mark(self._connection, _FORGOTTEN, mark)

    def rewrite_log(self) -> Rewrites | None:
        """Start rewriting the file, on every server that has one; return None while one is being rewritten already.

        Raises:
            StoreRefused: the server does not permit it.
        """
        servers = self._servers()
        if any(_is_rewriting(said) for _, said in servers):
            return None
        for server, _ in servers:
            server.command("BGREWRITEAOF")
        return _runs(servers)

    def has_rewritten(self, rewrites: Rewrites) -> bool | None:
        """Return whether rewrites that were started have succeeded on every server; None while one is in progress."""
        servers = self._servers()
        if any(_is_rewriting(said) for _, said in servers):
            return None
        return _runs(servers) == rewrites and all(
            said.get("aof_last_bgrewrite_status") == "ok" for _, said in servers
        )

    def _servers(self) -> list[tuple[RedisConnection, dict[str, str]]]:
        found = [(each, information(each)) for each in self._connection.servers()]
        return [(each, said) for each, said in found if said.get("aof_enabled") == "1"]


def _is_rewriting(said: dict[str, str]) -> bool:
    return "1" in {said.get("aof_rewrite_in_progress"), said.get("aof_rewrite_scheduled")}


def _runs(servers: Iterable[tuple[RedisConnection, dict[str, str]]]) -> Rewrites:
    return frozenset(said["run_id"] for _, said in servers)
