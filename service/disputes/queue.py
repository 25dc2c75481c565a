"""The cases of all games that have not ended, oldest first: what arbiters choose from, and whose time is over."""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from events.disputes.facts import MOST_CASES
from events.store.event_store import EventStore
from events.store.partitions import is_game_id
from service.disputes.disputes import Row
from service.disputes.store import DisputeRecords
from service.projections.list_cursors import read_cursor, write_cursor
from service.storage.due_index import DueIndex

MOST_LISTED: Final = 200
"""Cases in one page at most."""
MOST_LOOKED_AT: Final = 2000
"""Cases that are looked at for a page at most: where too few of them are wanted, the page has fewer."""
_SPARE: Final = 4
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

        Where most cases are not wanted there may be fewer, or none, and a next page all the same.

        Raises:
            BadCursor
        """
        behind = read_cursor(cursor, slashes=1) if cursor is not None else (0, "")
        found: list[Row] = []
        last = behind
        for looked, (place, row) in enumerate(self._oldest_first(wanted.game, behind, limit), 1):
            if wanted.opened_before is not None and row.opened >= wanted.opened_before:
                break  # as are all that follow
            if wanted.fits(row):
                if len(found) == limit:
                    return found, write_cursor(last)
                found.append(row)
            last = place
            if looked == MOST_LOOKED_AT:
                return found, write_cursor(last)
        return found, None

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

    def games(self) -> list[str]:
        """The games with a case that has not ended, of healthy partitions, in the order of their ids."""
        rows = [msgspec.json.decode(row, type=Row) for row in self._records.all_rows(self._healthy())]
        return sorted({row.game for row in rows})

    def _healthy(self) -> list[int]:
        quarantined = self._store.quarantine.reasons()
        return [each for each in range(self._store.partitions) if each not in quarantined]

    def _oldest_first(self, game: str | None, behind: Place, limit: int) -> Iterable[tuple[Place, Row]]:
        """The cases behind a place in order: those of all games, read as they are asked for, or of one."""
        if game is None:
            partitions = range(self._store.partitions)
            at_once = limit // len(partitions) + _SPARE
            return heapq.merge(*(self._rows(each, behind, at_once) for each in partitions), key=_place)
        if not is_game_id(game):
            return ()
        names = [f"{game}/{number}" for number in range(1, MOST_CASES + 1)]
        rows = self._decoded(self._store.partition_of(game), names)
        placed = [((row.opened, name), row) for name, row in rows]
        return sorted((each for each in placed if each[0] > behind), key=_place)

    def _rows(self, partition: int, behind: Place, at_once: int) -> Iterator[tuple[Place, Row]]:
        """The cases of a partition behind a place in order, first so many and then ever more at once."""
        place = behind
        while True:
            # From the time of the last one on: several may be of one time, in the order of their names.
            named = self._records.queued(partition, place[0], at_once)
            times = {name: (time, name) for time, name in named if (time, name) > place}
            if times:
                for name, row in self._decoded(partition, [*times]):
                    yield times[name], row
                place = named[-1]
            if len(named) < at_once:
                return
            at_once *= 2

    def _decoded(self, partition: int, names: Sequence[str]) -> Iterator[tuple[str, Row]]:
        """The rows of these cases by name, without those that have ended meanwhile."""
        for name, row in zip(names, self._records.rows(partition, names), strict=True):
            if row is not None:
                yield name, msgspec.json.decode(row, type=Row)


def _place(found: tuple[Place, Row]) -> Place:
    return found[0]
