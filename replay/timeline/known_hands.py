"""What everybody knows of each hand, followed event by event: all of it comes from what was open to everybody.

A hand is a queue. Of its places some are known: a hand that was taken up from the open table is known card by card.
When a card leaves it from a place that only its owner knows, every place that it may have come from becomes
uncertain, and those before the first and behind the last such place stay known. What a hand holds is followed apart
from where: a card that was offered is in the hand at that moment, whatever its place.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import replace

from events import domain_events as e
from events.domain_events import UNKNOWN_CARD, Card
from events.rules.catalogues.catalogue import Catalogue
from events.rules.table.state import GameState


class KnownHand(msgspec.Struct, frozen=True):
    """What everybody knows of one hand.

    Attributes:
        places: front first, each card, or UNKNOWN_CARD where it is not known.
        at_least: so many of a card it holds for certain, wherever; counts the known places too.
        of_variety: the same for varieties, where the card itself was not shown.
    """

    places: tuple[Card, ...] = ()
    at_least: Mapping[Card, int] = MappingProxyType({})
    of_variety: Mapping[str, int] = MappingProxyType({})


class Passed(msgspec.Struct, frozen=True):
    """The cards of a kind that went from one seat to another so far, in trades and as gifts."""

    giver: int
    taker: int
    card: Card
    count: int


class OpenKnowledge(msgspec.Struct, frozen=True):
    """What everybody knows of the hands, and what has passed between the seats."""

    hands: tuple[KnownHand, ...] = ()
    passed: tuple[Passed, ...] = ()


NOTHING_KNOWN = OpenKnowledge()
"""Before anything happened."""


class OfferedNames:
    """What a name in an offer says: which card it is, or only which variety."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Take the cards of this catalogue."""
        self.variety: Mapping[Card, str] = {bean.card: bean.variety for bean in catalogue.beans}
        self._kinds = Counter(self.variety.values())

    def is_card(self, name: str) -> bool:
        """Whether a name can only mean this one card: no variety with several cards has the same name."""
        return name in self.variety and self._kinds.get(name, 1) == 1


def learn(
    known: OpenKnowledge, names: OfferedNames, before: GameState, event: e.DomainEvent
) -> OpenKnowledge:
    """What everybody knows after an event as the public has it; `before` is the public's table before it."""
    change = _HANDS.get(type(event))
    if change is not None:
        own: Any = event
        return _with(known, own.seat, change(known.hands[own.seat], names, own))
    match event:
        case e.GameCreated():
            return replace(known, hands=(KnownHand(),) * event.players)
        case e.GiftGiven():
            return _give(known, names, event)
        case e.TradeMade():
            return _trade(known, names, before, event)
    return known


# --- cards that join a hand and leave it -------------------------------------------------------------------


def _leaves(hand: KnownHand, names: OfferedNames, card: Card, *, front: bool = False) -> KnownHand:
    """The hand after this card left it: from the front, or from a place that is not known."""
    variety = names.variety.get(card, card)
    return KnownHand(
        hand.places[1:] if front else _places_without(hand.places, card),
        _one_less(hand.at_least, card),
        _one_less(hand.of_variety, variety),
    )


def _places_without(places: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The places after the card left one of them.

    >>> _places_without(("soy", "blue", "red"), "blue"), _places_without(("soy", "blue", "red", "blue"), "blue")
    (('soy', 'red'), ('soy', '?', '?'))
    >>> _places_without(("soy", "?", "blue", "?", "red"), "blue")
    ('soy', '?', '?', 'red')
    """
    possible = [place for place, lying in enumerate(places) if lying in (card, UNKNOWN_CARD)]
    if not possible:
        return places
    first, last = possible[0], possible[-1]
    return (*places[:first], *((UNKNOWN_CARD,) * (last - first)), *places[last + 1 :])


def _one_less(counts: Mapping[str, int], name: str) -> Mapping[str, int]:
    if name not in counts:
        return counts
    return {each: count - (each == name) for each, count in counts.items() if count - (each == name)}


def _with(known: OpenKnowledge, seat: int, hand: KnownHand) -> OpenKnowledge:
    return replace(known, hands=(*known.hands[:seat], hand, *known.hands[seat + 1 :]))


def _count(names: OfferedNames, cards: tuple[Card, ...]) -> tuple[Counter[Card], Counter[str]]:
    """How many of each card are named, and of each variety."""
    found = Counter(card for card in cards if names.is_card(card))
    return found, Counter(names.variety.get(card, card) for card in cards)


def _most(one: Mapping[str, int], other: Mapping[str, int]) -> Mapping[str, int]:
    return dict(Counter(one) | Counter(other))


# --- what each event says ----------------------------------------------------------------------------------


def _draw(hand: KnownHand, _names: OfferedNames, event: e.HandDealt | e.CardsDrawn) -> KnownHand:
    return replace(hand, places=hand.places + (UNKNOWN_CARD,) * len(event.cards))


def _show(hand: KnownHand, names: OfferedNames, event: e.OfferMade) -> KnownHand:
    cards, varieties = _count(names, event.hand_cards)
    return replace(hand, at_least=_most(hand.at_least, cards), of_variety=_most(hand.of_variety, varieties))


_HANDS: dict[type[e.DomainEvent], Callable[[KnownHand, OfferedNames, Any], KnownHand]] = {
    e.HandDealt: _draw,
    e.CardsDrawn: _draw,
    e.BeanPlanted: lambda hand, names, event: _leaves(hand, names, event.card, front=True),
    e.HandCardDiscarded: lambda hand, names, event: _leaves(hand, names, event.card),
    e.HandSwapped: lambda _, names, event: KnownHand(event.cards, *_count(names, event.cards)),
    e.OfferMade: lambda hand, names, event: _show(hand, names, event) if event.hand_cards else hand,
}
"""What the events that concern one seat's hand make of it."""


def _give(known: OpenKnowledge, names: OfferedNames, event: e.GiftGiven) -> OpenKnowledge:
    if event.hand:
        known = _with(known, event.seat, _leaves(known.hands[event.seat], names, event.card))
    return _pass_cards(known, event.seat, event.to, (event.card,))


def _trade(known: OpenKnowledge, names: OfferedNames, before: GameState, event: e.TradeMade) -> OpenKnowledge:
    lying = dict(before.revealed)
    revealed = Counter(lying[number] for number in event.active_revealed if number in lying)
    for seat, cards in (
        (event.active, Counter(event.active_cards) - revealed),
        (event.partner, Counter(event.partner_cards)),
    ):
        hand = known.hands[seat]
        for card in cards.elements():
            hand = _leaves(hand, names, card)
        known = _with(known, seat, hand)
    known = _pass_cards(known, event.active, event.partner, event.active_cards)
    return _pass_cards(known, event.partner, event.active, event.partner_cards)


def _pass_cards(known: OpenKnowledge, giver: int, taker: int, cards: tuple[Card, ...]) -> OpenKnowledge:
    counts = {(each.giver, each.taker, each.card): each.count for each in known.passed}
    for card in cards:
        counts[giver, taker, card] = counts.get((giver, taker, card), 0) + 1
    return replace(known, passed=tuple(Passed(*way, count) for way, count in sorted(counts.items())))
