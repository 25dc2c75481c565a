"""What happens in `the-duel` only."""

from typing import ClassVar

from events.commands.base import NOBODY
from events.domain_events.base import Card, DomainEvent


class CoinsDealt(DomainEvent, frozen=True):
    """A seat got its first coins off the draw pile, the first one lowest; nobody has seen them (`the-duel`)."""

    seat: int
    cards: tuple[Card, ...]

    private: ClassVar[dict[str, str]] = {"cards": NOBODY}


class BonusDrawn(DomainEvent, frozen=True):
    """A seat took bonus cards off their pile, in this order (`the-duel`)."""

    seat: int
    cards: tuple[Card, ...]

    private: ClassVar[dict[str, str]] = {"cards": "seat"}


class GiftOffered(DomainEvent, frozen=True):
    """A seat pushed the gift card of a variety to the other, who has to answer (`the-duel`).

    Whether it is a bluff stands nowhere: who refuses never learns it. An offer on the table was refused by it.
    """

    seat: int
    variety: str


class GiftAccepted(DomainEvent, frozen=True):
    """A seat accepted the gift on offer (`the-duel`)."""

    seat: int
    variety: str


class GiftGiven(DomainEvent, frozen=True):
    """A bean was handed over, and lies aside before its receiver (`the-duel`).

    It came from the revealed cards (`revealed` holds its number) or from the hand (`hand` does).
    """

    seat: int
    to: int
    card: Card
    revealed: tuple[int, ...] = ()
    hand: tuple[int, ...] = ()

    private: ClassVar[dict[str, str]] = {"hand": "seat"}


class BluffPaid(DomainEvent, frozen=True):
    """The accepted gift was a bluff: the top coin of this seat went face down on the other's coins (`the-duel`).

    Which card it is stays as known, or as unknown, as it was.
    """

    seat: int
    to: int


class BonusClaimed(DomainEvent, frozen=True):
    """A seat claimed a bonus card for the top cards of a field of this owner (`the-duel`)."""

    seat: int
    bonus: Card
    owner: int
    field: int
    final: bool = False


class BonusDiscarded(DomainEvent, frozen=True):
    """A seat discarded a bonus card face up (`the-duel`)."""

    seat: int
    bonus: Card


class BonusKept(DomainEvent, frozen=True):
    """A seat discards no bonus card in this phase 4 (`the-duel`)."""

    seat: int


THE_DUEL = (
    CoinsDealt
    | BonusDrawn
    | GiftOffered
    | GiftAccepted
    | GiftGiven
    | BluffPaid
    | BonusClaimed
    | BonusDiscarded
    | BonusKept
)
