"""The table of a viewer out of two others, so that switching the viewer needs no second fold.

Folding what a viewer gets is more than leaving cards out of the whole table. A hand that was taken up from the open
table is known to all, until a card leaves it from a place that only its owner knows. But for everybody who is not
the owner this is the same: a private value is its owner's, or nobody's. So the table of a seat is that of the public,
with what is the seat's own taken from the whole one. A law in the tests holds this against the fold of the seat's
own record, at every version of the recorded games.
"""

from msgspec.structs import replace

from events.rules.systems.the_duel.table import DuelState
from events.rules.table.state import GameState


def table_of_seat(whole: GameState, public: GameState, seat: int) -> GameState:
    """The table as this seat sees it, from the whole table and from what is open to everybody, at one version."""
    if not 0 <= seat < len(public.seats):
        return public
    own = replace(public.seats[seat], hand=whole.seats[seat].hand)
    offers = tuple(
        told if told.seat == seat else shown for told, shown in zip(whole.offers, public.offers, strict=True)
    )
    duel = public.duel
    if whole.duel is not None and duel is not None:
        duel = _duel_of_seat(whole.duel, duel, seat)
    seats = (*public.seats[:seat], own, *public.seats[seat + 1 :])
    return replace(public, seats=seats, offers=offers, duel=duel)


def _duel_of_seat(whole: DuelState, public: DuelState, seat: int) -> DuelState:
    own = replace(public.seats[seat], bonus=whole.seats[seat].bonus)
    return replace(public, seats=(*public.seats[:seat], own, *public.seats[seat + 1 :]))
