"""What lies on the table of `the-duel` besides beans: gift cards, bonus cards, and coins that nobody has seen."""

import msgspec
from msgspec.structs import replace

from events.domain_events.base import Card


class Gift(msgspec.Struct, frozen=True):
    """A gift card that was pushed in this phase."""

    seat: int
    """Who pushed it."""
    variety: str


class DuelSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one player has besides a `Seat`."""

    unseen: tuple[int, ...] = ()
    """The places in the coin stack, bottom 0, of coins that nobody has seen."""
    bonus: tuple[Card, ...] = ()
    """The bonus cards in hand, in the order they were drawn, which means nothing."""
    claimed: tuple[Card, ...] = ()
    """The bonus cards claimed, each worth a coin and its cents."""
    decided: bool = False
    """Whether the player has said in this phase 4 what becomes of the bonus hand."""


class DuelState(msgspec.Struct, frozen=True, omit_defaults=True):
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


def in_new_turn(duel: DuelState | None) -> DuelState | None:
    """What is left of the last turn when a new one begins: the gift cards are back, nobody has decided anything."""
    if duel is None:
        return None
    seats = tuple(replace(seat, decided=False) for seat in duel.seats)
    return replace(duel, seats=seats, gifts=(), discarded=False)


def waited_for(duel: DuelState, phase: str) -> tuple[int, ...] | None:
    """Who has to act in a phase that only this game has; None in every other phase."""
    seats = range(len(duel.seats))
    if phase == "answer_gift" and duel.gifts:
        return tuple(seat for seat in seats if seat != duel.gifts[-1].seat)
    if phase == "give" and duel.gifts:
        return (duel.gifts[-1].seat,)
    if phase == "bonus":
        return tuple(seat for seat in seats if not duel.seats[seat].decided)
    return None
