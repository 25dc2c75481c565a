"""What happens in `ladybohn-expansion` only."""

from typing import Any

from msgspec.structs import replace

from events import domain_events as e
from events.rules.evolving.places import Evolvers, numbered, with_seat, without
from events.rules.systems.ladybohn_expansion.table import Fan, LadybohnExpansionTable, LevyPromise, table_of
from events.rules.table.state import GameState


def _changed(state: GameState, **changes: Any) -> LadybohnExpansionTable:
    return replace(table_of(state), **changes)


def _with_fan(state: GameState, number: int, fan: Fan) -> LadybohnExpansionTable:
    fans = table_of(state).fans
    return _changed(state, fans=(*fans[:number], fan, *fans[number + 1 :]))


def _fan_laid_out(state: GameState, event: e.FanLaidOut) -> GameState:
    laid_out = _with_fan(state, event.fan, event.cards)
    return replace(state, draw_pile=state.draw_pile[len(event.cards) :], ladybohn_expansion=laid_out)


def _hand_swapped(state: GameState, event: e.HandSwapped) -> GameState:
    owner = state.seats[event.seat]
    swapped = replace(
        owner,
        hand=numbered(owner.next_number, event.cards),
        next_number=owner.next_number + len(event.cards),
    )
    seats = with_seat(state, event.seat, swapped)
    return replace(state, seats=seats, ladybohn_expansion=_with_fan(state, event.fan, event.hand))


def _revealed_put_on_fan(state: GameState, event: e.RevealedPutOnFan) -> GameState:
    grown = _with_fan(state, event.fan, (event.card, *table_of(state).fans[event.fan]))
    return replace(state, revealed=without(state.revealed, (event.number,)), ladybohn_expansion=grown)


def _fan_overflowed(state: GameState, event: e.FanOverflowed) -> GameState:
    fan = table_of(state).fans[event.fan]
    return replace(
        state,
        revealed=state.revealed + numbered(state.next_revealed, event.cards),
        next_revealed=state.next_revealed + len(event.cards),
        ladybohn_expansion=_with_fan(state, event.fan, fan[: len(fan) - len(event.cards)]),
    )


def _field_rotated(state: GameState, event: e.FieldRotated) -> GameState:
    owner = state.seats[event.seat]
    turned = (event.card, *owner.fields[event.field][:-1])
    fields = (*owner.fields[: event.field], turned, *owner.fields[event.field + 1 :])
    return replace(state, seats=with_seat(state, event.seat, replace(owner, fields=fields)))


def _third_field_won(state: GameState, event: e.ThirdFieldWon) -> GameState:
    owner = state.seats[event.seat]
    won = replace(owner, fields=(*owner.fields, ()), third_field=True)
    return replace(state, seats=with_seat(state, event.seat, won))


def _quota_field_taken(state: GameState, event: e.QuotaFieldTaken) -> GameState:
    return replace(state, ladybohn_expansion=_changed(state, quota=event.seat))


def _levy_earned(state: GameState, event: e.LevyEarned) -> GameState:
    return replace(state, ladybohn_expansion=_changed(state, levies=(*table_of(state).levies, event.seat)))


def _levy_promised(state: GameState, event: e.LevyPromised) -> GameState:
    promises = (*table_of(state).promises, LevyPromise(event.seat, event.to))
    return replace(state, ladybohn_expansion=_changed(state, promises=promises))


def _coins_levied(state: GameState, event: e.CoinsLevied) -> GameState:
    """Each payer's top coin goes on the owner's stack; the levy, and one promise to each one spared, are used up."""
    seats = list(state.seats)
    for payer in event.payers:
        seats[payer] = replace(seats[payer], coins=seats[payer].coins[:-1])
    seats[event.seat] = replace(seats[event.seat], coins=seats[event.seat].coins + event.coins)
    levies, promises = list(table_of(state).levies), list(table_of(state).promises)
    if event.seat in levies:
        levies.remove(event.seat)
    for kept in (LevyPromise(event.seat, spared) for spared in event.spared):
        if kept in promises:
            promises.remove(kept)
    used = _changed(state, levies=tuple(levies), promises=tuple(promises))
    return replace(state, seats=tuple(seats), ladybohn_expansion=used)


EVOLVERS: Evolvers = {
    e.FanLaidOut: _fan_laid_out,
    e.HandSwapped: _hand_swapped,
    e.RevealedPutOnFan: _revealed_put_on_fan,
    e.FanOverflowed: _fan_overflowed,
    e.FieldRotated: _field_rotated,
    e.ThirdFieldWon: _third_field_won,
    e.QuotaFieldTaken: _quota_field_taken,
    e.LevyEarned: _levy_earned,
    e.LevyPromised: _levy_promised,
    e.CoinsLevied: _coins_levied,
}
