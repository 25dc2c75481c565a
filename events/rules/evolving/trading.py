"""Offers and trades."""

from msgspec.structs import replace

from events import domain_events as e
from events.rules.evolving.places import Evolvers, numbered, with_seat, without
from events.rules.table.state import GameState, OpenOffer, Seat


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
        spare=event.spare,
        want_spared=event.want_spared,
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
    with_active = replace(state, seats=with_seat(state, event.active, active))
    return replace(
        with_active,
        seats=with_seat(with_active, event.partner, partner),
        revealed=without(state.revealed, event.active_revealed),
        offers=_without_offer(state, event.offer),
    )


def _trading_ended(state: GameState, event: e.TradingEnded) -> GameState:
    seat = _traded(state.seats[event.seat], (), event.kept)
    return replace(state, seats=with_seat(state, event.seat, seat), revealed=(), ready=())


def _readiness_declared(state: GameState, event: e.ReadinessDeclared) -> GameState:
    return replace(state, ready=tuple(sorted((*state.ready, event.seat))))


def _readiness_withdrawn(state: GameState, event: e.ReadinessWithdrawn) -> GameState:
    return replace(state, ready=tuple(seat for seat in state.ready if seat != event.seat))


def _traded(seat: Seat, given: tuple[int, ...], received: tuple[e.Card, ...]) -> Seat:
    return replace(
        seat,
        hand=without(seat.hand, given),
        aside=seat.aside + numbered(seat.next_aside, received),
        next_aside=seat.next_aside + len(received),
    )


def _without_offer(state: GameState, number: int) -> tuple[OpenOffer, ...]:
    return tuple(offer for offer in state.offers if offer.number != number)


EVOLVERS: Evolvers = {
    e.OfferMade: _offer_made,
    e.OfferDeclined: _offer_declined,
    e.OfferWithdrawn: _offer_closed,
    e.OfferLapsed: _offer_closed,
    e.TradeMade: _trade_made,
    e.ReadinessDeclared: _readiness_declared,
    e.ReadinessWithdrawn: _readiness_withdrawn,
    e.TradingEnded: _trading_ended,
}
