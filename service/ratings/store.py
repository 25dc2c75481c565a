"""What ratings keep in the store; all of it can be thrown away and computed again.

{ratings:2}:read       hash: a finished game's id -> what ratings take from it, or why it does not count, as JSON
{ratings:2}:ended      sorted set: the ids of those that can count, by when they ended
{ratings:2}:waiting    set: those of them that no board has yet
{ratings:2}:state      hash: place -> how far the feeds were read; generation -> the boards in use;
                     applied -> what these are made of
{ratings:2}:busy       string that expires: somebody counts
{ratings:2}:<generation>:pools                 set: the names of the pools, `classic/1/people/always`
{ratings:2}:<generation>:<pool>:rows           hash: a player's id -> the standing as JSON
{ratings:2}:<generation>:<pool>:board          sorted set: players' ids, the best with the lowest score
{ratings:2}:<generation>:<pool>:seats          hash: a place in the order of play -> the standing as JSON
{ratings:2}:<generation>:<pool>:changes:<id>   list: what each game has changed, the oldest first, as JSON

Keys of another form begin in another way, so that two releases count side by side while one takes the other's place.
`{ratings}:` was the form before boards by time; its pools had three parts.

Everything here may raise `StoreUnavailable`.
"""

import secrets
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from events.store.event_store import EventStore
from events.store.redis.redis_store import require_redis
from replay.ratings.document import change_row
from replay.ratings.finished_game import FinishedGame, Uncounted
from replay.ratings.pool import Change, Pool, PoolName, Standing
from service.storage.marks import take_mark
from service.storage.scanning import scan

PREFIX: Final = "{ratings:2}:"
_BEFORE: Final = "{ratings}:"
"""How keys of the form before begin."""
_READ: Final = f"{PREFIX}read"
_ENDED: Final = f"{PREFIX}ended"
_WAITING: Final = f"{PREFIX}waiting"
_STATE: Final = f"{PREFIX}state"
_BUSY: Final = f"{PREFIX}busy"
BUSY_SECONDS: Final = 900
"""Longer than a job may take: whoever counts and dies is in the way for so long at most."""
_END: Final = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end return 1"
_AT_ONCE: Final = 500
_ALL_OF_IT: Final = """
for _, each in ipairs(cjson.decode(ARGV[1])) do redis.call(unpack(each)) end
return 1
"""
_encode: Final = msgspec.json.Encoder().encode
_Command = tuple[str | int, ...]


class Applied(msgspec.Struct, frozen=True):
    """What boards are made of.

    Attributes:
        inputs: a digest of what was known beside the games.
        ended: when the last game that counts ended, and
        game: its id.
        games: how many games count.
    """

    inputs: str = ""
    ended: int = 0
    game: str = ""
    games: int = 0


class RatingRecords:
    """The ratings of a store."""

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the logs of this store."""
        self._connection = require_redis(store).connection
        self._command = self._connection.command

    def begin(self) -> str:
        """Count from here on, with nobody else; empty where somebody does already."""
        mark = secrets.token_hex(8)
        return mark if take_mark(self._connection, _BUSY, mark, BUSY_SECONDS) else ""

    def end(self, mark: str) -> None:
        """Let others count, if it is still oneself who does."""
        self._command("EVAL", _END, 1, _BUSY, mark, repeat=True)

    def place(self) -> tuple[int, ...]:
        """How far the feeds were read; empty at the beginning."""
        stored = self._command("HGET", _STATE, "place")
        return tuple(msgspec.json.decode(stored)) if stored is not None else ()

    def add(self, game: str, told: FinishedGame | Uncounted, place: tuple[int, ...]) -> None:
        """Write down what was read of a game, and how far the feeds were read with it, in one step."""
        is_rated = isinstance(told, FinishedGame)
        commands: list[_Command] = [
            ("HSET", _READ, game, _encode({"rated" if is_rated else "left": told}).decode()),
            ("HSET", _STATE, "place", _encode(place).decode()),
        ]
        if isinstance(told, FinishedGame):
            commands += [("ZADD", _ENDED, told.ended, game), ("SADD", _WAITING, game)]
        self._together(commands)

    def waiting(self) -> list[FinishedGame]:
        """The games that no board has yet."""
        return self._games([each.decode() for each in self._command("SMEMBERS", _WAITING)])

    def all(self) -> list[FinishedGame]:
        """All games that can count."""
        return self._games([each.decode() for each in self._command("ZRANGE", _ENDED, 0, -1)])

    def _games(self, games: Sequence[str]) -> list[FinishedGame]:
        found: list[FinishedGame] = []
        for start in range(0, len(games), _AT_ONCE):
            part = games[start : start + _AT_ONCE]
            stored = self._command("HMGET", _READ, *part)
            found += [msgspec.json.decode(each, type=_Rated).rated for each in stored if each is not None]
        return found

    def countable(self, games: Sequence[str]) -> list[str]:
        """Those of these games that were read and can count."""
        found = self._command("ZMSCORE", _ENDED, *games) if games else []
        return [game for game, score in zip(games, found, strict=True) if score is not None]

    def move(self, place: tuple[int, ...]) -> None:
        """Write down how far the feeds were read."""
        self._command("HSET", _STATE, "place", _encode(place))

    def uncounted(self) -> dict[str, str]:
        """Why games do not count that were read."""
        reasons = {}
        for found in scan(self._connection, "HSCAN", _READ):
            for game, stored in zip(found[::2], found[1::2], strict=True):
                told = msgspec.json.decode(stored, type=_Left)
                if told.left is not None:
                    reasons[game.decode()] = told.left.reason
        return reasons

    def generation(self) -> int:
        """The boards in use; 0 where there are none."""
        return int(self._command("HGET", _STATE, "generation") or 0)

    def applied(self) -> Applied:
        """What the boards in use are made of."""
        stored = self._command("HGET", _STATE, "applied")
        return msgspec.json.decode(stored, type=Applied) if stored is not None else Applied()

    def pool(self, generation: int, name: PoolName, who: Iterable[str] | None = None) -> Pool:
        """A pool, with everybody or with those of these who are in it, and all its seats."""
        key = _key(generation, name)
        if who is None:
            standings = _standings(self._command("HGETALL", f"{key}:rows"))
        else:
            asked = list(who)
            found = self._command("HMGET", f"{key}:rows", *asked) if asked else []
            standings = {each: _standing(it) for each, it in zip(asked, found, strict=True) if it is not None}
        return Pool(standings, _standings(self._command("HGETALL", f"{key}:seats")))

    def pools(self, generation: int) -> list[PoolName]:
        """The pools that there are."""
        found = (
            each.decode().split("/") for each in self._command("SMEMBERS", f"{PREFIX}{generation}:pools")
        )
        return sorted(PoolName(system, int(version), *rest) for system, version, *rest in found)

    def board(self, generation: int, name: PoolName, first: int, count: int) -> list[tuple[str, Standing]]:
        """So many lines of a board from a place on, the best of all at place 0."""
        key = _key(generation, name)
        who = [each.decode() for each in self._command("ZRANGE", f"{key}:board", first, first + count - 1)]
        rows = self._command("HMGET", f"{key}:rows", *who) if who else []
        return [(each, _standing(row)) for each, row in zip(who, rows, strict=True) if row is not None]

    def changes(
        self, generation: int, name: PoolName, who: str, newest: int, count: int
    ) -> list[dict[str, object]]:
        """What games have changed of somebody's standing, the newest first, behind so many of the newest."""
        key = f"{_key(generation, name)}:changes:{who}"
        found = self._command("LRANGE", key, -(newest + count), -(newest + 1))
        return [msgspec.json.decode(each) for each in reversed(found)]

    def write(
        self,
        generation: int,
        changed: dict[PoolName, Pool],
        changes: Sequence[tuple[PoolName, Change]],
        applied: Applied,
        taken: Iterable[FinishedGame],
        *,
        in_pieces: bool,
    ) -> None:
        """Write what games have changed into boards, and that these are in use.

        In one step; or `in_pieces`, into boards that nobody reads, and then that they are in use.
        """
        commands = [*_writes(generation, changed, changes)]
        ends: list[_Command] = [
            ("HSET", _STATE, "generation", generation, "applied", _encode(applied).decode()),
            *(("SREM", _WAITING, each.game) for each in taken),
        ]
        if in_pieces:
            for start in range(0, len(commands), _AT_ONCE):
                self._together(commands[start : start + _AT_ONCE])
            self._together(ends)
        else:
            self._together(commands + ends)

    def remove(self, generation: int) -> None:
        """Throw boards away, some keys at a time."""
        self._remove_boards(f"{PREFIX}{generation}")

    def remove_before(self) -> None:
        """Throw away what a release kept in the form before; one that still runs reads every game again."""
        generation = int(self._command("HGET", f"{_BEFORE}state", "generation") or 0)
        for each in (generation, generation + 1):
            self._remove_boards(f"{_BEFORE}{each}")
        self._command("UNLINK", *(f"{_BEFORE}{each}" for each in ("read", "ended", "waiting", "state")))

    def _remove_boards(self, boards: str) -> None:
        for name in self._command("SMEMBERS", f"{boards}:pools"):
            key = f"{boards}:{name.decode()}"
            for found in scan(self._connection, "ZSCAN", f"{key}:board"):
                self._command("UNLINK", *(f"{key}:changes:{who.decode()}" for who in found[::2]))
            self._command("UNLINK", f"{key}:rows", f"{key}:seats", f"{key}:board")
        self._command("UNLINK", f"{boards}:pools")

    def remove_all(self) -> None:
        """Forget everything, so that every game is read again; the boards in use stay until there are others."""
        self._command("UNLINK", _READ, _ENDED, _WAITING)
        self._command("HDEL", _STATE, "place", "applied")

    def _together(self, commands: Sequence[_Command]) -> None:
        if commands:
            self._command("EVAL", _ALL_OF_IT, 1, _STATE, _encode(commands))


class _Rated(msgspec.Struct):
    rated: FinishedGame


class _Left(msgspec.Struct):
    left: Uncounted | None = None


def _key(generation: int, name: PoolName) -> str:
    return f"{PREFIX}{generation}:{_written(name)}"


def _written(name: PoolName) -> str:
    return f"{name.system}/{name.system_version}/{name.pool}/{name.time}"


def _writes(
    generation: int, changed: dict[PoolName, Pool], changes: Sequence[tuple[PoolName, Change]]
) -> Iterable[_Command]:
    for name, pool in changed.items():
        key = _key(generation, name)
        yield "SADD", f"{PREFIX}{generation}:pools", _written(name)
        for who, standing in pool.standings.items():
            yield "HSET", f"{key}:rows", who, _encode(standing).decode()
            yield "ZADD", f"{key}:board", -standing.figure.rating, who
        for place, standing in pool.seats.items():
            yield "HSET", f"{key}:seats", place, _encode(standing).decode()
    for name, change in changes:
        told = _encode(change_row(change)).decode()
        yield "RPUSH", f"{_key(generation, name)}:changes:{change.who}", told


def _standings(stored: Sequence[bytes]) -> dict[str, Standing]:
    return {
        name.decode(): _standing(standing) for name, standing in zip(stored[::2], stored[1::2], strict=True)
    }


def _standing(stored: bytes) -> Standing:
    return msgspec.json.decode(stored, type=Standing)
