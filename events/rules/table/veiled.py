"""The table with everything that a seat may not see taken out of it: what it can work with, and nothing else.

Two tables that a seat cannot tell apart are the same table when they are veiled for it.
"""

from msgspec.structs import replace

from events.domain_events.base import UNKNOWN_CARD
from events.rules.table.addition import SEES_ALL
from events.rules.table.state import GameState, OpenOffer, Seat


def veil(state: GameState, viewer: int) -> GameState:
    """The table as a seat knows it: `UNKNOWN_CARD` stands for each hidden card, and hands are numbered anew."""
    if viewer == SEES_ALL:
        return state
    addition = state.addition
    veiled = replace(
        state,
        secret="",
        seats=tuple(
            _veil_seat(seat, addition.unseen_coins(number) if addition else frozenset(), own=number == viewer)
            for number, seat in enumerate(state.seats)
        ),
        draw_pile=(UNKNOWN_CARD,) * len(state.draw_pile),
        offers=tuple(_veil_offer(offer, viewer) for offer in state.offers),
    )
    return veiled if addition is None else veiled.with_addition(addition.veiled(viewer))


def _veil_seat(seat: Seat, unseen: frozenset[int], *, own: bool) -> Seat:
    coins = tuple(UNKNOWN_CARD if place in unseen else coin for place, coin in enumerate(seat.coins))
    if own:
        return replace(seat, seed="", coins=coins)
    hand = tuple((number, UNKNOWN_CARD) for number in range(1, len(seat.hand) + 1))
    return replace(seat, seed="", coins=coins, hand=hand, next_number=len(hand) + 1)


def _veil_offer(offer: OpenOffer, viewer: int) -> OpenOffer:
    return offer if offer.seat == viewer else replace(offer, hand=())
