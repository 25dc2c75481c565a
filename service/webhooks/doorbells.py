"""What a step of a game's log means to somebody outside: a doorbell, which says that it is worth looking.

A doorbell names the game, its version and chain head, its status and the seats that are waited for: what everybody
who may see the game can see of that version. What is rung follows from the log alone, so whoever computes it again
after a crash finds the same.
"""

from collections import OrderedDict
from datetime import UTC, datetime
from typing import Final

import msgspec

from events.redis_store import RedisEventStore
from events.rules.legal import waiting_for
from events.store import FeedEntry
from events.store_errors import StoreDamaged
from events.table import Table, WentBack, open_table
from service.catalogues import catalogue_kept
from service.tables import SECRET

_STARTED: Final = "game_started"
_REMEMBERED: Final = 1000
_BEGINNING: Final = 64
"""Entries among which a game's start is: it is set up, seats are taken, it starts."""


class Doorbell(msgspec.Struct, frozen=True):
    """Something that has happened in a game, as it may be told."""

    type: str
    game: str
    system: str
    version: int
    hash: str
    status: str
    waiting_for: tuple[int, ...]
    """The seats without which the game does not go on."""
    at: int
    """When it happened: milliseconds since the epoch."""
    validation: str = ""
    """What the validator found."""

    def payload(self) -> str:
        """The JSON that is sent: type, time and data, as Standard Webhooks recommends."""
        data = {
            "game": self.game,
            "system": self.system,
            "version": self.version,
            "hash": self.hash,
            "status": self.status,
            "waiting_for": self.waiting_for,
            **({"validation": self.validation} if self.validation else {}),
        }
        document = {"type": self.type, "timestamp": timestamp(self.at), "data": data}
        return msgspec.json.encode(document).decode()


def timestamp(milliseconds: int) -> str:
    """A time as RFC 3339 writes it.

    >>> timestamp(1_700_000_000_123)
    '2023-11-14T22:13:20.123Z'
    """
    text = datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


class _Seen(msgspec.Struct, frozen=True):
    """A table at a version, and when its last event happened."""

    table: Table
    at: int


class Doorbells:
    """Finds out what entries of the feeds mean; remembers the tables of the games that are played."""

    def __init__(self, store: RedisEventStore) -> None:
        """Read the logs of this store."""
        self._store = store
        self._known: OrderedDict[tuple[str, int], _Seen] = OrderedDict()

    def of(self, entry: FeedEntry, delay: int = 0) -> tuple[Doorbell, ...]:
        """What an entry means to somebody who is so many versions behind until the game has finished.

        Raises:
            GameNotFound, StoreDamaged, UndecodableEvent: the game cannot be read so far.
            ArchiveUnavailable, StoreUnavailable
        """
        game, first, last = entry.game_id, entry.first_version - 1, entry.last_version
        before, after = self._at(game, 0, first), self._at(game, 0, last)
        if after is None:
            return ()
        if delay:
            seen = self._visible(before, delay), self._visible(after, delay)
            before, after = (self._at(game, delay, version) for version in seen)
            if after is None or seen[0] == seen[1]:
                return ()
        return tuple(_doorbell(kind, after) for kind in _kinds(before, after))

    def validated(self, game: str, version: int, verdict: str, at: int) -> Doorbell | None:
        """What it means that a finished game was judged; None where it cannot be read to this version."""
        seen = self._at(game, 0, version)
        if seen is None:
            return None
        return msgspec.structs.replace(_doorbell("game.validated", seen), validation=verdict, at=at)

    def _visible(self, seen: _Seen | None, delay: int) -> int:
        """The last version that is shown of a game that stands there; as `service.delayed_tables` shows it."""
        if seen is None:
            return 0
        table = seen.table
        if table.state.status in {"open", "finished"}:
            return table.version
        beginning = self._store.read(table.game, 0, _BEGINNING)
        opened = next((each.version - 1 for each in beginning if each.type == _STARTED), 1)
        return max(table.version - delay, opened)

    def _at(self, game: str, behind: int, version: int) -> _Seen | None:
        """The game at a version, moved along from where somebody so far behind saw it last; None before it began."""
        if not version:
            return None
        known = self._known.get((game, behind))
        seen = self._followed(game, known, version) if known is not None else None
        seen = seen or self._opened(game, version)
        self._known[game, behind] = seen
        self._known.move_to_end((game, behind))
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return seen

    def _followed(self, game: str, known: _Seen, version: int) -> _Seen | None:
        table = known.table
        if table.version > version:
            return None
        entries = self._store.read(game, table.version - 1, version - table.version + 1)
        if not entries or entries[0].hash != table.hash or entries[-1].version != version:
            return None
        try:
            return _Seen(table.follow(entries[1:]), entries[-1].at)
        except WentBack:
            return None

    def _opened(self, game: str, version: int) -> _Seen:
        private = self._store.private(game)
        entries = self._store.read(game, 0, version)
        if len(entries) != version:
            raise StoreDamaged(
                f"Game {game} ends at version {len(entries)}; its feed tells of version {version}."
            )
        return _Seen(open_table(entries, private[SECRET], catalogue_kept(private)), entries[-1].at)


def _kinds(before: _Seen | None, after: _Seen) -> list[str]:
    """What has happened between two versions, in the order in which it is told."""
    was = before.table.state if before is not None else None
    now = after.table.state
    kinds = []
    if was is None:
        kinds.append("game.created")
    if (was is None or was.status == "open") and now.status != "open":
        kinds.append("game.started")
    if now.status == "finished" and (was is None or was.status != "finished"):
        kinds.append("game.finished")
    due = waiting_for(now)
    is_same = was is not None and was.status == now.status and (was.turn, waiting_for(was)) == (now.turn, due)
    if due and not is_same:
        kinds.append("game.turn")
    return kinds


def _doorbell(kind: str, seen: _Seen) -> Doorbell:
    table = seen.table
    return Doorbell(
        kind,
        table.game,
        table.state.system,
        table.version,
        table.hash,
        table.state.status,
        waiting_for(table.state),
        seen.at,
    )
