"""What a step of a game's log means to somebody outside: events, which say that it is worth looking at the game.

An event names the game, its version and chain head, its status and the seats that are waited for: what everybody who
may see the game can see of that version. Events follow from the log alone, so whoever computes them again after a
crash finds the same.
"""

from datetime import UTC, datetime
from typing import Final

import msgspec

from events.rules.table.waiting import waiting_for
from events.store.event_store import EventStore, FeedEntry
from service.access.spectator_delay import visible_version
from service.play.snapshots import Snapshot, Snapshots

_NOT_STARTED: Final = frozenset({"none", "open"})


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


class WebhookEvents:
    """Finds out what entries of the feeds mean, from the logs of their games."""

    def __init__(self, store: EventStore) -> None:
        """Read the logs of this store."""
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
        return tuple(_event(kind, after) for kind in _kinds(before, after))

    def validated(self, game: str, version: int, verdict: str, at: int) -> WebhookEvent:
        """What it means that a finished game was judged.

        Raises:
            GameNotFound, StoreDamaged, UndecodableEvent, ArchiveUnavailable, StoreUnavailable
        """
        event = _event("game.validated", self._games.at(game, version))
        return msgspec.structs.replace(event, validation=verdict, at=at)

    def _visible(self, game: str, version: int, delay: int) -> Snapshot:
        """What is shown of a game that stands at this version."""
        newest = self._games.at(game, version)
        visible = visible_version(version, newest.state.status, newest.log.opened, delay)
        return newest if visible == version else self._games.at(game, visible)


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
