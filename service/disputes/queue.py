"""The cases of all games that have not ended, oldest first: what arbiters choose from, and whose time is over."""

import heapq
from collections.abc import Iterator
from itertools import islice
from typing import Final

import msgspec

from events.store.event_store import EventStore
from events.store.partitions import is_game_id
from service.disputes.disputes import Row
from service.disputes.store import DisputeRecords
from service.projections.game_list import read_cursor, write_cursor
from service.storage.due_index import DueIndex

MOST_LISTED: Final = 200
_CHUNK: Final = 200
Place = tuple[int, str]
"""When a case was opened, and its name `<game>/<number>`: the order of the queue."""


class Wanted(msgspec.Struct, frozen=True):
    """Which cases are asked for: all of what is named."""

    game: str | None = None
    reason: str | None = None
    status: str | None = None
    opened_before: int | None = None
    """Milliseconds since the epoch."""

    def fits(self, row: Row) -> bool:
        """Whether a case is one of them."""
        return (
            self.game in {None, row.game}
            and self.reason in {None, row.reason}
            and self.status in {None, row.status}
            and (self.opened_before is None or row.opened < self.opened_before)
        )


class DisputeQueue:
    """The queue of a store, which is kept by partition. Every method may raise StoreUnavailable."""

    def __init__(self, store: EventStore) -> None:
        """Read that of this store."""
        self._store = store
        self._records = DisputeRecords(store)

    def page(self, wanted: Wanted, limit: int, cursor: str | None = None) -> tuple[list[Row], str | None]:
        """Cases, oldest first, and the cursor of the next page; None where there is none.

        Raises:
            BadCursor
        """
        behind = read_cursor(cursor, slashes=1) if cursor is not None else None
        partitions: Iterator[int] | range = range(self._store.partitions)
        if wanted.game is not None:
            partitions = iter([self._store.partition_of(wanted.game)] if is_game_id(wanted.game) else [])
        merged = heapq.merge(*(self._rows(each, behind) for each in partitions), key=lambda each: each[0])
        found = list(islice((each for each in merged if wanted.fits(each[1])), limit + 1))
        rows = [row for _, row in found[:limit]]
        return rows, write_cursor(found[limit - 1][0]) if len(found) > limit else None

    def due(self, at: int) -> dict[str, int]:
        """The games with a case whose time is over at this moment, and when the first of theirs was over.

        Games of quarantined partitions are left out.
        """
        games: dict[str, int] = {}
        for name, until in self._moments().due(at).items():
            games.setdefault(name.partition("/")[0], until)
        return games

    def next_due(self, after: int) -> int | None:
        """When the time of the next case after this moment is over; None where none has any."""
        return self._moments().next_due(after)

    def _moments(self) -> DueIndex:
        return self._records.moments(self._healthy())

    def without_pack(self) -> list[str]:
        """The games with a case about which something was said that no evidence pack knows yet.

        Games of quarantined partitions are left out.
        """
        rows = [msgspec.json.decode(row, type=Row) for row in self._records.all_rows(self._healthy())]
        return list(dict.fromkeys(row.game for row in rows if row.pack_due))

    def _healthy(self) -> list[int]:
        quarantined = self._store.quarantine.reasons()
        return [each for each in range(self._store.partitions) if each not in quarantined]

    def _rows(self, partition: int, behind: Place | None) -> Iterator[tuple[Place, Row]]:
        """The cases of a partition in order, read as they are asked for."""
        place = behind or (0, "")
        while True:
            # From the time of the last one on: several may be of one time, in the order of their names.
            named = self._records.queued(partition, place[0], _CHUNK)
            new = [each for each in named if each > place]
            if new:
                stored = self._records.rows(partition, [name for _, name in new])
                for each, row in zip(new, stored, strict=True):
                    if row is not None:
                        yield each, msgspec.json.decode(row, type=Row)
                place = new[-1]
            if len(named) < _CHUNK or not new:
                return
