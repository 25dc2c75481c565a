"""What happens in `bean-duel` only."""

from msgspec.structs import replace

from events import domain_events as e
from events.rules.evolving.places import Evolvers, numbered, on_field, with_seat, without
from events.rules.table.state import GameState


def _discards_joined(state: GameState, event: e.DiscardsJoined) -> GameState:
    return replace(
        state,
        revealed=state.revealed + numbered(state.next_revealed, event.cards),
        next_revealed=state.next_revealed + len(event.cards),
        discard_pile=state.discard_pile[: len(state.discard_pile) - len(event.cards)],
    )


def _revealed_planted(state: GameState, event: e.RevealedPlanted) -> GameState:
    owner = state.seats[event.seat]
    planted = replace(owner, fields=on_field(owner.fields, event.field, event.card))
    revealed = without(state.revealed, (event.number,))
    return replace(state, seats=with_seat(state, event.seat, planted), revealed=revealed)


def _revealed_discarded(state: GameState, event: e.RevealedDiscarded) -> GameState:
    revealed = without(state.revealed, (event.number,))
    discarded = replace(state, revealed=revealed, discard_pile=(*state.discard_pile, event.card))
    addition = state.addition
    return discarded if addition is None else discarded.with_addition(addition.after_discarding())


def _hand_card_discarded(state: GameState, event: e.HandCardDiscarded) -> GameState:
    owner = state.seats[event.seat]
    discarded = replace(owner, hand=without(owner.hand, (event.number,)))
    seats = with_seat(state, event.seat, discarded)
    return replace(state, seats=seats, discard_pile=(*state.discard_pile, event.card))


EVOLVERS: Evolvers = {
    e.DiscardsJoined: _discards_joined,
    e.RevealedPlanted: _revealed_planted,
    e.RevealedDiscarded: _revealed_discarded,
    e.HandCardDiscarded: _hand_card_discarded,
}
