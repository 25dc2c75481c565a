"""What happens in `ladybohn` only."""

from typing import Any

from msgspec.structs import replace

from events import domain_events as e
from events.rules.evolving.places import Evolvers, with_seat
from events.rules.systems.ladybohn.table import LadybohnTable, table_of
from events.rules.table.state import GameState


def _changed(state: GameState, **changes: Any) -> LadybohnTable:
    return replace(table_of(state), **changes)


def _miss_moved(state: GameState, event: e.MissMoved) -> GameState:
    owner = state.seats[event.seat]
    field = owner.fields[event.field]
    others = (*field[: event.miss], *field[event.miss + 1 :])
    place = event.miss + event.places
    moved = (*others[:place], field[event.miss], *others[place:])
    fields = (*owner.fields[: event.field], moved, *owner.fields[event.field + 1 :])
    seats = with_seat(state, event.seat, replace(owner, fields=fields))
    if not event.owed:
        return replace(state, seats=seats)
    moves = list(table_of(state).moves)
    moves.remove((event.seat, event.field))
    return replace(state, seats=seats, ladybohn=_changed(state, moves=tuple(moves)))


def _miss_move_opened(state: GameState, event: e.MissMoveOpened) -> GameState:
    moves = (*table_of(state).moves, (event.seat, event.field))
    return replace(state, ladybohn=_changed(state, moves=moves))


def _miss_moves_lapsed(state: GameState, event: e.MissMovesLapsed) -> GameState:
    moves = tuple(each for each in table_of(state).moves if each != (event.seat, event.field))
    return replace(state, ladybohn=_changed(state, moves=moves))


def _field_barred(state: GameState, event: e.FieldBarred) -> GameState:
    return replace(state, ladybohn=_changed(state, barred=event.field))


def _field_paid_from_piles(state: GameState, event: e.FieldPaidFromPiles) -> GameState:
    owner = state.seats[event.seat]
    rest = len(event.cards) - event.from_field
    seen = owner.coins + event.from_discard_pile
    unseen = tuple((event.seat, len(seen) + place) for place in range(len(event.from_draw_pile)))
    paid = replace(
        owner,
        fields=(*owner.fields[: event.field], (), *owner.fields[event.field + 1 :]),
        coins=seen + event.from_draw_pile + event.cards[rest:][::-1],
    )
    discards = state.discard_pile[: len(state.discard_pile) - len(event.from_discard_pile)]
    return replace(
        state,
        seats=with_seat(state, event.seat, paid),
        discard_pile=discards + event.cards[:rest],
        draw_pile=state.draw_pile[len(event.from_draw_pile) :],
        ladybohn=_changed(state, unseen=table_of(state).unseen + unseen),
    )


def _coins_shown(state: GameState, event: e.CoinsShown) -> GameState:
    owner = state.seats[event.seat]
    shown = dict(zip(event.places, event.cards, strict=True))
    coins = tuple(shown.get(place, coin) for place, coin in enumerate(owner.coins))
    unseen = tuple(each for each in table_of(state).unseen if each[0] != event.seat or each[1] not in shown)
    return replace(
        state,
        seats=with_seat(state, event.seat, replace(owner, coins=coins)),
        ladybohn=_changed(state, unseen=unseen),
    )


EVOLVERS: Evolvers = {
    e.MissMoved: _miss_moved,
    e.MissMoveOpened: _miss_move_opened,
    e.MissMovesLapsed: _miss_moves_lapsed,
    e.FieldBarred: _field_barred,
    e.FieldPaidFromPiles: _field_paid_from_piles,
    e.CoinsShown: _coins_shown,
}
