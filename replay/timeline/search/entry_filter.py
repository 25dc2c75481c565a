"""Filters for entries of a record, as one viewer sees them: a card that the viewer may not see matches nothing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, get_args, get_type_hints

from events import domain_events as e
from events.domain_events import UNKNOWN_CARD
from events.log.codec import EVENT_TYPES
from replay.commentary import Commentary
from replay.timeline.timeline import Step, Timeline

_SEAT_MEMBERS: Final = ("seat", "active", "partner", "to", "owner", "payers")
_PILES: Final = ("order", "redeal")
"""Members that name a whole pile: a shuffle shows all cards or none."""


@dataclass(frozen=True, slots=True)
class EntryFilter:
    """Conditions that an entry has to meet; None means any value.

    Attributes:
        type: the event's type.
        command: the type of the command that caused the entry.
        seat: a seat that acts, trades, gives, receives or pays, counted from 0.
        card: the key of a card or variety that the entry shows.
        text: a text in the entry's sentence, ignoring case.
        after, before: versions, exclusive.
    """

    type: str | None = None
    command: str | None = None
    seat: int | None = None
    card: str | None = None
    text: str | None = None
    after: int | None = None
    before: int | None = None


def find_entries(timeline: Timeline, wanted: EntryFilter, tell: Commentary) -> Iterator[Step]:
    """Yield the entries of a timeline that meet all conditions, in order."""
    varieties = {bean.card: bean.variety for bean in timeline.header.catalogue.beans}
    command = ""
    for step in timeline.steps:
        if step.command is not None:
            command = str(step.form.entry["command"]["type"])
        if (
            (wanted.after is None or step.version > wanted.after)
            and (wanted.before is None or step.version < wanted.before)
            and wanted.type in (None, step.form.entry["type"])
            and wanted.command in (None, command)
            and (wanted.seat is None or wanted.seat in _seats(step.event))
            and (wanted.card is None or wanted.card in _cards(step.event, varieties))
            and (wanted.text is None or has_text(step, wanted.text, tell))
        ):
            yield step


def has_text(step: Step, text: str, tell: Commentary) -> bool:
    """Return whether the entry's sentence contains a text, ignoring case."""
    return text.strip().casefold() in tell.sentence(step.state, step.event).casefold()


def _seats(event: e.DomainEvent) -> set[int]:
    if isinstance(event, e.DealerCalled):
        return set()
    found: set[int] = set()
    for name in _SEAT_MEMBERS:
        value = getattr(event, name, None)
        found.update(value if isinstance(value, tuple) else () if value is None else (value,))
    return found


def _cards(event: e.DomainEvent, varieties: Mapping[str, str]) -> set[str]:
    """Return the cards that an event shows and their varieties."""
    found: set[str] = set()
    for name in _CARD_MEMBERS[type(event)]:
        value = getattr(event, name)
        found.update(value if isinstance(value, tuple) else (value,))
    found.discard(UNKNOWN_CARD)
    return found | {varieties[card] for card in found & varieties.keys()}


def _card_members(event: type[e.DomainEvent]) -> tuple[str, ...]:
    """Return the members of an event type that hold cards: besides the named ones, every list of texts."""
    hints = get_type_hints(event)
    lists = (name for name in event.__struct_fields__ if get_args(hints[name]) == (str, ...))
    named = (*lists, "card", "bonus", "variety")
    return tuple(name for name in named if name in event.__struct_fields__ and name not in _PILES)


_CARD_MEMBERS: Final = {event: _card_members(event) for event in EVENT_TYPES.values()}
