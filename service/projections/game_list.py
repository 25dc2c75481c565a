"""The list of games: a read model written by the projector, read by the API.

It can be thrown away and projected again from the logs; `service.projections` does both. A page is put together from
the partitions by time, and each is read along the smallest sorted set that the filter allows, on the server itself:
the store looks at little more than what the page shows. Who does not see all games is led along those that are public
and those of their own key. The verdicts are no part of the projection. They are kept
with the validator's reports, in sorted sets of their own, and looked up in the same step.
"""

import heapq
import logging
from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from events.store.errors import StoreRefused
from events.store.event_store import EventStore
from service.projections.audience import SERVICE, Audience
from service.projections.generations import (
    CREATED,
    DUE,
    GAMES,
    QUARANTINED,
    SUMMARIES,
    generation_name,
    player_id_part,
    player_part,
    seen_part,
    status_part,
    system_part,
)
from service.projections.list_cursors import LATEST, read_cursor, write_cursor
from service.projections.listed_games import Filter, Summary
from service.projections.store import Listing, ReadModelRecords
from service.verification.store import INVALID, PENDING, VALID

MOST_LISTED = 200
"""Games in one page at most."""
MOST_LOOKED_AT: Final = 500
"""Games that one call looks at in a partition at most, so that it never holds the server up."""
MOST_CALLS: Final = 4
"""Calls for a page at most in each partition, along each way: where they find too few games, the page has fewer."""
_SPARE: Final = 4
_log = logging.getLogger("fieldbook.list")


class _Place(NamedTuple):
    """A place in the list: behind a game, by its time and id."""

    time: int
    game: str


class _Way(NamedTuple):
    """Along which games of a partition a page is looked for."""

    partition: int
    part: str | None
    """The sorted set that they stand in; None where it does not matter."""
    is_current: bool
    """Whether the status that is asked for is that of the game as it stands, or as spectators see it."""
    player: str | None = None
    """The id of a player who sits in all of them; None where that does not matter."""


class _Row(NamedTuple):
    place: _Place
    summary: bytes
    verdict: str


_Rows = tuple[list[_Row], _Place | None]
"""Some games, and the place behind which there may be more."""


class GameList:
    """The list of games as last projected, newest first."""

    def __init__(self, store: EventStore) -> None:
        """Read the projection kept beside the store's games."""
        self._store = store
        self._records = ReadModelRecords(store)
        self._in_use: dict[int, int] = {}

    def page(
        self, wanted: Filter, limit: int, cursor: str | None, audience: Audience = SERVICE
    ) -> tuple[list[Summary], str | None]:
        """At most `limit` games as an audience may see them, and the cursor of the next page if there may be more.

        Where most games are not wanted there may be fewer, or none, and a next page all the same: so many games are
        looked at for one page, and no more.

        Raises:
            BadCursor, StoreUnavailable
        """
        limit = min(limit, MOST_LISTED)
        behind = _Place(*read_cursor(cursor)) if cursor is not None else None
        if wanted.created_before is not None and (behind is None or behind.time >= wanted.created_before):
            # Behind everything that was created at this time or later: no id is shorter than none.
            behind = _Place(wanted.created_before, "")
        at_once = limit // self._store.partitions + _SPARE
        ways = [
            _Way(partition, *each, player)
            for each in audience.ways()
            for player in wanted.player_ids or (None,)
            for partition in range(self._store.partitions)
        ]
        # One round trip shows the beginning of all partitions; only a few are asked for more.
        begun = self._read(wanted, at_once, dict.fromkeys(ways, behind))
        parts = [self._newest_first(way, wanted, at_once, behind, begun[way]) for way in ways]
        found: list[Summary] = []
        last: _Place | None = None
        for row in heapq.merge(*parts, key=_age):
            if row.place == last:
                continue  # two ways lead to it
            if row.place.game == _FRONT:
                return found, write_cursor(row.place)
            summary = audience.sees(_parse_row(row))
            if summary is None or not wanted.fits(summary):
                continue
            if last is not None and len(found) == limit:
                return found, write_cursor(last)
            found.append(summary)
            last = row.place
        return found, None

    def _newest_first(
        self, way: _Way, wanted: Filter, at_once: int, since: _Place | None, begun: _Rows
    ) -> Iterator[_Row]:
        """The games of a partition that are wanted, from where they were begun to be read.

        Where no more are looked for, the last one stands in front of the place up to which it was: what others have
        behind it is for the next page. It names no game, for not everybody may know of the one that was looked at.
        """
        rows, behind = begun
        calls = 1
        # A page never ends within one time: what was told of it would be told again, or nothing new be looked at.
        told = since.time if since is not None else None
        while True:
            if behind is not None and calls >= MOST_CALLS and behind.time != told:
                yield from (row for row in rows if row.place.time > behind.time)
                yield _Row(_Place(behind.time, _FRONT), b"", "")
                return
            yield from rows
            if behind is None:
                return
            told = rows[-1].place.time if rows else told
            rows, behind = self._read(wanted, at_once, {way: behind})[way]
            calls += 1

    def _read(self, wanted: Filter, at_once: int, behind: dict[_Way, _Place | None]) -> dict[_Way, _Rows]:
        """Some games along each of these ways, behind a place or from the beginning."""
        asked = [self._listing(way, wanted, at_once, place) for way, place in behind.items()]
        replies = self._records.list_all(GAMES, asked)
        found: dict[_Way, _Rows] = {}
        for (way, place), reply in zip(behind.items(), replies, strict=True):
            match reply:
                case [b"listed", *rows]:
                    found[way] = _rows(rows)
                case [b"elsewhere", other]:
                    # Another generation is in use, which has everything that this one had.
                    self._in_use[way.partition] = other
                    found[way] = [], place or _BEGINNING
                case other:
                    raise StoreRefused(f"The list gave an answer that we do not know: {other!r}.")
        return found

    def _listing(self, way: _Way, wanted: Filter, at_once: int, behind: _Place | None) -> Listing:
        """The question for some games of a partition."""
        generation = self._in_use.get(way.partition, 1)
        inside, outside = self._sets(way, wanted)
        name, earliest = generation_name(generation), wanted.created_after or 0
        arguments = (at_once, MOST_LOOKED_AT, earliest, *(behind or ()))
        return Listing(way.partition, generation, name, SUMMARIES, inside, outside, arguments)

    def _sets(self, way: _Way, wanted: Filter) -> tuple[list[str], list[str]]:
        """The sorted sets in which a game must stand, and those in which it must not."""
        inside = [CREATED if way.part is None else way.part]
        if wanted.system is not None:
            inside.append(system_part(wanted.system))
        if wanted.status is not None:
            part_of = status_part if way.is_current else seen_part
            inside.append(part_of(wanted.status))
        if wanted.player is not None:
            inside.append(player_part(wanted.player))
        if way.player is not None:
            inside.append(player_id_part(way.player))
        if wanted.quarantined:
            inside.append(QUARANTINED)
        if (wanted.status, wanted.validation) == ("finished", PENDING):
            inside.append(DUE)
        outside = [QUARANTINED] if wanted.quarantined is False else []
        verdicts = {VALID: ([VALID], []), INVALID: ([INVALID], []), PENDING: ([], [VALID, INVALID])}
        with_verdict, without = verdicts.get(wanted.validation or "", ([], []))
        return inside + with_verdict, outside + without


_BEGINNING: Final = _Place(LATEST, "")
"""In front of every game."""
_FRONT: Final = "~"
"""What stands in front of the ids of all games of one time."""


def _rows(reply: list[bytes]) -> _Rows:
    """Rows of four, and at the end either nothing or the place of the game looked at last."""
    count, rest = divmod(len(reply), 4)
    rows = [
        _Row(_Place(int(time), game.decode()), summary, verdict.decode())
        for time, game, summary, verdict in (reply[4 * number : 4 * number + 4] for number in range(count))
    ]
    last = reply[4 * count :]
    return rows, _Place(int(last[0]), last[1].decode()) if rest > 1 else None


def _parse_row(row: _Row) -> Summary:
    try:
        summary = msgspec.json.decode(row.summary, type=Summary)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        # The projector writes it anew with the game's next event, and `fieldbook projections rebuild` all of them.
        _log.error("what the list says of game %s cannot be read: %s", row.place.game, error)
        summary = Summary(row.place.game, "", "unknown", (), 0, row.place.time, quarantined=True)
    return msgspec.structs.replace(summary, validation=row.verdict)


def _age(row: _Row) -> tuple[int, tuple[int, ...]]:
    """Sorts the newest first; games of the same millisecond as the store lists them, by id downwards."""
    return (-row.place.time, tuple(-ord(letter) for letter in row.place.game))
