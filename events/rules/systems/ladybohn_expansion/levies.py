"""Levies for make-up beans, and the promises that bind them: the end of a turn in `ladybohn-expansion`."""

from collections.abc import Iterator
from itertools import permutations

from events import commands as c
from events import domain_events as e
from events.rules.definition.rule_system import Rule, Rules
from events.rules.move import Move, check_seat
from events.rules.phases.turn import exhausted_for_good, next_turn
from events.rules.systems.ladybohn_expansion.errors import (
    CannotBeLevied,
    PromiseBinds,
    SeatNamedTwice,
    TooManyPayers,
)
from events.rules.systems.ladybohn_expansion.final_harvest import end_game
from events.rules.systems.ladybohn_expansion.make_up import MOST_PAYERS, grows_make_up
from events.rules.systems.ladybohn_expansion.table import table_of
from events.rules.table.state import GameState

LEVYING = "levy"
"""The phase after phase 4 in which the active player's levies are due."""


def begin_drawing(move: Move) -> None:
    """After phase 3, phase 4 is always played: the game ends with the turn."""
    move.emit(e.PhaseBegan("draw"))


def end_turn(move: Move) -> None:
    """After phase 4: the levies that are due now, one by one; then the turn passes, or the game ends."""
    owner = move.state.active
    while owner in table_of(move.state).levies:
        if payers_for(move.rules, move.state, owner):
            if move.state.phase != LEVYING:
                move.emit(e.PhaseBegan(LEVYING))
            return
        move.emit(e.CoinsLevied(owner, spared=table_of(move.state).spared_by(owner)))
    if exhausted_for_good(move):
        end_game(move, "exhausted_in_this_turn")
    else:
        next_turn(move)


def after_interruption(move: Move) -> None:
    """Skip a levy that is due and for which nobody can be named any more."""
    if move.state.phase == LEVYING:
        end_turn(move)


def levy(move: Move, command: c.Levy) -> None:
    """Take the top coins of those named, in this order; none need be named."""
    seats = command.seats
    if len(set(seats)) != len(seats):
        raise SeatNamedTwice(f"A player is named twice among {list(seats)}; name each once.")
    for seat in seats:
        _check_payer(move, seat)
    if len(seats) > MOST_PAYERS:
        raise TooManyPayers(f"A levy takes from {MOST_PAYERS} players at most, not from {len(seats)}.")
    coins = tuple(move.state.seats[seat].coins[-1] for seat in seats)
    move.emit(e.CoinsLevied(move.seat, seats, coins, table_of(move.state).spared_by(move.seat)))
    end_turn(move)


def _check_payer(move: Move, seat: int) -> None:
    check_seat(move.rules, seat)
    if seat == move.seat:
        raise CannotBeLevied("A levy takes from other players, not from yourself.")
    if not move.state.seats[seat].coins:
        raise CannotBeLevied(f"Seat {seat} has no coin that a levy could take.")
    if grows_make_up(move.rules, move.state.seats[seat]):
        raise CannotBeLevied(f"Seat {seat} grows make-up beans, which protect from levies.")
    if seat in table_of(move.state).spared_by(move.seat):
        raise PromiseBinds(f"You have promised seat {seat} to spare it with your next levy.")


def legal_levies(rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """None to three of those who can be named, in every order."""
    payers = payers_for(rules, state, seat)
    for count in range(min(MOST_PAYERS, len(payers)) + 1):
        for seats in permutations(payers, count):
            yield c.Levy(seats)


def payers_for(rules: Rules, state: GameState, owner: int) -> tuple[int, ...]:
    """Whom the owner's next levy may name: others with a coin, without make-up beans and without a promise."""
    spared = table_of(state).spared_by(owner)
    return tuple(
        number
        for number, seat in enumerate(state.seats)
        if number != owner and seat.coins and number not in spared and not grows_make_up(rules, seat)
    )


LEVY = Rule(levy, legal_levies)
