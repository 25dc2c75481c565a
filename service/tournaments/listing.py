"""The list of tournaments: newest first, over all partitions, page by page."""

import heapq
from collections.abc import Iterator
from typing import Final

from service.projections.list_cursors import read_cursor, write_cursor
from service.tournaments.store import TournamentRecords
from service.tournaments.tournaments import TournamentLog, Tournaments

MOST_LISTED: Final = 50
"""Tournaments in one page at most."""
USUALLY_LISTED: Final = 20
LARGEST_SHOWN: Final = 7_000_000
"""Bytes of a tournament as everybody may see it, where it is as large as one can be."""
_ALWAYS: Final = 2**53
_AT_ONCE: Final = 10
Place = tuple[int, str]


def list_page(
    tournaments: Tournaments, partitions: int, limit: int, cursor: str | None
) -> tuple[list[TournamentLog], str | None]:
    """So many tournaments behind a cursor, and the cursor of the following page; None at the end.

    Raises:
        ValueError: it is no cursor.
    """
    behind = read_cursor(cursor) if cursor is not None else (_ALWAYS, "")
    ways = [_newest_first(tournaments.records, each, behind) for each in range(partitions)]
    found: list[TournamentLog] = []
    last = behind
    for place in heapq.merge(*ways, reverse=True):
        if len(found) == limit:
            return found, write_cursor(last)
        found.append(tournaments.of(place[1]))
        last = place
    return found, None


def _newest_first(records: TournamentRecords, partition: int, behind: Place) -> Iterator[Place]:
    """The places of a partition's tournaments behind this one."""
    before, at_once = behind[0], _AT_ONCE
    last = behind
    while True:
        named = records.listed(partition, before, at_once)
        for place in sorted(named, reverse=True):
            # Several may be of one time: they stand in the order of their names.
            if place < last:
                yield place
                last = place
        if len(named) < at_once:
            return
        if named[-1][0] == before:
            at_once *= 2
        before = named[-1][0]
