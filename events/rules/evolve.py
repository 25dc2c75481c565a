"""What an event means: `evolve(state, event) -> state`.

Rules of this file: everything that can change the table stands here; nothing here refuses; nothing here looks
at a rule system, because all it needs is in the event. Events filtered for one viewer fold as well: a card
or number that the viewer may not see is UNKNOWN_CARD or UNKNOWN_NUMBER.
"""

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

from msgspec.structs import replace

from events import domain_events as e
from events.rules.state import INITIAL_STATE, Due, GameState, NumberedCard, OpenOffer, Result, Seat


def evolve(state: GameState, event: e.DomainEvent) -> GameState:
    """The table after `event`."""
    return EVOLVERS[type(event)](state, event)


def fold(events: Iterable[e.DomainEvent], state: GameState = INITIAL_STATE) -> GameState:
    """The table after all these events, in order."""
    return reduce(evolve, events, state)


def without(cards: tuple[NumberedCard, ...], numbers: tuple[int, ...]) -> tuple[NumberedCard, ...]:
    """The cards left when those with these numbers are gone; for each unknown number the last card goes."""
    kept = tuple(card for card in cards if card[0] not in numbers)
    unknown = numbers.count(e.UNKNOWN_NUMBER)
    return kept[: len(kept) - unknown] if unknown else kept


def numbered(first: int, cards: tuple[e.Card, ...]) -> tuple[NumberedCard, ...]:
    """The cards with running numbers from `first` on."""
    return tuple(enumerate(cards, first))


def _with_seat(state: GameState, seat: int, changed: Seat) -> tuple[Seat, ...]:
    seats = state.seats
    return (*seats[:seat], changed, *seats[seat + 1 :])


def _on_field(
    fields: tuple[tuple[e.Card, ...], ...], field: int, card: e.Card
) -> tuple[tuple[e.Card, ...], ...]:
    return (*fields[:field], (*fields[field], card), *fields[field + 1 :])


def _without_offer(state: GameState, number: int) -> tuple[OpenOffer, ...]:
    return tuple(offer for offer in state.offers if offer.number != number)


# --- before the first turn ---------------------------------------------------------------------------------


def _game_created(state: GameState, event: e.GameCreated) -> GameState:
    return replace(
        state,
        game=event.game,
        system=event.system,
        system_version=event.system_version,
        engine_version=event.engine_version,
        options=event.options,
        catalogue=event.catalogue,
        commitment=event.commitment,
        status="open",
        seats=(Seat(),) * event.players,
    )


def _seat_taken(state: GameState, event: e.SeatTaken) -> GameState:
    seat = Seat(name=event.name, kind=event.kind, bot=event.bot, seed=event.seed)
    return replace(state, seats=_with_seat(state, event.seat, seat))


def _game_started(state: GameState, event: e.GameStarted) -> GameState:
    seats = tuple(replace(seat, fields=((),) * event.fields) for seat in state.seats)
    return replace(state, status="running", seats=seats)


def _starting_seat_chosen(state: GameState, event: e.StartingSeatChosen) -> GameState:
    return replace(state, start_seat=event.seat, active=event.seat, due=None)


def _hand_dealt(state: GameState, event: e.HandDealt) -> GameState:
    return _to_hand(state, event.seat, event.cards)


# --- piles -------------------------------------------------------------------------------------------------


def _dealer_called(state: GameState, event: e.DealerCalled) -> GameState:
    return replace(state, due=Due(event.task, event.pile, event.purpose, event.seat, event.count))


def _pile_shuffled(state: GameState, event: e.PileShuffled) -> GameState:
    return replace(state, draw_pile=event.order, discard_pile=(), shuffles=event.number, due=None)


def _pile_exhausted(state: GameState, event: e.PileExhausted) -> GameState:
    return replace(state, exhaustions=event.times)


def _cards_drawn(state: GameState, event: e.CardsDrawn) -> GameState:
    return _to_hand(state, event.seat, event.cards)


def _to_hand(state: GameState, seat: int, cards: tuple[e.Card, ...]) -> GameState:
    owner = state.seats[seat]
    drawn = replace(
        owner,
        hand=owner.hand + numbered(owner.next_number, cards),
        next_number=owner.next_number + len(cards),
    )
    return replace(state, seats=_with_seat(state, seat, drawn), draw_pile=state.draw_pile[len(cards) :])


def _cards_revealed(state: GameState, event: e.CardsRevealed) -> GameState:
    return replace(
        state,
        revealed=state.revealed + numbered(state.next_revealed, event.cards),
        next_revealed=state.next_revealed + len(event.cards),
        draw_pile=state.draw_pile[len(event.cards) :],
    )


# --- the turn ----------------------------------------------------------------------------------------------


def _turn_began(state: GameState, event: e.TurnBegan) -> GameState:
    return replace(state, active=event.seat, turn=event.turn, planted=0)


def _phase_began(state: GameState, event: e.PhaseBegan) -> GameState:
    return replace(state, phase=event.phase)


def _bean_planted(state: GameState, event: e.BeanPlanted) -> GameState:
    owner = state.seats[event.seat]
    planted = replace(owner, hand=owner.hand[1:], fields=_on_field(owner.fields, event.field, event.card))
    return replace(state, seats=_with_seat(state, event.seat, planted), planted=state.planted + 1)


def _aside_planted(state: GameState, event: e.AsidePlanted) -> GameState:
    owner = state.seats[event.seat]
    planted = replace(
        owner,
        aside=without(owner.aside, (event.number,)),
        fields=_on_field(owner.fields, event.field, event.card),
    )
    return replace(state, seats=_with_seat(state, event.seat, planted))


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
        seats=_with_seat(state, event.seat, harvested),
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
    seats = _with_seat(state, event.seat, bought)
    if event.boxed:
        return replace(state, seats=seats, box=state.box + event.paid)
    return replace(state, seats=seats, discard_pile=state.discard_pile + event.paid)


# --- the bean duel -----------------------------------------------------------------------------------------


def _discards_joined(state: GameState, event: e.DiscardsJoined) -> GameState:
    return replace(
        state,
        revealed=state.revealed + numbered(state.next_revealed, event.cards),
        next_revealed=state.next_revealed + len(event.cards),
        discard_pile=state.discard_pile[: len(state.discard_pile) - len(event.cards)],
    )


def _revealed_planted(state: GameState, event: e.RevealedPlanted) -> GameState:
    owner = state.seats[event.seat]
    planted = replace(owner, fields=_on_field(owner.fields, event.field, event.card))
    revealed = without(state.revealed, (event.number,))
    return replace(state, seats=_with_seat(state, event.seat, planted), revealed=revealed)


def _revealed_discarded(state: GameState, event: e.RevealedDiscarded) -> GameState:
    revealed = without(state.revealed, (event.number,))
    return replace(state, revealed=revealed, discard_pile=(*state.discard_pile, event.card))


def _hand_card_discarded(state: GameState, event: e.HandCardDiscarded) -> GameState:
    owner = state.seats[event.seat]
    discarded = replace(owner, hand=without(owner.hand, (event.number,)))
    seats = _with_seat(state, event.seat, discarded)
    return replace(state, seats=seats, discard_pile=(*state.discard_pile, event.card))


# --- trading -----------------------------------------------------------------------------------------------


def _offer_made(state: GameState, event: e.OfferMade) -> GameState:
    offer = OpenOffer(
        event.offer,
        event.seat,
        event.to,
        event.hand,
        event.hand_cards,
        event.revealed,
        event.want,
        event.want_revealed,
        event.counters,
    )
    return replace(state, offers=(*state.offers, offer), next_offer=event.offer + 1)


def _offer_declined(state: GameState, event: e.OfferDeclined) -> GameState:
    if event.closed:
        return replace(state, offers=_without_offer(state, event.offer))
    offers = tuple(
        replace(offer, declined=(*offer.declined, event.seat)) if offer.number == event.offer else offer
        for offer in state.offers
    )
    return replace(state, offers=offers)


def _offer_closed(state: GameState, event: e.OfferWithdrawn | e.OfferLapsed) -> GameState:
    return replace(state, offers=_without_offer(state, event.offer))


def _trade_made(state: GameState, event: e.TradeMade) -> GameState:
    active = _traded(state.seats[event.active], event.active_hand, event.partner_cards)
    partner = _traded(state.seats[event.partner], event.partner_hand, event.active_cards)
    with_active = replace(state, seats=_with_seat(state, event.active, active))
    return replace(
        with_active,
        seats=_with_seat(with_active, event.partner, partner),
        revealed=without(state.revealed, event.active_revealed),
        offers=_without_offer(state, event.offer),
    )


def _traded(seat: Seat, given: tuple[int, ...], received: tuple[e.Card, ...]) -> Seat:
    return replace(
        seat,
        hand=without(seat.hand, given),
        aside=seat.aside + numbered(seat.next_aside, received),
        next_aside=seat.next_aside + len(received),
    )


def _trading_ended(state: GameState, event: e.TradingEnded) -> GameState:
    seat = _traded(state.seats[event.seat], (), event.kept)
    return replace(state, seats=_with_seat(state, event.seat, seat), revealed=())


def _talked(state: GameState, _event: e.Talked) -> GameState:
    return state


# --- the end -----------------------------------------------------------------------------------------------


def _game_ended(state: GameState, event: e.GameEnded) -> GameState:
    return replace(state, status="ended", result=Result(event.scores, event.winners, event.reason))


def _secret_revealed(state: GameState, event: e.SecretRevealed) -> GameState:
    return replace(state, status="finished", secret=event.secret, due=None)


EVOLVERS: dict[type[e.DomainEvent], Callable[[GameState, Any], GameState]] = {
    e.GameCreated: _game_created,
    e.SeatTaken: _seat_taken,
    e.GameStarted: _game_started,
    e.StartingSeatChosen: _starting_seat_chosen,
    e.HandDealt: _hand_dealt,
    e.DealerCalled: _dealer_called,
    e.PileShuffled: _pile_shuffled,
    e.PileExhausted: _pile_exhausted,
    e.CardsDrawn: _cards_drawn,
    e.CardsRevealed: _cards_revealed,
    e.TurnBegan: _turn_began,
    e.PhaseBegan: _phase_began,
    e.BeanPlanted: _bean_planted,
    e.AsidePlanted: _aside_planted,
    e.FieldHarvested: _field_harvested,
    e.ThirdFieldBought: _third_field_bought,
    e.OfferMade: _offer_made,
    e.OfferDeclined: _offer_declined,
    e.OfferWithdrawn: _offer_closed,
    e.OfferLapsed: _offer_closed,
    e.TradeMade: _trade_made,
    e.TradingEnded: _trading_ended,
    e.DiscardsJoined: _discards_joined,
    e.RevealedPlanted: _revealed_planted,
    e.RevealedDiscarded: _revealed_discarded,
    e.HandCardDiscarded: _hand_card_discarded,
    e.Talked: _talked,
    e.GameEnded: _game_ended,
    e.SecretRevealed: _secret_revealed,
}
"""One function per event type; a test holds this table against `AnyEvent`."""
