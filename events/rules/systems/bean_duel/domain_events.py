"""What happens in `bean-duel` only."""

from typing import ClassVar

from events.domain_events.base import Card, DomainEvent, ForeseeableEvent


class DiscardsJoined(DomainEvent, frozen=True):
    """Cards from the top of the discard pile joined the revealed cards, in this order (`bean-duel`)."""

    seat: int
    cards: tuple[Card, ...]


class RevealedPlanted(ForeseeableEvent, frozen=True):
    """A revealed card, or one left on offer, was planted (`bean-duel`, `the-duel`)."""

    seat: int
    number: int
    field: int
    card: Card


class RevealedDiscarded(ForeseeableEvent, frozen=True):
    """A card left on offer, or in phase 3 a revealed card, was discarded (`bean-duel`, `the-duel`)."""

    seat: int
    number: int
    card: Card


class HandCardDiscarded(DomainEvent, frozen=True):
    """A card from the hand was discarded; its place in the hand is its owner's (`bean-duel`)."""

    seat: int
    number: int
    card: Card

    private: ClassVar[dict[str, str]] = {"number": "seat"}


BEAN_DUEL = DiscardsJoined | RevealedPlanted | RevealedDiscarded | HandCardDiscarded
