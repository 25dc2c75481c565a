"""What ratings keep in the store; all of it can be thrown away and computed again.

{ratings}:read       hash: a finished game's id -> what ratings take from it, or why it does not count, as JSON
{ratings}:ended      sorted set: the ids of those that can count, by when they ended
{ratings}:waiting    set: those of them that no board has yet
{ratings}:state      hash: place -> how far the feeds were read; generation -> the boards in use;
                     applied -> what these are made of; writing -> there while they are being changed
{ratings}:busy       string that expires: one process counts
{ratings}:<generation>:pools                 set: the names of the pools, `classic/1/people/always`
{ratings}:<generation>:before                hash: a game's id -> the standings before it, by the time of the pool
{ratings}:<generation>:<pool>:rows           hash: a player's id -> the standing as JSON
{ratings}:<generation>:<pool>:board          sorted set: players' ids, the best with the lowest score
{ratings}:<generation>:<pool>:seats          hash: a place in the order of play -> the standing as JSON
{ratings}:<generation>:<pool>:changes:<id>   hash: 0, 1, 2 ... -> what each game has changed, as JSON

Every write sets or removes what it names, so it can be repeated. A script has `_AT_ONCE` commands at most. Scripts
write only while the caller holds the mark `{ratings}:busy`: a process that was suspended for longer than the mark
lasts changes nothing when it resumes.

Everything here may raise `StoreUnavailable`.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from events.store.errors import StoreError
from events.store.event_store import EventStore
from events.store.redis.redis_store import require_redis
from replay.ratings.document import change_row
from replay.ratings.finished_game import FinishedGame, Uncounted
from replay.ratings.inputs import Inputs
from replay.ratings.pool import Change, Pool, PoolName, Standing
from service.storage.marks import release_mark, take_mark
from service.storage.scanning import scan

PREFIX: Final = "{ratings}:"
_READ: Final = f"{PREFIX}read"
_ENDED: Final = f"{PREFIX}ended"
_WAITING: Final = f"{PREFIX}waiting"
_STATE: Final = f"{PREFIX}state"
_BUSY: Final = f"{PREFIX}busy"
BUSY_SECONDS: Final = 900
"""Longer than a job may take between two writes. A process that dies while it counts blocks others for so long."""
_AT_ONCE: Final = 500
_ALL_OF_IT: Final = """
if redis.call('GET', KEYS[2]) ~= ARGV[2] then return 0 end
redis.call('EXPIRE', KEYS[2], ARGV[3])
for _, each in ipairs(cjson.decode(ARGV[1])) do redis.call(unpack(each)) end
return 1
"""
_encode: Final = msgspec.json.Encoder().encode
_Command = tuple[str | int, ...]


class Applied(msgspec.Struct, frozen=True):
    """What boards are made of.

    Attributes:
        inputs: what was known beside the games.
        games: how many games count.
    """

    inputs: Inputs
    games: int


class Before(msgspec.Struct, frozen=True, array_like=True):
    """The standings in one pool before a game, of its players and of their places in the order of play.

    None stands for a player without a game before it, or a place without one.
    """

    players: dict[str, Standing | None]
    seats: dict[str, Standing | None]


class Recount(msgspec.Struct):
    """Changes that are written into boards.

    Attributes:
        players, seats: the standings that change, after all games; None for one that is left without a game.
        changes: what games have changed: pool, its number among the player's changes, and the change.
        stale: changes to remove: pool, player, and their numbers.
        before: by game, the standings before it by the time of the pool; None for a game that no longer counts.
    """

    players: dict[PoolName, dict[str, Standing | None]] = {}
    seats: dict[PoolName, dict[str, Standing | None]] = {}
    changes: list[tuple[PoolName, int, Change]] = []
    stale: list[tuple[PoolName, str, range]] = []
    before: dict[str, dict[str, Before] | None] = {}


class MarkLost(StoreError):
    """The mark of the process that counts has expired, and another process may count."""


class RatingRecords:
    """The ratings of a store; every write raises MarkLost unless `begin` has returned a mark that is still valid."""

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the logs of this store."""
        self._connection = require_redis(store).connection
        self._command = self._connection.command
        self._mark = ""

    def begin(self) -> str:
        """Count from here on, with nobody else; empty where somebody does already."""
        mark = secrets.token_hex(8)
        self._mark = mark if take_mark(self._connection, _BUSY, mark, BUSY_SECONDS) else ""
        return self._mark

    def end(self, mark: str) -> None:
        """Let others count, if it is still oneself who does."""
        release_mark(self._connection, _BUSY, mark)

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
        return self.games([each.decode() for each in self._command("SMEMBERS", _WAITING)])

    def all(self) -> list[FinishedGame]:
        """All games that can count."""
        return self.games([each.decode() for each in self._command("ZRANGE", _ENDED, 0, -1)])

    def since(self, place: tuple[int, str]) -> list[FinishedGame]:
        """The games that can count, from a place in their order on."""
        found = self._command("ZRANGE", _ENDED, place[0], "+inf", "BYSCORE")
        return [each for each in self.games([name.decode() for name in found]) if each.place >= place]

    def games(self, games: Sequence[str]) -> list[FinishedGame]:
        """What ratings take from those of these games that can count."""
        found: list[FinishedGame] = []
        for start in range(0, len(games), _AT_ONCE):
            part = games[start : start + _AT_ONCE]
            stored = self._command("HMGET", _READ, *part)
            read = (msgspec.json.decode(each, type=_Rated).rated for each in stored if each is not None)
            found += [each for each in read if each is not None]
        return found

    def countable(self, games: Sequence[str]) -> list[str]:
        """Those of these games that were read and can count."""
        found = self._command("ZMSCORE", _ENDED, *games) if games else []
        return [game for game, score in zip(games, found, strict=True) if score is not None]

    def move(self, place: tuple[int, ...]) -> None:
        """Write down how far the feeds were read."""
        self._together([("HSET", _STATE, "place", _encode(place).decode())])

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

    def applied(self) -> Applied | None:
        """What the boards in use are made of; None if there are none, or if a change of them was not finished."""
        stored, writing = self._command("HMGET", _STATE, "applied", "writing")
        return None if stored is None or writing is not None else msgspec.json.decode(stored, type=Applied)

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
        """What games have changed of a player's standing, the newest first, behind so many of the newest."""
        key = f"{_key(generation, name)}:changes:{who}"
        last = int(self._command("HLEN", key)) - newest
        numbers = range(last - 1, max(-1, last - count - 1), -1)
        found = self._command("HMGET", key, *numbers) if numbers else []
        return [msgspec.json.decode(each) for each in found if each is not None]

    def before(self, generation: int, games: Sequence[str]) -> dict[str, dict[str, Before]]:
        """The standings before games that count, by game and time of the pool."""
        found = {}
        for start in range(0, len(games), _AT_ONCE):
            part = games[start : start + _AT_ONCE]
            stored = self._command("HMGET", f"{PREFIX}{generation}:before", *part)
            for game, each in zip(part, stored, strict=True):
                if each is not None:
                    found[game] = msgspec.json.decode(each, type=dict[str, Before])
        return found

    def first_places(self, generation: int, who: Iterable[str]) -> list[tuple[int, str]]:
        """The places of the first games of these players, of each pool in which they have one."""
        keys = [f"{_key(generation, name)}:changes:{each}" for name in self.pools(generation) for each in who]
        found: list[tuple[int, str]] = []
        for start in range(0, len(keys), _AT_ONCE):
            asked = [("HGET", key, 0) for key in keys[start : start + _AT_ONCE]]
            rows = [each for each in self._connection.independent_commands(asked) if each is not None]
            read = (msgspec.json.decode(each, type=_Place) for each in rows)
            found += [(each.ended, each.game) for each in read]
        return found

    def write(
        self, generation: int, recount: Recount, applied: Applied, taken: Iterable[FinishedGame]
    ) -> None:
        """Write what games have changed into boards, and that these are in use.

        What fits into one script is one step. Otherwise a mark is there from the first to the last: a run that finds
        it, because another one was ended in between, has every game counted again.
        """
        commands = [*_writes(generation, recount), *(("SREM", _WAITING, each.game) for each in taken)]
        commands += [
            ("HSET", _STATE, "generation", generation, "applied", _encode(applied).decode()),
            ("HDEL", _STATE, "writing"),
        ]
        if len(commands) > _AT_ONCE:
            self._together([("HSET", _STATE, "writing", 1)])
        for start in range(0, len(commands), _AT_ONCE):
            self._together(commands[start : start + _AT_ONCE])

    def remove(self, generation: int) -> None:
        """Throw boards away, some keys at a time."""
        self._remove_boards(f"{PREFIX}{generation}")

    def remove_empty(self, generation: int, names: Iterable[PoolName]) -> None:
        """Throw those of these pools away that are left without a player."""
        for name in names:
            key = _key(generation, name)
            if not self._command("ZCARD", f"{key}:board"):
                pools = f"{PREFIX}{generation}:pools"
                self._together([("SREM", pools, _written(name)), ("UNLINK", f"{key}:seats")])

    def _remove_boards(self, boards: str) -> None:
        for name in self._command("SMEMBERS", f"{boards}:pools"):
            key = f"{boards}:{name.decode()}"
            for found in scan(self._connection, "ZSCAN", f"{key}:board"):
                self._together([("UNLINK", f"{key}:changes:{who.decode()}") for who in found[::2]])
            self._together([("UNLINK", f"{key}:rows", f"{key}:seats", f"{key}:board")])
        self._together([("UNLINK", f"{boards}:pools", f"{boards}:before")])

    def remove_all(self) -> None:
        """Forget everything, so that every game is read again; the boards in use stay until there are others."""
        self._together([("HDEL", _STATE, "place", "applied"), ("UNLINK", _READ, _ENDED, _WAITING)])

    def _together(self, commands: Sequence[_Command]) -> None:
        if not commands:
            return
        arguments = (_encode(commands), self._mark, BUSY_SECONDS)
        if not self._command("EVAL", _ALL_OF_IT, 2, _STATE, _BUSY, *arguments, repeat=True):
            raise MarkLost("another process counts the games; try again")


class _Rated(msgspec.Struct):
    rated: FinishedGame | None = None


class _Place(msgspec.Struct):
    game: str
    ended: int


class _Left(msgspec.Struct):
    left: Uncounted | None = None


def _key(generation: int, name: PoolName) -> str:
    return f"{PREFIX}{generation}:{_written(name)}"


def _written(name: PoolName) -> str:
    return f"{name.system}/{name.system_version}/{name.pool}/{name.time}"


def _writes(generation: int, recount: Recount) -> Iterator[_Command]:
    for name, standings in recount.players.items():
        key = _key(generation, name)
        yield "SADD", f"{PREFIX}{generation}:pools", _written(name)
        for who, standing in standings.items():
            yield _set_or_remove(f"{key}:rows", who, standing)
            if standing is None:
                yield "ZREM", f"{key}:board", who
            else:
                yield "ZADD", f"{key}:board", -standing.figure.rating, who
        for place, standing in recount.seats[name].items():
            yield _set_or_remove(f"{key}:seats", place, standing)
    for name, who, numbers in recount.stale:
        for number in numbers:
            yield "HDEL", f"{_key(generation, name)}:changes:{who}", number
    for name, number, change in recount.changes:
        told = _encode(change_row(change)).decode()
        yield "HSET", f"{_key(generation, name)}:changes:{change.who}", number, told
    for game, before in recount.before.items():
        yield _set_or_remove(f"{PREFIX}{generation}:before", game, before)


def _set_or_remove(key: str, field: str, value: object) -> _Command:
    return ("HDEL", key, field) if value is None else ("HSET", key, field, _encode(value).decode())


def _standings(stored: Sequence[bytes]) -> dict[str, Standing]:
    return {
        name.decode(): _standing(standing) for name, standing in zip(stored[::2], stored[1::2], strict=True)
    }


def _standing(stored: bytes) -> Standing:
    return msgspec.json.decode(stored, type=Standing)
