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
from itertools import zip_longest
from typing import Any, Final, NamedTuple

import msgspec

from events.store.errors import StoreRefused
from events.store.event_store import EventStore
from service.access.game_access import PUBLIC_GAME, GamePolicy
from service.access.keys import Key
from service.access.rights import Rights
from service.access.spectator_delay import visible_version
from service.projections.generations import (
    CREATED,
    DUE,
    GAMES,
    PUBLIC,
    QUARANTINED,
    SUMMARIES,
    creator_part,
    generation_name,
    player_id_part,
    player_part,
    seen_part,
    status_part,
    system_part,
)
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
    """The id of the key that set the game up, or the pseudonym of a guest's address."""
    kinds: tuple[str | None, ...] = ()
    """Who plays each seat now, `human`, `bot` or `program`; empty where an earlier release has listed the game."""
    opened: int = 0
    """The last version at which the game was open, once it has started."""
    take_backs: int | None = 0
    """How often all agreed to go back; None for those who are behind. Earlier releases did not list it: 0."""
    away: tuple[str | None, ...] | None = ()
    """By seat, who has left it while a bot plays on, `human` or `program`; empty where nobody has. None for those who
    are behind. Of what happened under earlier releases nothing is listed."""
    touched: int = 0
    """When its last event happened: milliseconds since the epoch. Earlier releases did not list it: 0."""
    player_ids: tuple[str | None, ...] = ()
    """By seat, which player has taken it; empty where no seat names one."""
    clock: bool = False
    """Whether it is played by a clock. Earlier releases did not list it."""
    previous: str = ""
    """The game after which it is played again: then its free seats are kept."""

    @property
    def policy(self) -> GamePolicy:
        """Its house rules, as far as the list knows them."""
        return GamePolicy(self.visibility, self.spectator_delay, self.creator)

    def behind(self, delay: int) -> "Summary":
        """The game as those see it who are so many versions behind."""
        version = visible_version(self.version, self.status, self.opened, delay)
        if version == self.version:
            return self
        status = "open" if version <= self.opened else "running"
        hidden: dict[str, Any] = dict.fromkeys(("scores", "winners", "take_backs", "away"))
        return msgspec.structs.replace(self, version=version, status=status, kinds=self.seated, **hidden)

    @property
    def seated(self) -> tuple[str | None, ...]:
        """Who has taken each seat, whether or not they have left it."""
        return tuple(left or kind for left, kind in zip_longest(self.away or (), self.kinds))


class Filter(msgspec.Struct, frozen=True):
    """Which games to list; None is any."""

    system: str | None = None
    status: str | None = None
    player: str | None = None
    player_ids: tuple[str, ...] = ()
    """With a player who is known by any of these ids; with anybody where there are none."""
    validation: str | None = None
    quarantined: bool | None = None
    created_after: int | None = None
    """Created at this time or later: milliseconds since the epoch."""
    created_before: int | None = None
    """Created before this time."""
    players: int | None = None
    """With so many seats."""
    free: int | None = None
    """Open, with so many seats at least that anybody can take."""
    clock: bool | None = None
    """Whether they are played by a clock."""
    visibility: str | None = None

    def fits(self, summary: Summary) -> bool:
        """Whether a game that was found is wanted, by what no sorted set says."""
        free = 0 if summary.previous else sum(name is None for name in summary.players)
        return (
            self.status in {None, summary.status}
            and self.players in (None, len(summary.players))
            and (self.free is None or (summary.status == "open" and free >= self.free))
            and self.clock in (None, summary.clock)
            and self.visibility in (None, summary.visibility)
        )


class Audience(msgspec.Struct, frozen=True):
    """Who looks at the list: by default strangers, who are shown public games as spectators see them."""

    key: Key | None = None
    """Their key: with it they see their own games."""
    is_service: bool = False
    """Whether it is the service itself, which sees everything."""

    @property
    def every(self) -> bool:
        """Whether they see games that are not public."""
        return self.is_service or self._may("read_games") or self.is_current

    @property
    def is_current(self) -> bool:
        """Whether they see all games as they stand."""
        return self.is_service or self._may("arbitrate")

    def ways(self) -> list[tuple[str | None, bool]]:
        """The sorted sets that together have all games which they see, None being that of all games.

        With each goes whether they see the games that they find there as they stand, and not as spectators do.
        """
        if self.every:
            ways: list[tuple[str | None, bool]] = [(None, self.is_current)]
        else:
            ways = [(PUBLIC, self.is_current)]
            if self._may("audit"):
                ways.append((status_part("finished"), True))
        if self.key is not None and not (self.every and self.is_current):
            ways.append((creator_part(self.key.id), True))
        return ways

    def sees(self, summary: Summary) -> Summary | None:
        """A game as they may see it, or None."""
        if self.is_service:
            return summary
        rights = Rights(summary.policy, self.key)
        is_open_to_them = self.every or (self._may("audit") and summary.status == "finished")
        if not (summary.policy.is_listed or rights.is_creator or is_open_to_them):
            return None
        return summary.behind(rights.delay)

    def _may(self, scope: str) -> bool:
        return self.key is not None and self.key.may(scope)


SERVICE: Final = Audience(is_service=True)
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
                    # Another generation is in use, which has everything that the former one had.
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


_BEGINNING: Final = _Place(2**53, "")
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


def write_cursor(place: tuple[int, str]) -> str:
    """A place in a list, which is the time and the name of what stands there, as one opaque word."""
    return urlsafe_b64encode(f"{place[0]}/{place[1]}".encode()).decode().rstrip("=")


def read_cursor(cursor: str, slashes: int = 0) -> tuple[int, str]:
    """The place that a word stands for; so many slashes are in its name.

    Raises:
        BadCursor: it is none.
    """
    try:
        text = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
        time, name = text.split("/", 1)
        place = int(time), name
    except ValueError as error:
        raise BadCursor(cursor) from error
    if not 0 <= place[0] <= _BEGINNING.time or name.count("/") != slashes:
        raise BadCursor(cursor)
    return place
