"""What the clock brings about: time that is over, and time that counts for nobody.

The rules know no time: whether it is over, `events.game.clock` says, before they are asked.
"""

from collections.abc import Mapping
from typing import Final

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.definition.rule_system import Decision
from events.rules.interventions.leaving import take_over
from events.rules.move import Move, check_seat
from events.rules.table.waiting import is_held_up, waiting_for

LONGEST_TIME: Final = 366 * c.DAY
"""Seconds that a bank, an increment, an answer, or the wait before a game is closed may be at most."""
LONGEST_GRACE: Final = 300
SHORTEST_ANSWER: Final = 3
MOST_STRIKES: Final = 100
SHORTEST_CLOSE: Final = 60
TIME: Final = "time"
"""The reason of a take-over where the seat's time ran out too often."""
REASONS: Final = ("outage", "maintenance")
"""Why time is given back."""


def check_clock(clock: c.ClockSettings | None, close_after: int | None) -> None:
    """Refuse a clock or a waiting time that no game can be played with.

    Raises:
        BadClock
    """
    if close_after is not None and not SHORTEST_CLOSE <= close_after <= LONGEST_TIME:
        raise errors.BadClock(
            f"A game may be closed after {SHORTEST_CLOSE} to {LONGEST_TIME} seconds in which nothing happened, not"
            f" after {close_after}."
        )
    if clock is None:
        return
    for name, seconds, least, most in (
        ("bank", clock.bank, 0, LONGEST_TIME),
        ("increment", clock.increment, 0, LONGEST_TIME),
        ("cap", clock.cap, max(clock.bank, clock.answer), 10 * LONGEST_TIME),
        ("answer", clock.answer, SHORTEST_ANSWER, LONGEST_TIME),
        ("grace", clock.grace, 0, LONGEST_GRACE),
        ("strikes", clock.strikes, 1, MOST_STRIKES),
    ):
        if not least <= seconds <= most:
            raise errors.BadClock(f"The clock's {name} is {least} to {most}, not {seconds}.")


def _expire(move: Move, command: c.ExpireTime) -> None:
    clock = move.state.clock
    if clock is None:
        raise errors.NoClock("This game is played without a clock.")
    check_seat(move.rules, command.seat)
    if move.state.seats[command.seat].kind == "bot":
        raise errors.NothingExpired(f"Seat {command.seat} is a bot's; it has no clock.")
    if command.offer is not None:
        _expire_answer(move, command.seat, command.deadline, command.offer)
        return
    _check_waited_for(move, command.seat)
    if move.state.take_back is not None:
        move.emit(e.TimeExpired(command.seat, command.deadline))
        move.emit(e.TakeBackDeclined(command.seat))
        return
    own = move.state.seats[command.seat]
    strikes = own.strikes + (own.last_strike != move.state.turn)
    move.emit(e.TimeExpired(command.seat, command.deadline, strikes=strikes))
    if strikes >= clock.strikes:
        take_over(move, command.seat, TIME, clock.bot)


def _expire_answer(move: Move, seat: int, deadline: int, number: int) -> None:
    """Count an offer as declined that the seat might have answered."""
    if is_held_up(move.state):
        raise errors.NothingExpired("The game is held up; nobody waits for an answer.")
    offer = next((each for each in move.state.offers if each.number == number), None)
    if offer is None or offer.seat == seat or offer.to not in {None, seat} or seat in offer.declined:
        raise errors.NothingExpired(f"Seat {seat} has no open offer {number} to answer.")
    move.emit(e.TimeExpired(seat, deadline, number))
    move.emit(e.OfferDeclined(number, seat, closed=offer.to is not None))


def _check_waited_for(move: Move, seat: int) -> None:
    asked, seats = move.state.take_back, waiting_for(move.state)
    if seat not in (seats if asked is None or not seats else (asked.seat,)):
        raise errors.NothingExpired(f"The game does not wait for seat {seat}.")


def _credit(move: Move, command: c.CreditTime) -> None:
    if move.state.clock is None:
        raise errors.NoClock("This game is played without a clock.")
    if command.reason not in REASONS:
        raise errors.BadCredit(f"Time is given back because of one of {', '.join(REASONS)}.")
    if not 0 <= command.since < command.until:
        raise errors.BadCredit(f"No time lies between {command.since} and {command.until}.")
    move.emit(e.TimeCredited(command.since, command.until, command.reason))


CLOCK_DECISIONS: Mapping[type[c.Command], Decision] = {c.ExpireTime: _expire, c.CreditTime: _credit}
"""The same in every rule system."""
