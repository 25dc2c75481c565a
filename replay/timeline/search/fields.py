"""What can be asked of an entry: the fields of the predicate language, and their values in a step as a viewer has it.

A field can have several values in one entry, or none. A card that the viewer may not see is no value at all.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, get_args, get_type_hints

from events import domain_events as e
from events.domain_events import UNKNOWN_CARD, Card
from events.log.codec import COMMAND_TYPES, EVENT_TYPES
from events.rules.catalogues.catalogue import Catalogue
from events.rules.systems.registry import BY_KEY
from replay.timeline.timeline import Step

Value = str | int
NUMBER, TEXT = "number", "text"
"""What the values of a field are."""


@dataclass(frozen=True, slots=True)
class SearchedEntry:
    """An entry as a viewer sees it, with what stands beside it.

    Attributes:
        step: the entry.
        command: the type of the command that brought it about.
    """

    step: Step
    command: str


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that can be asked.

    Attributes:
        name: how it is called in a predicate.
        kind: NUMBER or TEXT, what its values are.
        meaning: what it is, in a few words.
        values: its values in an entry.
        allowed: every text that it can be in this game; empty where it can be any.
    """

    name: str
    kind: str
    meaning: str
    values: Callable[[SearchedEntry], Iterable[Value]]
    allowed: tuple[str, ...] = ()

    @property
    def numeric(self) -> bool:
        """Whether its values are numbers."""
        return self.kind == NUMBER


def fields_for(catalogue: Catalogue) -> Mapping[str, Field]:
    """The fields for games with this catalogue, by name."""
    cards = (*(bean.card for bean in catalogue.beans), *(each.card for each in catalogue.bonus))
    known = {bean.card: bean.variety for bean in catalogue.beans}
    varieties = tuple(dict.fromkeys(known.values()))
    phases = sorted({phase.name for system in BY_KEY.values() for phase in system.phases})
    found = (
        Field("type", TEXT, "type of the event", lambda s: (s.step.form.entry["type"],), tuple(EVENT_TYPES)),
        Field("command", TEXT, "type of the command behind it", lambda s: (s.command,), tuple(COMMAND_TYPES)),
        Field(
            "actor",
            TEXT,
            "who acted: seat:0 and so on, dealer, host, arbiter",
            lambda s: (s.step.form.entry["actor"],),
        ),
        Field("seat", NUMBER, "a seat that the event names", _seats),
        Field("partner", NUMBER, "the other side of a trade, offer or gift", _partners),
        Field("card", TEXT, "a card that the event shows", lambda s: _cards(s, known), cards),
        Field("variety", TEXT, "the variety of such a card", lambda s: _varieties(s, known), varieties),
        Field(
            "want",
            TEXT,
            "what an offer asks for",
            lambda s: getattr(s.step.event, "want", ()),
            cards + varieties,
        ),
        Field("coins", NUMBER, "coins that changed hands", lambda s: _coins(s.step.event)),
        Field("offer", NUMBER, "number of an offer", lambda s: _member(s.step.event, "offer")),
        Field("field", NUMBER, "number of a field", lambda s: _member(s.step.event, "field")),
        Field("text", TEXT, "what was said at the table", lambda s: _member(s.step.event, "text")),
        Field("turn", NUMBER, "number of the turn", lambda s: (s.step.state.turn,)),
        Field(
            "active", NUMBER, "whose turn it is", lambda s: (s.step.state.active,) * bool(s.step.state.turn)
        ),
        Field("phase", TEXT, "phase of the turn", lambda s: (s.step.state.phase,), tuple(phases)),
        Field("version", NUMBER, "version of the entry", lambda s: (s.step.version,)),
        Field(
            "counts",
            TEXT,
            "no for an entry that was discarded when the game went back",
            lambda s: ("yes" if s.step.counts else "no",),
            ("yes", "no"),
        ),
    )
    return MappingProxyType({field.name: field for field in found})


def _member(event: e.DomainEvent, name: str) -> Iterable[Value]:
    value = getattr(event, name, None)
    return () if value is None else (value,)


def _seats(seen: SearchedEntry) -> Iterable[int]:
    """Who acts, trades, gives, gets or pays; the dealer's work for a seat is not the seat's."""
    event = seen.step.event
    if isinstance(event, e.DealerCalled):
        return ()
    return {each for name in ("seat", "active", *_OTHER_SIDE) for each in _numbers(event, name)}


def _partners(seen: SearchedEntry) -> Iterable[int]:
    event = seen.step.event
    names = ("active", *_OTHER_SIDE) if isinstance(event, e.TradeMade) else _OTHER_SIDE
    return {each for name in names for each in _numbers(event, name)}


def _numbers(event: e.DomainEvent, name: str) -> Iterable[int]:
    value = getattr(event, name, None)
    return value if isinstance(value, tuple) else () if value is None else (value,)


_OTHER_SIDE = ("partner", "to", "owner", "payers")


def _cards(seen: SearchedEntry, known: Mapping[Card, str]) -> set[Card]:
    """The cards that an event shows; where an offer shows only families, none."""
    families = {*known.values()} - {*known}
    return _collect_shown(seen.step.event) - families


def _varieties(seen: SearchedEntry, known: Mapping[Card, str]) -> set[str]:
    """The varieties of these cards, and those that are named as such."""
    named = {*_collect_shown(seen.step.event), *map(str, _member(seen.step.event, "variety"))}
    return {known.get(name, name) for name in named if name in known or name in known.values()}


def _collect_shown(event: e.DomainEvent) -> set[str]:
    """The cards, or families of cards, that an event shows; a shuffle shows all or none, so it is left out."""
    found: set[Card] = set()
    for name in _CARD_MEMBERS[type(event)]:
        value = getattr(event, name)
        found.update(value if isinstance(value, tuple) else (value,))
    return found - {UNKNOWN_CARD}


_PILES = ("order", "redeal")
"""Members that name a whole pile, or piles."""


def _card_members(event: type[e.DomainEvent]) -> tuple[str, ...]:
    """The members of an event that hold cards: every other list of texts in an event is one of cards."""
    hints = get_type_hints(event)
    lists = (name for name in event.__struct_fields__ if get_args(hints[name]) == (str, ...))
    return tuple(
        name for name in (*lists, "card", "bonus") if name in event.__struct_fields__ and name not in _PILES
    )


_CARD_MEMBERS = {event: _card_members(event) for event in EVENT_TYPES.values()}
_COINS: Mapping[type[e.DomainEvent], Callable[[Any], int]] = {
    e.FieldHarvested: lambda event: int(event.coins),
    e.FieldPaidFromPiles: lambda event: int(event.coins),
    e.ThirdFieldBought: lambda event: len(event.paid),
    e.CoinsLevied: lambda event: len(event.coins),
    e.CoinsDealt: lambda event: len(event.cards),
    e.BluffPaid: lambda _event: 1,
}


def _coins(event: e.DomainEvent) -> Iterable[int]:
    count = _COINS.get(type(event))
    return () if count is None else (count(event),)
