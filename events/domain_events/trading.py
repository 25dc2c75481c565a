"""What becomes of offers."""

from typing import ClassVar

import msgspec

from events.domain_events.base import Card, DomainEvent, ForeseeableEvent


class OfferMade(ForeseeableEvent, frozen=True):
    """A seat offered a trade.

    `hand` are the running numbers of the offered hand cards, `hand_cards` what they are, in `ladybohn` their
    families only; `counters` names the offer that this one answers. `spare` and `want_spared`: with a binding
    promise of one side to the other.
    """

    offer: int
    seat: int
    to: int | None
    hand: tuple[int, ...] = ()
    hand_cards: tuple[Card, ...] = ()
    revealed: tuple[int, ...] = ()
    want: dict[str, int] = msgspec.field(default_factory=dict)
    want_revealed: tuple[int, ...] = ()
    counters: int | None = None
    spare: bool = False
    want_spared: bool = False

    private: ClassVar[dict[str, str]] = {"hand": "seat"}


class OfferDeclined(ForeseeableEvent, frozen=True):
    """A seat said no to an offer; `closed` when nobody is left who may answer it."""

    offer: int
    seat: int
    closed: bool


class OfferWithdrawn(ForeseeableEvent, frozen=True):
    """The giver took an offer back."""

    offer: int
    seat: int


class OfferLapsed(ForeseeableEvent, frozen=True):
    """An offer can no longer be fulfilled: a card it names is gone, or trading has ended."""

    offer: int


class TradeMade(DomainEvent, frozen=True):
    """The active player and one other traded; received cards lie aside.

    The cards are public, the numbers of the hand cards are not.
    """

    offer: int
    active: int
    partner: int
    active_cards: tuple[Card, ...]
    partner_cards: tuple[Card, ...]
    active_hand: tuple[int, ...] = ()
    active_revealed: tuple[int, ...] = ()
    partner_hand: tuple[int, ...] = ()

    private: ClassVar[dict[str, str]] = {"active_hand": "active", "partner_hand": "partner"}


class ReadinessDeclared(ForeseeableEvent, frozen=True):
    """A seat said that it wants nothing more in this phase 2: nobody has to wait for it."""

    seat: int


class ReadinessWithdrawn(ForeseeableEvent, frozen=True):
    """A seat that was ready does something else."""

    seat: int


class TradingEnded(ForeseeableEvent, frozen=True):
    """The active player ended phase 2; the revealed cards left are theirs to plant."""

    seat: int
    kept: tuple[Card, ...]


TRADING = (
    OfferMade
    | OfferDeclined
    | OfferWithdrawn
    | OfferLapsed
    | TradeMade
    | ReadinessDeclared
    | ReadinessWithdrawn
    | TradingEnded
)
