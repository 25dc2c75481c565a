"""What happens in `the-duel` only."""

from typing import Any

from msgspec.structs import replace

from events import domain_events as e
from events.domain_events import UNKNOWN_CARD
from events.rules.evolving.places import Evolvers, numbered, with_seat, without
from events.rules.systems.the_duel.table import DuelSeat, DuelState, Gift
from events.rules.table.state import GameState


def duel_of(state: GameState) -> DuelState:
    """What this game has besides a standard table; it is laid out with the first thing that belongs there."""
    return state.duel or DuelState(seats=(DuelSeat(),) * len(state.seats))


def _with(state: GameState, seat: int, **changes: Any) -> DuelState:
    """The duel with one player's part changed."""
    duel = duel_of(state)
    changed = replace(duel.seats[seat], **changes)
    return replace(duel, seats=(*duel.seats[:seat], changed, *duel.seats[seat + 1 :]))


def _coins_dealt(state: GameState, event: e.CoinsDealt) -> GameState:
    owner = state.seats[event.seat]
    first = len(owner.coins)
    unseen = duel_of(state).seats[event.seat].unseen + tuple(range(first, first + len(event.cards)))
    return replace(
        state,
        seats=with_seat(state, event.seat, replace(owner, coins=owner.coins + event.cards)),
        draw_pile=state.draw_pile[len(event.cards) :],
        duel=_with(state, event.seat, unseen=unseen),
    )


def _bonus_drawn(state: GameState, event: e.BonusDrawn) -> GameState:
    held = duel_of(state).seats[event.seat].bonus
    duel = _with(state, event.seat, bonus=held + event.cards)
    return replace(state, duel=replace(duel, pile=duel.pile[len(event.cards) :]))


def _gift_offered(state: GameState, event: e.GiftOffered) -> GameState:
    duel = duel_of(state)
    return replace(state, duel=replace(duel, gifts=(*duel.gifts, Gift(event.seat, event.variety))))


def _gift_accepted(state: GameState, _event: e.GiftAccepted) -> GameState:
    return state


def _gift_given(state: GameState, event: e.GiftGiven) -> GameState:
    giver = state.seats[event.seat]
    given = replace(
        state, seats=with_seat(state, event.seat, replace(giver, hand=without(giver.hand, event.hand)))
    )
    receiver = given.seats[event.to]
    received = replace(
        receiver,
        aside=receiver.aside + numbered(receiver.next_aside, (event.card,)),
        next_aside=receiver.next_aside + 1,
    )
    return replace(
        given,
        seats=with_seat(given, event.to, received),
        revealed=without(state.revealed, event.revealed),
        duel=replace(duel_of(state), gifts=()),
    )


def _bluff_paid(state: GameState, event: e.BluffPaid) -> GameState:
    bluffer, accepter = state.seats[event.seat], state.seats[event.to]
    top = len(bluffer.coins) - 1
    unseen = duel_of(state).seats[event.seat].unseen
    duel = _with(state, event.seat, unseen=tuple(place for place in unseen if place != top))
    paid = replace(
        state,
        seats=with_seat(state, event.seat, replace(bluffer, coins=bluffer.coins[:-1])),
        duel=replace(duel, gifts=()),
    )
    if top in unseen:
        theirs = duel.seats[event.to].unseen
        paid = replace(paid, duel=_with(paid, event.to, unseen=(*theirs, len(accepter.coins))))
    gained = replace(accepter, coins=accepter.coins + bluffer.coins[-1:])
    return replace(paid, seats=with_seat(paid, event.to, gained))


def _bonus_claimed(state: GameState, event: e.BonusClaimed) -> GameState:
    own = duel_of(state).seats[event.seat]
    bonus = _without_bonus(own.bonus, event.bonus)
    return replace(state, duel=_with(state, event.seat, bonus=bonus, claimed=(*own.claimed, event.bonus)))


def _bonus_discarded(state: GameState, event: e.BonusDiscarded) -> GameState:
    bonus = _without_bonus(duel_of(state).seats[event.seat].bonus, event.bonus)
    duel = _with(state, event.seat, bonus=bonus, decided=True)
    return replace(state, duel=replace(duel, discards=(*duel.discards, event.bonus)))


def _bonus_kept(state: GameState, event: e.BonusKept) -> GameState:
    return replace(state, duel=_with(state, event.seat, decided=True))


def _without_bonus(held: tuple[e.Card, ...], bonus: e.Card) -> tuple[e.Card, ...]:
    """The bonus hand without this card; from a hand that a viewer cannot see, one unknown card goes."""
    gone = bonus if bonus in held else UNKNOWN_CARD
    place = held.index(gone) if gone in held else len(held)
    return (*held[:place], *held[place + 1 :])


EVOLVERS: Evolvers = {
    e.CoinsDealt: _coins_dealt,
    e.BonusDrawn: _bonus_drawn,
    e.GiftOffered: _gift_offered,
    e.GiftAccepted: _gift_accepted,
    e.GiftGiven: _gift_given,
    e.BluffPaid: _bluff_paid,
    e.BonusClaimed: _bonus_claimed,
    e.BonusDiscarded: _bonus_discarded,
    e.BonusKept: _bonus_kept,
}
