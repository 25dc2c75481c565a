"""A standard turn, and what may happen at any time."""

from msgspec.structs import replace

from events import domain_events as e
from events.rules.evolving.places import Evolvers, numbered, on_field, to_hand, with_seat, without
from events.rules.table.state import GameState


def _turn_began(state: GameState, event: e.TurnBegan) -> GameState:
    began = replace(state, active=event.seat, turn=event.turn, planted=0)
    return began if began.addition is None else began.with_addition(began.addition.in_new_turn())


def _phase_began(state: GameState, event: e.PhaseBegan) -> GameState:
    return replace(state, phase=event.phase)


def _bean_planted(state: GameState, event: e.BeanPlanted) -> GameState:
    owner = state.seats[event.seat]
    planted = replace(owner, hand=owner.hand[1:], fields=on_field(owner.fields, event.field, event.card))
    return replace(state, seats=with_seat(state, event.seat, planted), planted=state.planted + 1)


def _cards_revealed(state: GameState, event: e.CardsRevealed) -> GameState:
    return replace(
        state,
        revealed=state.revealed + numbered(state.next_revealed, event.cards),
        next_revealed=state.next_revealed + len(event.cards),
        draw_pile=state.draw_pile[len(event.cards) :],
    )


def _cards_drawn(state: GameState, event: e.CardsDrawn) -> GameState:
    return to_hand(state, event.seat, event.cards)


def _aside_planted(state: GameState, event: e.AsidePlanted) -> GameState:
    owner = state.seats[event.seat]
    planted = replace(
        owner,
        aside=without(owner.aside, (event.number,)),
        fields=on_field(owner.fields, event.field, event.card),
    )
    return replace(state, seats=with_seat(state, event.seat, planted))


def _field_harvested(state: GameState, event: e.FieldHarvested) -> GameState:
    owner = state.seats[event.seat]
    rest = len(event.cards) - event.coins
    harvested = replace(
        owner,
        fields=(*owner.fields[: event.field], (), *owner.fields[event.field + 1 :]),
        coins=owner.coins + event.cards[rest:][::-1],
    )
    return replace(
        state,
        seats=with_seat(state, event.seat, harvested),
        discard_pile=state.discard_pile + event.cards[:rest],
    )


def _third_field_bought(state: GameState, event: e.ThirdFieldBought) -> GameState:
    owner = state.seats[event.seat]
    bought = replace(
        owner,
        coins=owner.coins[: len(owner.coins) - len(event.paid)],
        fields=(*owner.fields, ()),
        third_field=True,
    )
    seats = with_seat(state, event.seat, bought)
    if event.boxed:
        return replace(state, seats=seats, box=state.box + event.paid)
    return replace(state, seats=seats, discard_pile=state.discard_pile + event.paid)


def _talked(state: GameState, _event: e.Talked) -> GameState:
    return state


EVOLVERS: Evolvers = {
    e.TurnBegan: _turn_began,
    e.PhaseBegan: _phase_began,
    e.BeanPlanted: _bean_planted,
    e.CardsRevealed: _cards_revealed,
    e.CardsDrawn: _cards_drawn,
    e.AsidePlanted: _aside_planted,
    e.FieldHarvested: _field_harvested,
    e.ThirdFieldBought: _third_field_bought,
    e.Talked: _talked,
}
