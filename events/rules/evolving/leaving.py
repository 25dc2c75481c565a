"""Leaving, coming back, and offers to end the game."""

from msgspec.structs import replace

from events import domain_events as e
from events.rules.evolving.places import Evolvers, with_seat
from events.rules.table.absence import given_back, taken_over
from events.rules.table.state import EndOffer, GameState


def _seat_resigned(state: GameState, _event: e.SeatResigned) -> GameState:
    """What becomes of the seat, the take-over after it says."""
    return state


def _seat_taken_over(state: GameState, event: e.SeatTakenOver) -> GameState:
    played = taken_over(state.seats[event.seat], event.bot)
    return replace(state, seats=with_seat(state, event.seat, played))


def _seat_returned(state: GameState, event: e.SeatReturned) -> GameState:
    seat = state.seats[event.seat]
    played = replace(given_back(seat), returns=seat.returns + 1)
    return replace(state, seats=with_seat(state, event.seat, played))


def _end_offered(state: GameState, event: e.EndOffered) -> GameState:
    return replace(state, end_offer=EndOffer(event.seat, event.kind, event.agreed))


def _end_accepted(state: GameState, event: e.EndAccepted) -> GameState:
    if state.end_offer is None:
        return state
    agreed = (*state.end_offer.agreed, event.seat)
    return replace(state, end_offer=replace(state.end_offer, agreed=agreed))


def _end_declined(state: GameState, _event: e.EndDeclined) -> GameState:
    return replace(state, end_offer=None)


def _game_closed(state: GameState, _event: e.GameClosed) -> GameState:
    """The end that comes after it says the rest."""
    return state


EVOLVERS: Evolvers = {
    e.SeatResigned: _seat_resigned,
    e.SeatTakenOver: _seat_taken_over,
    e.SeatReturned: _seat_returned,
    e.EndOffered: _end_offered,
    e.EndAccepted: _end_accepted,
    e.EndDeclined: _end_declined,
    e.GameClosed: _game_closed,
}
