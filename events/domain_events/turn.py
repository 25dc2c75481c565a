"""What happens in a standard turn, and at any time."""

from typing import ClassVar

from events.domain_events.base import Card, DomainEvent, ForeseeableEvent


class TurnBegan(DomainEvent, frozen=True):
    """A new turn of this seat, the `turn`-th of the game."""

    seat: int
    turn: int


class PhaseBegan(ForeseeableEvent, frozen=True):
    """The turn went on to this phase."""

    phase: str


class BeanPlanted(ForeseeableEvent, frozen=True):
    """The front card of a hand was planted."""

    seat: int
    field: int
    card: Card


class CardsRevealed(DomainEvent, frozen=True):
    """The active player turned up cards from the draw pile."""

    seat: int
    cards: tuple[Card, ...]


class AsidePlanted(ForeseeableEvent, frozen=True):
    """A card that lay aside was planted."""

    seat: int
    number: int
    field: int
    card: Card


class FieldHarvested(ForeseeableEvent, frozen=True):
    """A field was sold: its `cards` from bottom to top; the top `coins` of them became coins."""

    seat: int
    field: int
    cards: tuple[Card, ...]
    coins: int
    final: bool = False


class ThirdFieldBought(ForeseeableEvent, frozen=True):
    """A seat got its third field for these coins, in the order paid."""

    seat: int
    paid: tuple[Card, ...]
    boxed: bool = False
    """Whether the coins leave the game instead of going to the discard pile."""


class CardsDrawn(DomainEvent, frozen=True):
    """A seat drew cards to the back of its hand, in this order."""

    seat: int
    cards: tuple[Card, ...]

    private: ClassVar[dict[str, str]] = {"cards": "seat"}


class Talked(ForeseeableEvent, frozen=True):
    """Somebody said something at the table."""

    seat: int
    text: str


TURN = (
    TurnBegan
    | PhaseBegan
    | BeanPlanted
    | CardsRevealed
    | AsidePlanted
    | FieldHarvested
    | ThirdFieldBought
    | CardsDrawn
    | Talked
)
