"""What happens in `ladybohn-expansion` only."""

from events.domain_events.base import Card, DomainEvent


class FanLaidOut(DomainEvent, frozen=True):
    """The first cards of the draw pile lie face up as a fan, top card first (`ladybohn-expansion`)."""

    fan: int
    cards: tuple[Card, ...]


class HandSwapped(DomainEvent, frozen=True):
    """A seat swapped its hand for a fan: `hand` went, front to top, and `cards` came (`ladybohn-expansion`)."""

    seat: int
    fan: int
    hand: tuple[Card, ...]
    cards: tuple[Card, ...]


class RevealedPutOnFan(DomainEvent, frozen=True):
    """A revealed card went on top of a fan that shows its variety (`ladybohn-expansion`)."""

    seat: int
    number: int
    fan: int
    card: Card


class FanOverflowed(DomainEvent, frozen=True):
    """The bottom cards of a fan, those nearer the top first, joined the revealed cards (`ladybohn-expansion`)."""

    seat: int
    fan: int
    cards: tuple[Card, ...]


class FieldRotated(DomainEvent, frozen=True):
    """After a harvest the top card of another field went to the bottom of it (`ladybohn-expansion`)."""

    seat: int
    field: int
    card: Card


class ThirdFieldWon(DomainEvent, frozen=True):
    """A harvest of make-up beans brought the third field (`ladybohn-expansion`)."""

    seat: int


class QuotaFieldTaken(DomainEvent, frozen=True):
    """The third field that a seat has just got is the quota field (`ladybohn-expansion`)."""

    seat: int


class LevyEarned(DomainEvent, frozen=True):
    """A harvest of make-up beans brought a levy, due at the end of the seat's turn (`ladybohn-expansion`)."""

    seat: int


class LevyPromised(DomainEvent, frozen=True):
    """With a trade a seat promised another one to spare it with its next levy (`ladybohn-expansion`)."""

    seat: int
    to: int


class CoinsLevied(DomainEvent, frozen=True):
    """A levy was taken: each of `payers` gave its top coin, in this order (`ladybohn-expansion`).

    `spared` are the players to whom a promise was kept, and used up, by it. Without payers it took nothing.
    """

    seat: int
    payers: tuple[int, ...] = ()
    coins: tuple[Card, ...] = ()
    spared: tuple[int, ...] = ()
    final: bool = False


LADYBOHN_EXPANSION = (
    FanLaidOut
    | HandSwapped
    | RevealedPutOnFan
    | FanOverflowed
    | FieldRotated
    | ThirdFieldWon
    | QuotaFieldTaken
    | LevyEarned
    | LevyPromised
    | CoinsLevied
)
