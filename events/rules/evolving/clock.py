"""Time that was over, and time that was given back."""

from msgspec.structs import replace

from events import domain_events as e
from events.rules.evolving.places import Evolvers, with_seat
from events.rules.table.state import GameState


def _time_expired(state: GameState, event: e.TimeExpired) -> GameState:
    if not event.strikes:
        return state
    seat = replace(state.seats[event.seat], strikes=event.strikes, last_strike=state.turn)
    return replace(state, seats=with_seat(state, event.seat, seat))


def _time_credited(state: GameState, _event: e.TimeCredited) -> GameState:
    """The clock alone knows it, which is no part of the table."""
    return state


EVOLVERS: Evolvers = {e.TimeExpired: _time_expired, e.TimeCredited: _time_credited}
