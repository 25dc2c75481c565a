"""The list of games: a read model written by the projector, read by the API.

It can be thrown away and projected again from the logs; `service.projections` does both. A page is put together from
the partitions by time, and each is read along the smallest sorted set that the filter allows, on the server itself:
the store looks at little more than what the page shows. Who does not see all games is led along those that are public
and those of their own key. The verdicts are no part of the projection. They are kept
with the validator's reports, in sorted sets of their own, and looked up in the same step.
"""

import heapq
import logging
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from events.redis_pool import Argument
from events.redis_store import RedisEventStore
from events.store_errors import StoreRefused
from service.admission import PUBLIC_GAME
from service.checkpoints import Checkpoints
from service.projections.generations import (
    CREATED,
    DUE,
    PUBLIC,
    QUARANTINED,
    SUMMARIES,
    creator_part,
    generation_name,
    in_use_key,
    player_part,
    seen_part,
    status_part,
    system_part,
)
from service.validations import INVALID, PENDING, VALID, Validations

MOST_LISTED = 200
"""Games in one page at most."""
_MOST_LOOKED_AT: Final = 2000
"""Games that one call looks at in a partition at most, so that it never holds the server up."""
_SPARE: Final = 4
_log = logging.getLogger("fieldbook.list")


class Summary(msgspec.Struct, frozen=True):
    """A game in the list."""

    game: str
    system: str
    status: str
    """`open`, `running` or `finished`; `unknown` where not even the first event can be read."""
    players: tuple[str | None, ...]
    version: int
    """As far as the game is listed; one in quarantine may have been played further."""
    created: int
    """Milliseconds since the epoch; 0 where that cannot be read."""
    scores: tuple[int, ...] | None = None
    winners: tuple[int, ...] | None = None
    validation: str = PENDING
    """`pending` until the finished game's report is there, then `valid` or `invalid`."""
    quarantined: bool = False
    """Whether the log cannot be read up to its end; the rest is what was known up to there."""
    visibility: str = PUBLIC_GAME
    spectator_delay: int = 0
    """Versions that spectators are behind until the game has finished."""
    creator: str = ""
    """The id of the key that set the game up."""
    opened: int = 0
    """The last version at which the game was open, once it has started."""

    def behind(self) -> "Summary":
        """The game as spectators see it who are behind."""
        if not self.spectator_delay or self.status != "running":
            return self
        version = max(self.version - self.spectator_delay, self.opened)
        status = "open" if version <= self.opened else "running"
        return msgspec.structs.replace(self, version=version, status=status, scores=None, winners=None)


class Filter(msgspec.Struct, frozen=True):
    """Which games to list; None is any."""

    system: str | None = None
    status: str | None = None
    player: str | None = None
    validation: str | None = None
    quarantined: bool | None = None
    created_after: int | None = None
    """Created at this time or later: milliseconds since the epoch."""
    created_before: int | None = None
    """Created before this time."""


class Audience(msgspec.Struct, frozen=True):
    """Who looks at the list: by default strangers, who are shown public games as spectators see them."""

    key: str | None = None
    """The id of their key: with it they see their own games."""
    every: bool = False
    """Whether they see games that are not public."""
    every_finished: bool = False
    """Whether they see those once they have finished."""
    is_current: bool = False
    """Whether they see all games as they stand."""

    def ways(self) -> list[tuple[str | None, bool]]:
        """The sorted sets that together have all games which they see, None being that of all games.

        With each goes whether they see the games that they find there as they stand, and not as spectators do.
        """
        if self.every:
            ways: list[tuple[str | None, bool]] = [(None, self.is_current)]
        else:
            ways = [(PUBLIC, self.is_current)]
            if self.every_finished:
                ways.append((status_part("finished"), True))
        if self.key is not None and not (self.every and self.is_current):
            ways.append((creator_part(self.key), True))
        return ways

    def sees(self, summary: Summary) -> Summary | None:
        """A game as they may see it, or None."""
        is_own = self.key is not None and self.key == summary.creator
        is_open_to_them = self.every or (self.every_finished and summary.status == "finished")
        if summary.visibility != PUBLIC_GAME and not (is_own or is_open_to_them):
            return None
        return summary if is_own or self.is_current else summary.behind()


SERVICE: Final = Audience(every=True, is_current=True)
"""The service itself."""


class BadCursor(Exception):
    """A cursor is not one that this list handed out."""


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


class _Row(NamedTuple):
    place: _Place
    summary: bytes
    verdict: str


_Rows = tuple[list[_Row], _Place | None]
"""Some games, and the place behind which there may be more."""


class GameList:
    """The list of games as last projected, newest first."""

    def __init__(self, store: RedisEventStore) -> None:
        """Read the projection kept beside the store's games."""
        self._store = store
        self._checkpoints = Checkpoints(store)
        self._validations = Validations(store)
        self._in_use: dict[int, int] = {}

    def page(
        self, wanted: Filter, limit: int, cursor: str | None, audience: Audience = SERVICE
    ) -> tuple[list[Summary], str | None]:
        """At most `limit` games as an audience may see them, and the cursor of the next page if there are more.

        Raises:
            BadCursor, StoreUnavailable
        """
        limit = min(limit, MOST_LISTED)
        behind = _decoded(cursor) if cursor is not None else None
        if wanted.created_before is not None and (behind is None or behind.time >= wanted.created_before):
            # Behind everything that was created at this time or later: no id is shorter than none.
            behind = _Place(wanted.created_before, "")
        at_once = limit // self._store.partitions + _SPARE
        ways = [
            _Way(partition, *each) for each in audience.ways() for partition in range(self._store.partitions)
        ]
        # One round trip shows the beginning of all partitions; only a few are asked for more.
        begun = self._read(wanted, at_once, dict.fromkeys(ways, behind))
        parts = [self._newest_first(way, wanted, at_once, begun[way]) for way in ways]
        found: list[Summary] = []
        last: _Place | None = None
        for row in heapq.merge(*parts, key=_age):
            if row.place == last:
                continue  # two ways lead to it
            summary = audience.sees(_listed(row))
            if summary is None or wanted.status not in (None, summary.status):
                continue
            if last is not None and len(found) == limit:
                return found, _encoded(last)
            found.append(summary)
            last = row.place
        return found, None

    def _newest_first(self, way: _Way, wanted: Filter, at_once: int, begun: _Rows) -> Iterator[_Row]:
        """The games of a partition that are wanted, from where they were begun to be read."""
        rows, behind = begun
        while True:
            yield from rows
            if behind is None:
                return
            rows, behind = self._read(wanted, at_once, {way: behind})[way]

    def _read(self, wanted: Filter, at_once: int, behind: dict[_Way, _Place | None]) -> dict[_Way, _Rows]:
        """Some games along each of these ways, behind a place or from the beginning."""
        calls = [self._call(way, wanted, at_once, place) for way, place in behind.items()]
        replies = self._store.functions.call_all("list", calls)
        found: dict[_Way, _Rows] = {}
        for (way, place), reply in zip(behind.items(), replies, strict=True):
            match reply:
                case [b"listed", *rows]:
                    found[way] = _rows(rows)
                case [b"elsewhere", other]:
                    # Another generation is in use, which has everything that the former one had.
                    self._in_use[way.partition] = other
                    found[way] = [], place or _BEGINNING
                case other:
                    raise StoreRefused(f"The list gave an answer that we do not know: {other!r}.")
        return found

    def _call(
        self, way: _Way, wanted: Filter, at_once: int, behind: _Place | None
    ) -> tuple[tuple[str, ...], tuple[Argument, ...]]:
        """Keys and arguments with which the store lists some games of a partition."""
        generation = self._in_use.get(way.partition, 1)
        name = generation_name(generation)
        inside, outside = self._sets(way, name, wanted)
        keys = (
            in_use_key(way.partition),
            self._key(way.partition, name, SUMMARIES),
            *self._validations.verdict_keys(way.partition),
            *inside,
            *outside,
        )
        earliest = wanted.created_after or 0
        return keys, (generation, len(inside), at_once, _MOST_LOOKED_AT, earliest, *(behind or ()))

    def _sets(self, way: _Way, name: str, wanted: Filter) -> tuple[list[str], list[str]]:
        """The sorted sets in which a game must stand, and those in which it must not."""
        partition = way.partition
        inside = [CREATED if way.part is None else way.part]
        if wanted.system is not None:
            inside.append(system_part(wanted.system))
        if wanted.status is not None:
            part_of = status_part if way.is_current else seen_part
            inside.append(part_of(wanted.status))
        if wanted.player is not None:
            inside.append(player_part(wanted.player))
        if wanted.quarantined:
            inside.append(QUARANTINED)
        if (wanted.status, wanted.validation) == ("finished", PENDING):
            inside.append(DUE)
        outside = [QUARANTINED] if wanted.quarantined is False else []
        valid, invalid = self._validations.verdict_keys(partition)
        verdicts = {VALID: ([valid], []), INVALID: ([invalid], []), PENDING: ([], [valid, invalid])}
        with_verdict, without = verdicts.get(wanted.validation or "", ([], []))
        return (
            [self._key(partition, name, part) for part in inside] + with_verdict,
            [self._key(partition, name, part) for part in outside] + without,
        )

    def _key(self, partition: int, name: str, part: str) -> str:
        return self._checkpoints.read_model_key(partition, name, part)


_BEGINNING: Final = _Place(2**53, "")
"""In front of every game."""


def _rows(reply: list[bytes]) -> _Rows:
    """Rows of four, and at the end either nothing or the place of the game looked at last."""
    count, rest = divmod(len(reply), 4)
    rows = [
        _Row(_Place(int(time), game.decode()), summary, verdict.decode())
        for time, game, summary, verdict in (reply[4 * number : 4 * number + 4] for number in range(count))
    ]
    last = reply[4 * count :]
    return rows, _Place(int(last[0]), last[1].decode()) if rest > 1 else None


def _listed(row: _Row) -> Summary:
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


def _encoded(last: _Place) -> str:
    return urlsafe_b64encode(f"{last.time}/{last.game}".encode()).decode().rstrip("=")


def _decoded(cursor: str) -> _Place:
    try:
        time, game = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii").split("/")
        place = _Place(int(time), game)
    except ValueError as error:
        raise BadCursor(cursor) from error
    if not 0 <= place.time <= _BEGINNING.time:
        raise BadCursor(cursor)
    return place
