"""What annotations keep in the store: a stream of each game's, beside its log (`events.store.redis.keys`)."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from events.store.errors import GameNotFound, PartitionQuarantined, StoreDamaged
from events.store.event_store import EventStore
from events.store.partitions import is_game_id
from events.store.redis.client.pool import Argument
from events.store.redis.keys import GameKeys
from events.store.redis.redis_store import require_redis
from replay.annotations.book import LARGEST, MOST_ENTRIES, MOST_SETS
from replay.annotations.content import AnnotationRefused
from replay.annotations.entries import AnnotationEntry

MOST_OWN: Final = 40
"""Sets of one owner in one game at most."""
_FIELDS: Final = [b"n", b"o", b"l", b"h", b"k", b"a"]


class StoredEntry(NamedTuple):
    """An entry of a set as it is kept."""

    set: str
    owner: str
    line: bytes
    hash: str
    request: str
    """The request that wrote it; empty where it was another entry's too."""
    answer: bytes
    """The answer to that request."""


class AnnotationRecords:
    """The annotations of a store's games, as they are kept. Every method may raise StoreUnavailable."""

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the logs of this store."""
        self._store = require_redis(store)

    def entries(self, game: str) -> Iterator[StoredEntry]:
        """All entries of a game's sets, in the order in which they were written.

        Raises:
            GameNotFound: no game can have this id.
            StoreDamaged: an entry is not as it must be.
        """
        for _, fields in self._store.connection.command("XRANGE", self._keys(game).annotations, "-", "+"):
            if fields[::2] != _FIELDS:
                raise StoreDamaged(
                    f"An annotation of game {game} has other fields than it must: {fields[::2]!r}."
                )
            name, owner, line, chain_hash, request, answer = fields[1::2]
            yield StoredEntry(
                name.decode(), owner.decode(), line, chain_hash.decode(), request.decode(), answer
            )

    def append(
        self,
        owner: str,
        before: tuple[int, str],
        entries: Sequence[AnnotationEntry],
        request: str,
        answer: bytes,
    ) -> bytes | None:
        """Append entries to a set that has so many with this hash; None where it has moved on.

        Returns the answer that is kept to this request from now on: where the request was known nothing was written.

        Raises:
            AnnotationRefused: the set is somebody else's, or there is no room.
            GameNotFound, PartitionQuarantined, StoreDamaged
        """
        game, name = entries[0].game, entries[0].set
        keys = self._keys(game)
        names = (keys.head, keys.annotations, keys.annotations_index, keys.quarantine)
        arguments: list[Argument] = [name, owner, *before, answer, request]
        arguments += (MOST_ENTRIES, MOST_SETS, MOST_OWN, LARGEST, len(entries))
        for entry in entries:
            arguments += (entry.line, entry.hash)
        remembered = (keys.annotations_index, f"request:{request}")
        match self._store.call_appending("annotate", keys, names, arguments, *remembered):
            case [b"appended"]:
                return answer
            case [b"known", bytes(stored)]:
                return stored
            case [b"conflict", *_]:
                return None
            case [b"missing"]:
                raise GameNotFound(game)
            case [b"quarantined", reason]:
                raise PartitionQuarantined(self._store.partition_of(game), reason.decode())
            case [b"foreign"]:
                raise AnnotationRefused("no_such_set", "You have no set with this id in this game.")
            case [b"full", what]:
                raise AnnotationRefused(
                    "annotations_full", f"There is no room for more {what.decode()} in this game."
                )
            case other:
                raise StoreDamaged(f"The store's annotate function gave an answer we do not know: {other!r}.")

    def _keys(self, game: str) -> GameKeys:
        if not is_game_id(game):
            raise GameNotFound(game)
        return GameKeys(game, self._store.partitions)
