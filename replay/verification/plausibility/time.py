"""Time that was over, and time that was given back: what the table alone says of them, for any viewer."""

from events import domain_events as e
from events.rules.definition.rule_system import Rules
from events.rules.interventions.time import REASONS
from events.rules.table.state import GameState
from replay.records.report import Discrepancy
from replay.verification.plausibility.unknown import Checks


def _expired(_rules: Rules, state: GameState, event: e.TimeExpired) -> None:
    _check_clock(state)
    own = state.seats[event.seat]
    moves = event.offer is None and state.take_back is None
    strikes = own.strikes + (own.last_strike != state.turn) if moves else 0
    if event.strikes != strikes:
        raise Discrepancy("clock", f"seat {event.seat} has {strikes} strikes then, not {event.strikes}")


def _credited(_rules: Rules, state: GameState, event: e.TimeCredited) -> None:
    _check_clock(state)
    if event.reason not in REASONS or not 0 <= event.since < event.until:
        raise Discrepancy("clock", "no such time is given back")


def _check_clock(state: GameState) -> None:
    if state.clock is None:
        raise Discrepancy("clock", "the game is played without a clock")


CHECKS: Checks = {e.TimeExpired: _expired, e.TimeCredited: _credited}
