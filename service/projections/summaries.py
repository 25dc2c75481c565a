"""What the list says of a game, folded from its log; of a game that cannot be read, as much as can be."""

from typing import Any, Final

import msgspec

from events.domain_events import (
    DomainEvent,
    GameCreated,
    GameEnded,
    GameRewound,
    GameStarted,
    SeatReturned,
    SeatTaken,
    SeatTakenOver,
    SecretRevealed,
)
from events.log.codec import decode_event, event_struct
from events.log.recorded import RecordedEvent
from events.log.upcasting import UndecodableEvent
from events.store.errors import GameNotFound, StoreDamaged
from events.store.event_store import EventStore
from service.access.game_access import GameAccess, GamePolicy
from service.projections.listed_games import Summary
from service.verification.stored_record import read_in_pieces

UNKNOWN: Final = "unknown"
"""The status of a game in quarantine of which not even the first event can be read."""
_TELLING: Final = (
    GameCreated,
    SeatTaken,
    SeatTakenOver,
    SeatReturned,
    GameStarted,
    GameRewound,
    GameEnded,
    SecretRevealed,
)
"""The events that change more of a summary than its version; of the others only type and schema are looked at."""


class Folded(msgspec.Struct, frozen=True):
    """A game as far as it can be read."""

    summary: Summary
    reason: str = ""
    """Why it cannot be read further; empty where it was read as far as it was asked for."""


def fold_summary(store: EventStore, game: str, before: Summary | None, version: int) -> Folded:
    """The summary of a game at a version, folded on from an earlier one, or from the log's beginning.

    Its house rules are no part of the log, and never change: that a late game of a duplicate round is shown sooner
    than they said is not looked at.

    Raises:
        StoreUnavailable: also when the game's archive cannot be reached.
    """
    policy = GameAccess(store).policy(game) if before is None else None
    summary = before
    created = 0
    try:
        for recorded in read_in_pieces(store, game, before.version if before is not None else 0, version):
            created = created or recorded.at
            summary = _of(game, summarize(summary, recorded))
    except (StoreDamaged, UndecodableEvent, GameNotFound, LookupError, TypeError, ValueError) as error:
        known = summary or Summary(game, "", UNKNOWN, (), 0, created)
        return Folded(msgspec.structs.replace(_in(policy, known), quarantined=True), str(error))
    if summary is None:
        raise ValueError(f"nothing was asked of game {game}: version {version}")
    return Folded(_in(policy, summary))


def _in(policy: GamePolicy | None, summary: Summary) -> Summary:
    """The summary with what the table decided about who may watch, where that is not in it yet."""
    if policy is None:
        return summary
    return msgspec.structs.replace(
        summary,
        visibility=policy.visibility,
        spectator_delay=policy.spectator_delay,
        creator=policy.creator,
        previous=policy.previous,
    )


def summarize(summary: Summary | None, recorded: RecordedEvent) -> Summary:
    """The summary of a game after one more event.

    Raises:
        UndecodableEvent: the event cannot be read, or is the first and creates no game.
    """
    try:
        kind = event_struct(recorded.type, recorded.schema)
    except UndecodableEvent as error:
        raise type(error)(f"version {recorded.version}: {error}") from error
    if summary is not None and kind not in _TELLING:
        return msgspec.structs.replace(summary, version=recorded.version, touched=recorded.at)
    event: DomainEvent = decode_event(recorded)
    if isinstance(event, GameCreated):
        nobody = (None,) * event.players
        version, at = recorded.version, recorded.at
        is_clocked = event.clock is not None
        return Summary(
            event.game, event.system, "open", nobody, version, at, kinds=nobody, touched=at, clock=is_clocked
        )
    if summary is None:
        raise UndecodableEvent(f"version {recorded.version}: the log does not begin with the game's creation")
    changes = _changes(summary, event, recorded.version)
    return msgspec.structs.replace(summary, version=recorded.version, touched=recorded.at, **changes)


def _with(seats: tuple[str | None, ...], seat: int, value: str) -> tuple[str | None, ...]:
    return (*seats[:seat], value, *seats[seat + 1 :])


def _of(game: str, summary: Summary) -> Summary:
    """The summary, if it is this game's."""
    if summary.game != game:
        raise UndecodableEvent(f"version {summary.version}: the log is that of game {summary.game}")
    return summary


def _changes(summary: Summary, event: DomainEvent, version: int) -> dict[str, Any]:
    match event:
        case SeatTaken():
            ids = {} if not event.player else {"player_ids": _with_id(summary, event.seat, event.player)}
            return ids | {
                "players": _with(summary.players, event.seat, event.name),
                "kinds": _with(_by_seat(summary, summary.kinds), event.seat, event.kind),
            }
        case SeatTakenOver() | SeatReturned() | GameRewound():
            return _play(summary, event)
        case GameStarted():
            return {"status": "running", "opened": version - 1}
        case GameEnded():
            return {"scores": event.scores, "winners": event.winners}
        case SecretRevealed():
            return {"status": "finished"}
        case _:
            return {}


def _with_id(summary: Summary, seat: int, player: str) -> tuple[str | None, ...]:
    return _with(_by_seat(summary, summary.player_ids), seat, player)


def _by_seat(summary: Summary, values: tuple[str | None, ...]) -> tuple[str | None, ...]:
    return values or (None,) * len(summary.players)


def _play(summary: Summary, event: SeatTakenOver | SeatReturned | GameRewound) -> dict[str, Any]:
    """Who plays now, and who has left: going back changes that only to what it says."""
    left = {seat for seat, kind in enumerate(summary.away or ()) if kind is not None}
    match event:
        case SeatTakenOver():
            return _stand_in(summary, left | {event.seat})
        case SeatReturned():
            return _stand_in(summary, left - {event.seat})
        case GameRewound():
            by_consent = int(event.case == 0)
            taken_back = {"take_backs": (summary.take_backs or 0) + by_consent}
            return taken_back | _stand_in(summary, set(event.away))


def _stand_in(summary: Summary, left: set[int]) -> dict[str, Any]:
    """Bots play the seats that somebody has left."""
    seated = _by_seat(summary, summary.seated)
    away = tuple(kind if seat in left else None for seat, kind in enumerate(seated))
    kinds = tuple(kind if gone is None else "bot" for kind, gone in zip(seated, away, strict=True))
    return {"kinds": kinds, "away": away if any(away) else ()}
