"""What a step of a game's log means to somebody outside: events, which say that it is worth looking at the game.

An event names the game, its version and chain head, its status and the seats that are waited for: what everybody who
may see the game can see of that version. Events follow from the log alone, so whoever computes them again after a
crash finds the same.
"""

from datetime import UTC, datetime
from typing import Final

import msgspec

from events.domain_events import TimeExpired
from events.game.clock import Clock, Wait
from events.log.codec import decode_event
from events.rules.table.waiting import waiting_for
from events.store.errors import GameNotFound
from events.store.event_store import EventStore, FeedEntry
from service.access.spectator_delay import visible_version
from service.play.snapshots import Snapshot, Snapshots

TIME_LOW: Final = "seat.time_low"
"""The one that comes of no step, but of a moment."""
OF_THE_END: Final = frozenset({"game.finished", "game.validated"})
"""Those that nothing leads to but the end of a game."""
_LAST: Final = "secret_revealed"
_EXPIRED: Final = "time_expired"
_NOT_STARTED: Final = frozenset({"none", "open"})


class SeatsTime(msgspec.Struct, frozen=True, omit_defaults=True):
    """The time of a seat, for its move or for answering an offer."""

    seat: int
    deadline: int
    """When it is over: milliseconds since the epoch."""
    offer: int | None = None


class WebhookEvent(msgspec.Struct, frozen=True):
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
    times: tuple[SeatsTime, ...] = ()
    """Of the seats that it is about, in a game with a clock."""
    seats: tuple[int, ...] = ()
    """Those that bots have taken over."""
    names: tuple[int | str, ...] = ()
    """What tells it from others of its kind and game, where it is none of this version."""

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
            **({"times": self.times} if self.times else {}),
            **({"seats": self.seats} if self.seats else {}),
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


class WebhookEvents:
    """Finds out what entries of the feeds mean, from the logs of their games."""

    def __init__(self, store: EventStore) -> None:
        """Read the logs of this store."""
        self._store = store
        self._games = Snapshots(store)

    def of(self, entry: FeedEntry, delay: int = 0) -> tuple[WebhookEvent, ...]:
        """What an entry means to somebody who is so many versions behind until the game has finished.

        Raises:
            GameNotFound, StoreDamaged, UndecodableEvent: the game cannot be read so far.
            ArchiveUnavailable, StoreUnavailable
        """
        before = self._visible(entry.game_id, entry.first_version - 1, delay)
        after = self._visible(entry.game_id, entry.last_version, delay)
        if before.version == after.version:
            return ()
        found = [_event(kind, after) for kind in _kinds(before, after)]
        seats = _taken_over(before, after)
        if seats:
            found.append(msgspec.structs.replace(_event("seat.taken_over", after), seats=seats))
        if after.log.clock is not None:
            found += self._of_the_clock(after.log.clock, before, after)
        return tuple(found)

    def ends_game(self, entry: FeedEntry) -> bool:
        """Whether this is the last append of a game, by which it has finished: a look at one entry of its log.

        Raises:
            GameNotFound, StoreDamaged, ArchiveUnavailable, StoreUnavailable
        """
        last = self._store.read(entry.game_id, entry.last_version - 1, 1)
        return any(each.type == _LAST for each in last)

    def newest(self, game: str) -> Snapshot:
        """A game as it stands.

        Raises:
            GameNotFound, StoreDamaged, UndecodableEvent, ArchiveUnavailable, StoreUnavailable
        """
        head = self._store.head(game)
        if head is None:
            raise GameNotFound(game)
        return self._games.at(game, head.version)

    def validated(self, game: str, version: int, verdict: str, at: int) -> WebhookEvent:
        """What it means that a finished game was judged.

        Raises:
            GameNotFound, StoreDamaged, UndecodableEvent, ArchiveUnavailable, StoreUnavailable
        """
        event = _event("game.validated", self._games.at(game, version))
        return msgspec.structs.replace(event, validation=verdict, at=at)

    def _of_the_clock(self, clock: Clock, before: Snapshot, after: Snapshot) -> list[WebhookEvent]:
        """Whom the game waits for from now on, and whose time was over."""
        known = {(each.awaited, each.since) for each in before.log.clock.waits} if before.log.clock else set()
        begun = tuple(
            SeatsTime(each.awaited.seat, each.deadline, each.awaited.offer)
            for each in clock.waits
            if (each.awaited, each.since) not in known
        )
        entries = self._store.read(after.state.game, before.version, after.version - before.version)
        expired = [decode_event(each) for each in entries if each.type == _EXPIRED]
        over = tuple(
            SeatsTime(each.seat, each.deadline, each.offer)
            for each in expired
            if isinstance(each, TimeExpired)
        )
        found = (("seat.awaited", begun), ("seat.time_over", over))
        return [msgspec.structs.replace(_event(kind, after), times=times) for kind, times in found if times]

    def _visible(self, game: str, version: int, delay: int) -> Snapshot:
        """What is shown of a game that stands at this version."""
        newest = self._games.at(game, version)
        visible = visible_version(version, newest.state.status, newest.log.opened, delay)
        return newest if visible == version else self._games.at(game, visible)


def time_low(seen: Snapshot, wait: Wait) -> WebhookEvent:
    """What it means that a seat is low on time, in a game that stands so.

    However often and at whichever version that is found, it is told once for each wait.
    """
    seat, offer = wait.awaited.seat, wait.awaited.offer
    times = (SeatsTime(seat, wait.deadline, offer),)
    names = seat, "move" if offer is None else offer, wait.since
    return msgspec.structs.replace(_event(TIME_LOW, seen), times=times, at=wait.low_at, names=names)


def _kinds(before: Snapshot, after: Snapshot) -> list[str]:
    """What has happened between two versions, in the order in which it is told."""
    was, now = before.state, after.state
    kinds = []
    if not before.version:
        kinds.append("game.created")
    if was.status in _NOT_STARTED and now.status not in _NOT_STARTED:
        kinds.append("game.started")
    if now.status == "finished" and was.status != "finished":
        kinds.append("game.finished")
    due = waiting_for(now)
    if due and (was.status, was.turn, waiting_for(was)) != (now.status, now.turn, due):
        kinds.append("game.turn")
    return kinds


def _taken_over(before: Snapshot, after: Snapshot) -> tuple[int, ...]:
    """The seats that bots play for who has left, since then."""
    gone = {seat for seat, each in enumerate(before.state.seats) if each.away}
    return tuple(seat for seat, each in enumerate(after.state.seats) if each.away and seat not in gone)


def _event(kind: str, seen: Snapshot) -> WebhookEvent:
    state = seen.state
    return WebhookEvent(
        kind,
        state.game,
        state.system,
        seen.version,
        seen.hash,
        state.status,
        waiting_for(state),
        seen.at,
    )
