"""What tournaments keep in the store: the log of each, and for each partition which there are and what is due.

Names and shapes of the keys stand in `events.store.redis.keys`. Everything here may raise `StoreUnavailable`.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from events.store.errors import PartitionQuarantined, StoreDamaged, StoreRefused
from events.store.event_store import EventStore
from events.store.partitions import is_game_id
from events.store.redis.client.pool import Argument
from events.store.redis.keys import GameKeys, TournamentKeys, tournaments_key
from events.store.redis.redis_store import require_redis
from events.tournaments.entries import TournamentEntry
from service.storage.due_index import DueIndex
from service.storage.scanning import scan

LIST: Final = "list"
DUE: Final = "due"
_FIELDS: Final = [b"l", b"h"]


class Moved(Exception):
    """Somebody else has written first: look again, and decide again."""


class TournamentNotFound(Exception):
    """There is no tournament with this id."""


class Listed(NamedTuple):
    """Where a tournament stands in its partition's lists."""

    created: int
    due: int | None
    """When it is to be looked at; None for never."""


class TournamentRecords:
    """The tournaments of a store, as they are kept."""

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the games of this store."""
        self._store = require_redis(store)
        self._connection = self._store.connection

    def entries(self, tournament: str, first: int = 1) -> Iterator[tuple[bytes, str]]:
        """The log of a tournament in order, from this entry on: each as it is stored, with the hash after it.

        Raises:
            TournamentNotFound: no tournament can have this id.
            StoreDamaged: an entry is not as it must be.
        """
        for _, fields in self._connection.command("XRANGE", self._keys(tournament).log, f"{first}-0", "+"):
            if fields[::2] != _FIELDS:
                raise StoreDamaged(f"Tournament {tournament} has other fields than it must: {fields[::2]!r}.")
            stored, chain_hash = fields[1::2]
            yield stored, chain_hash.decode()

    def append(
        self, tournament: str, before: tuple[int, str], entries: Sequence[TournamentEntry], listed: Listed
    ) -> None:
        """Append entries to the log of a tournament that has so many with this hash.

        Raises:
            Moved: the log is not where it was seen.
            PartitionQuarantined, StoreDamaged, StoreRefused
        """
        keys, last = self._keys(tournament), entries[-1]
        names = (keys.log, keys.answers, keys.quarantine, keys.list, keys.due)
        due = "" if listed.due is None else listed.due
        arguments: list[Argument] = [
            tournament,
            *before,
            last.number,
            last.hash.encode(),
            listed.created,
            due,
        ]
        arguments.append(len(entries))
        for entry in entries:
            arguments += (entry.stored, entry.hash)
        beside = GameKeys(tournament, self._store.partitions)
        match self._store.call_appending(
            "tournament", beside, names, arguments, keys.answers, str(last.number)
        ):
            case [b"appended"]:
                return
            case [b"conflict", _]:
                raise Moved
            case [b"quarantined", reason]:
                raise PartitionQuarantined(self._store.partition_of(tournament), reason.decode())
            case [b"damaged", what]:
                raise StoreDamaged(f"Nothing was written about tournament {tournament}: {what.decode()}.")
            case other:
                raise StoreRefused(
                    f"The store's tournament function gave an answer we do not know: {other!r}."
                )

    def list_again(self, tournament: str, entries: int, listed: Listed) -> bool:
        """List a tournament as it stands after so many entries; False where its log has moved on since."""
        keys = self._keys(tournament)
        due = "" if listed.due is None else listed.due
        reply = self._store.functions.call(
            "list_tournament", (keys.log, keys.list, keys.due), (tournament, entries, listed.created, due)
        )
        return bool(reply[0] == b"listed")

    def listed(self, partition: int, before: int, limit: int) -> list[tuple[int, str]]:
        """Tournaments of a partition that were announced by this moment, newest first: when, and their ids."""
        key = tournaments_key(partition, LIST)
        found = self._connection.command(
            "ZREVRANGEBYSCORE", key, before, "-inf", "WITHSCORES", "LIMIT", 0, limit
        )
        return [(int(time), name.decode()) for name, time in zip(found[::2], found[1::2], strict=True)]

    def moments(self) -> DueIndex:
        """All tournaments by when they are to be looked at."""
        return DueIndex(self._store, [tournaments_key(each, DUE) for each in range(self._store.partitions)])

    def names(self) -> list[str]:
        """Every tournament, by the streams that there are."""
        ending = ":log"
        found = (
            scan(server, "SCAN", match=f"*:tournament:*{ending}") for server in self._connection.servers()
        )
        names = {name.decode() for names in chain.from_iterable(found) for name in names}
        return sorted(name.removesuffix(ending).rpartition(":")[2] for name in names)

    def _keys(self, tournament: str) -> TournamentKeys:
        if not is_game_id(tournament):
            raise TournamentNotFound(tournament)
        return TournamentKeys(tournament, self._store.partitions)
