"""What disputes keep in the store: each game's dispute log, the queue of its partition, packs, and final rulings.

Names and shapes of the keys stand in `events.store.redis.keys`. Everything here may raise `StoreUnavailable`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple

from events.disputes.entries import DisputeEntry
from events.log.recorded import RecordedEvent
from events.store.errors import GameNotFound, PartitionQuarantined, StoreDamaged, StoreRefused
from events.store.event_store import EventStore, Head
from events.store.partitions import is_game_id
from events.store.redis.client.pool import Argument
from events.store.redis.entries import append_arguments
from events.store.redis.keys import GameKeys, dispute_queue_key
from events.store.redis.redis_store import require_redis
from events.store.remembered_commands import RememberedAnswer
from service.storage.due_index import DueIndex
from service.storage.scanning import scan

QUEUE: Final = "queue"
ROWS: Final = "rows"
DUE: Final = "due"
RESULTS: Final = "results"
_FIELDS: Final = [b"l", b"h", b"k", b"a"]


class Moved(Exception):
    """Somebody else has written first: look again, and decide again."""


@dataclass(frozen=True, slots=True)
class InTheGame:
    """What a step of a case brings about in the game's log: entries that follow this head."""

    head: Head
    entries: Sequence[RecordedEvent]


class StoredEntry(NamedTuple):
    """An entry of a dispute log as it is kept."""

    line: bytes
    hash: str
    request: str
    """The request that brought it about; empty where it was another entry's too."""
    answer: bytes
    """The answer to that request."""


class QueuedCase(NamedTuple):
    """How a case stands in the queue of its partition."""

    name: str
    """`<game>/<number>`."""
    opened: int
    row: bytes
    """Empty for a case that has ended, which then is not in the queue."""
    until: str
    """When its time is over; empty where nothing ends."""


class DisputeRecords:
    """The disputes of a store's games, as they are kept."""

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the logs of this store."""
        self._store = require_redis(store)
        self._connection = self._store.connection

    def entries(self, game: str, first: int = 1) -> Iterator[StoredEntry]:
        """The dispute log of a game in order, from the entry of this number on.

        Raises:
            GameNotFound: no game can have this id.
            StoreDamaged: an entry is not as it must be.
        """
        for _, fields in self._connection.command("XRANGE", self._keys(game).disputes, f"{first}-0", "+"):
            if fields[::2] != _FIELDS:
                raise StoreDamaged(f"A case of game {game} has other fields than it must: {fields[::2]!r}.")
            line, chain_hash, request, answer = fields[1::2]
            yield StoredEntry(line, chain_hash.decode(), request.decode(), answer)

    def count(self, game: str) -> int:
        """How many entries the dispute log of a game has."""
        found: int = self._connection.command("XLEN", self._keys(game).disputes)
        return found

    def results(self, games: Sequence[str]) -> dict[str, bytes]:
        """The results that rulings gave to these games, of those that have one."""
        places: dict[int, list[str]] = {}
        for game in games:
            places.setdefault(self._store.partition_of(game), []).append(game)
        asked = [("HMGET", dispute_queue_key(each, RESULTS), *listed) for each, listed in places.items()]
        found: dict[str, bytes] = {}
        replies = self._connection.independent_commands(asked)
        for listed, stored in zip(places.values(), replies, strict=True):
            found |= {game: each for game, each in zip(listed, stored, strict=True) if each is not None}
        return found

    def all_results(self) -> dict[str, bytes]:
        """The results that rulings gave games after their end, of all games that have one."""
        found: dict[str, bytes] = {}
        for partition in range(self._store.partitions):
            listed = self._connection.command("HGETALL", dispute_queue_key(partition, RESULTS))
            found |= {game.decode(): each for game, each in zip(listed[::2], listed[1::2], strict=True)}
        return found

    def append(  # noqa: PLR0917 - what an append is made of
        self,
        game: str,
        before: tuple[int, str],
        request: str,
        answer: bytes,
        queued: QueuedCase,
        result: bytes,
        entries: Sequence[DisputeEntry],
        in_the_game: InTheGame | None,
    ) -> bytes | None:
        """Append entries to the log of a game that has so many with this hash, and what they bring about in the game.

        Returns the answer that is kept to this request where it was known, and nothing was written; else None.

        Raises:
            Moved: the dispute log, or the game, is not where it was seen.
            GameNotFound, PartitionQuarantined, StoreDamaged, StoreRefused
        """
        keys = self._keys(game)
        names = [keys.head, keys.disputes, keys.disputes_index, keys.quarantine, *self._queue(game)]
        arguments: list[Argument] = [game, *before, request, answer, *queued, result, len(entries)]
        for entry in entries:
            arguments += (entry.line, entry.hash)
        if in_the_game is not None:
            names += (keys.log, keys.head, keys.commands, keys.private, keys.feed, keys.feed_head)
            names.append(keys.quarantine)
            arguments += _append_arguments(game, in_the_game, f"dispute-{request}")
        remembered = (keys.disputes_index, f"request:{request}")
        match self._store.call_appending("dispute", keys, names, arguments, *remembered):
            case [b"appended"]:
                return None
            case [b"known", bytes(stored)]:
                return stored
            case [b"conflict", _] | [b"game", b"conflict" | b"forked" | b"archived", *_]:
                raise Moved
            case [b"missing"]:
                raise GameNotFound(game)
            case [b"quarantined", reason]:
                raise PartitionQuarantined(self._store.partition_of(game), reason.decode())
            case [b"damaged", what] | [b"game", b"damaged", what]:
                raise StoreDamaged(f"Nothing was written about game {game}: {what.decode()}.")
            case other:
                raise StoreRefused(f"The store's dispute function gave an answer we do not know: {other!r}.")

    def queue_again(self, game: str, entries: int, queued: QueuedCase, result: bytes) -> bool:
        """Put a case into the queue as it stands after so many entries; False where its log has moved on since."""
        names = (self._keys(game).disputes, *self._queue(game))
        reply = self._store.functions.call("queue_dispute", names, (entries, *queued, result, game))
        return bool(reply[0] == b"queued")

    def games(self) -> list[str]:
        """Every game that has cases."""
        ending = ":disputes"
        found = (scan(server, "SCAN", match=f"*:game:*{ending}") for server in self._connection.servers())
        names = {name.decode() for names in chain.from_iterable(found) for name in names}
        return sorted(name.removesuffix(ending).rpartition(":")[2] for name in names)

    def queued(self, partition: int, since: int, limit: int) -> list[tuple[int, str]]:
        """The first cases of a partition's queue that were opened then or later: when, and their names."""
        key = dispute_queue_key(partition, QUEUE)
        found = self._connection.command("ZRANGEBYSCORE", key, since, "+inf", "WITHSCORES", "LIMIT", 0, limit)
        return [(int(time), name.decode()) for name, time in zip(found[::2], found[1::2], strict=True)]

    def rows(self, partition: int, names: Sequence[str]) -> list[bytes | None]:
        """The rows of cases in a partition's queue; None for one that has ended meanwhile."""
        found: list[bytes | None] = self._connection.command(
            "HMGET", dispute_queue_key(partition, ROWS), *names
        )
        return found

    def all_rows(self, partitions: Sequence[int]) -> list[bytes]:
        """The rows of all cases in the queues of those of these partitions that answer."""
        asked = [("HVALS", dispute_queue_key(each, ROWS)) for each in partitions]
        return [row for rows in self._connection.answered_commands(asked) if rows is not None for row in rows]

    def moments(self, partitions: Iterable[int]) -> DueIndex:
        """The cases of these partitions by when their time is over."""
        return DueIndex(self._store, [dispute_queue_key(each, DUE) for each in partitions])

    def pack(self, game: str, sha256: str) -> bytes | None:
        """The packed evidence pack of a game that was kept under this hash; None where there is none."""
        found: bytes | None = self._connection.command("HGET", self._keys(game).evidence, sha256)
        return found

    def keep_pack(self, game: str, sha256: str, packed: bytes) -> None:
        """Keep a packed evidence pack under its hash."""
        self._connection.command("HSET", self._keys(game).evidence, sha256, packed)

    def pack_sizes(self, game: str) -> dict[str, int]:
        """The evidence packs that are kept of a game, by their hashes, with their bytes."""
        key = self._keys(game).evidence
        names = self._connection.command("HKEYS", key)
        sizes = self._connection.independent_commands([("HSTRLEN", key, name) for name in names])
        return {name.decode(): int(size) for name, size in zip(names, sizes, strict=True)}

    def remove_packs(self, game: str, hashes: Sequence[str]) -> None:
        """Throw evidence packs of a game away."""
        if hashes:
            self._connection.command("HDEL", self._keys(game).evidence, *hashes)

    def _queue(self, game: str) -> list[str]:
        partition = self._store.partition_of(game)
        return [dispute_queue_key(partition, part) for part in (QUEUE, ROWS, DUE, RESULTS)]

    def _keys(self, game: str) -> GameKeys:
        if not is_game_id(game):
            raise GameNotFound(game)
        return GameKeys(game, self._store.partitions)


def _append_arguments(game: str, done: InTheGame, command_id: str) -> Sequence[Argument]:
    last = done.entries[-1]
    answer = RememberedAnswer(command_id, done.entries[0].version, last.version, last.hash)
    return append_arguments(game, done.head, done.entries, command_id, answer, {}, {})
