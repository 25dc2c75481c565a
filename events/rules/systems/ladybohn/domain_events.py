"""What happens in `ladybohn` only."""

from typing import ClassVar

from events.commands.base import NOBODY
from events.domain_events.base import Card, DomainEvent


class MissMoved(DomainEvent, frozen=True):
    """A miss moved from this place in a field, counted from 0 at the bottom, so many places towards the top.

    `owed` says that this used up an open move, which a trade had left (`ladybohn`).
    """

    seat: int
    field: int
    miss: int
    places: int
    owed: bool = False


class MissMoveOpened(DomainEvent, frozen=True):
    """A trade planted a baby on a field with a miss: the owner may move one miss there (`ladybohn`)."""

    seat: int
    field: int


class MissMovesLapsed(DomainEvent, frozen=True):
    """What was open of such moves on a field is so no longer (`ladybohn`)."""

    seat: int
    field: int


class FieldBarred(DomainEvent, frozen=True):
    """The field takes no second bean from the hand in this turn (option `phase1_distinct_fields`, `ladybohn`)."""

    seat: int
    field: int


class FieldPaidFromPiles(DomainEvent, frozen=True):
    """A field was sold whose coins come from the piles, and only what is missing there from the field (`ladybohn`).

    `cards` are the field's, from bottom to top. The coins, each list in the order in which it was laid on the coin
    stack: off the top of the discard pile, off the draw pile unseen, then the top `from_field` of the field's cards.
    """

    seat: int
    field: int
    cards: tuple[Card, ...]
    from_discard_pile: tuple[Card, ...] = ()
    from_draw_pile: tuple[Card, ...] = ()
    from_field: int = 0
    final: bool = False

    private: ClassVar[dict[str, str]] = {"from_draw_pile": NOBODY}

    @property
    def coins(self) -> int:
        """How many coins it paid."""
        return len(self.from_discard_pile) + len(self.from_draw_pile) + self.from_field


class CoinsShown(DomainEvent, frozen=True):
    """Coins that nobody had seen lie open, because they are spent or the game ends (`ladybohn`).

    `places` are theirs in the seat's coin stack, counted from 0 at the bottom.
    """

    seat: int
    places: tuple[int, ...]
    cards: tuple[Card, ...]


LADYBOHN = MissMoved | MissMoveOpened | MissMovesLapsed | FieldBarred | FieldPaidFromPiles | CoinsShown
