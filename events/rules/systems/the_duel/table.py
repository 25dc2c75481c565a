"""What lies on the table of `the-duel` besides beans: gift cards, bonus cards, and coins that nobody has seen."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec
from msgspec.structs import replace

from events.domain_events.base import UNKNOWN_CARD, Card
from events.rules.table.addition import BONUS_PILE, SEES_ALL, Addition, Pile, Seen

if TYPE_CHECKING:
    from events.rules.table.state import GameState


class Gift(msgspec.Struct, frozen=True, gc=False):
    """A gift card that was pushed in this phase."""

    seat: int
    """Who pushed it."""
    variety: str


class DuelSeat(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What one player has besides a `Seat`."""

    unseen: tuple[int, ...] = ()
    """The places in the coin stack, bottom 0, of coins that nobody has seen."""
    bonus: tuple[Card, ...] = ()
    """The bonus cards in hand, in the order they were drawn, which means nothing."""
    claimed: tuple[Card, ...] = ()
    """The bonus cards claimed, each worth a coin and its cents."""
    decided: bool = False
    """Whether the player has said in this phase 4 what becomes of the bonus hand."""


class DuelState(Addition, frozen=True, omit_defaults=True):
    """The part of the table that only this game has."""

    seats: tuple[DuelSeat, ...]
    pile: tuple[Card, ...] = ()
    """The bonus pile, top card first."""
    discards: tuple[Card, ...] = ()
    """The bonus cards discarded, from bottom to top."""
    shuffles: int = 0
    """How often the bonus pile was shuffled."""
    gifts: tuple[Gift, ...] = ()
    """The gift cards pushed in this phase 2; the last one is the offer on the table."""
    discarded: bool = False
    """Whether a revealed card was discarded in this turn."""

    field: ClassVar[str] = "duel"
    holds_cards: ClassVar[bool] = True

    def in_new_turn(self) -> Self:
        """The gift cards are back, and nobody has decided anything."""
        seats = tuple(replace(seat, decided=False) for seat in self.seats)
        return replace(self, seats=seats, gifts=(), discarded=False)

    def after_discarding(self) -> Self:
        """Return the duel with the one discard of this turn made."""
        return replace(self, discarded=True)

    def waiting_for(self, phase: str) -> tuple[int, ...] | None:
        """Who has to answer a gift, to hand one over, or to say what becomes of the bonus hand."""
        seats = range(len(self.seats))
        if phase == "answer_gift" and self.gifts:
            return tuple(seat for seat in seats if seat != self.gifts[-1].seat)
        if phase == "give" and self.gifts:
            return (self.gifts[-1].seat,)
        if phase == "bonus":
            return tuple(seat for seat in seats if not self.seats[seat].decided)
        return None

    def view(self, _state: "GameState", viewer: int) -> dict[str, Any]:
        """Gift cards, the one on offer last, and bonus cards; what a hand of bonus cards holds is its owner's."""
        pile: dict[str, Any] = {"size": len(self.pile)}
        if viewer == SEES_ALL:
            pile["cards"] = list(self.pile)
        duel = {
            "gifts": [{"seat": gift.seat, "variety": gift.variety} for gift in self.gifts],
            "discarded": self.discarded,
            "bonus_pile": pile,
            "bonus_discards": list(self.discards),
            "seats": [
                {
                    "bonus": {"size": len(seat.bonus)}
                    | ({"cards": list(seat.bonus)} if viewer in (number, SEES_ALL) else {}),
                    "claimed": list(seat.claimed),
                    "decided": seat.decided,
                }
                for number, seat in enumerate(self.seats)
            ],
        }
        return {"duel": duel}

    def veiled(self, viewer: int) -> Self:
        """The bonus pile and the other player's bonus cards are hidden."""
        seats = tuple(
            seat if number == viewer else replace(seat, bonus=(UNKNOWN_CARD,) * len(seat.bonus))
            for number, seat in enumerate(self.seats)
        )
        return replace(self, seats=seats, pile=(UNKNOWN_CARD,) * len(self.pile))

    def unseen_coins(self, seat: int) -> frozenset[int]:
        """The first coins, until they are spent."""
        return frozenset(self.seats[seat].unseen)

    def piles(self) -> Mapping[str, Pile]:
        """The bonus pile."""
        return {BONUS_PILE: Pile(self.pile, self.discards, self.shuffles)}

    def cards_off_piles(self) -> Iterator[Card]:
        """The bonus cards held and claimed."""
        return chain.from_iterable(seat.bonus + seat.claimed for seat in self.seats)

    def with_pile(self, _name: str, pile: Pile) -> Self:
        """The bonus pile laid so."""
        return replace(self, pile=pile.cards, discards=pile.discards, shuffles=pile.shuffles)

    def shown_since(self, earlier: Self, seat: int) -> Iterator[Seen]:
        """The bonus cards that left the hand."""
        held = self.seats[seat].bonus
        left = tuple(card for card in earlier.seats[seat].bonus if card not in held)
        if left:
            yield Seen("bonus_hand", left, seat)
