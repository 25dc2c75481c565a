"""Events as rows of a table: the same columns in every format, one row for each event as the viewer has it.

The columns, their order and their meaning are documented in docs/replay.md and stay; new ones come at the end.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from events import domain_events as e
from replay.commentary import Commentary
from replay.platform.safe_text import safe, safe_json
from replay.timeline.timeline import Step, Timeline

_PARTNER = ("partner", "to", "owner")
_SEAT = ("seat", "active")
_CARDS = ("cards", "card", "hand_cards", "active_cards", "paid", "kept", "coins", "variety", "bonus")


class EventRow(NamedTuple):
    """One event.

    Attributes:
        game: the game's id.
        version: the entry's version, from 1.
        at: milliseconds since the epoch, in UTC.
        turn: the turn after the event; 0 before the first.
        phase: the phase after it; empty before the first.
        actor: `host`, `dealer`, `arbiter` or `seat:N`.
        command: the type of the command that brought it about, on its first event only.
        event: the event's type.
        seat: whose event it is; of a trade the active player's.
        partner: the other seat, where there is one.
        field: the number of the field.
        offer: the number of the offer.
        coins: coins earned by a harvest.
        cards: the event's cards in their order, of a trade those that `seat` gave; `?` is one that is hidden.
        sentence: what happened, in words.
        data: the event's own members as canonical JSON, as the viewer has them.
        hash: the chain hash after the entry.
        counts: 1, or 0 for what was discarded when the game went back.
    """

    game: str
    version: int
    at: int
    turn: int
    phase: str
    actor: str
    command: str
    event: str
    seat: int | None
    partner: int | None
    field: int | None
    offer: int | None
    coins: int | None
    cards: tuple[str, ...]
    sentence: str
    data: str
    hash: str
    counts: int


def event_rows(timeline: Timeline, language: str) -> Iterator[EventRow]:
    """The rows of a game, version 1 first."""
    tell = Commentary(timeline.header.catalogue, language)
    for version in range(1, timeline.last + 1):
        yield _row(timeline.at(version), tell)


def _row(step: Step, tell: Commentary) -> EventRow:
    entry, state = step.form.entry, step.state
    return EventRow(
        game=safe(state.game, 60),
        version=step.version,
        at=int(entry["at"]),
        turn=state.turn,
        phase=safe(state.phase, 60),
        actor=str(entry["actor"]),
        command=str(entry["command"]["type"]) if step.command is not None else "",
        event=str(entry["type"]),
        seat=_first(step.event, _SEAT),
        partner=_first(step.event, _PARTNER),
        field=_first(step.event, ("field",)),
        offer=_first(step.event, ("offer",)),
        coins=_coins(step.event),
        cards=_cards(step.event),
        sentence=tell.sentence(state, step.event),
        data=safe_json(msgspec.json.encode(entry["data"], order="sorted")).decode(),
        hash=step.form.hash,
        counts=int(step.counts),
    )


def _first(event: e.DomainEvent, names: tuple[str, ...]) -> int | None:
    found = (getattr(event, name, None) for name in names)
    return next((value for value in found if isinstance(value, int)), None)


def _coins(event: e.DomainEvent) -> int | None:
    return event.coins if isinstance(event, e.FieldHarvested | e.FieldPaidFromPiles) else None


def _cards(event: e.DomainEvent) -> tuple[str, ...]:
    found: Any = next((getattr(event, name) for name in _CARDS if hasattr(event, name)), ())
    cards = (found,) if isinstance(found, str) else found if isinstance(found, tuple) else ()
    return tuple(safe(str(card), 60) for card in cards)
