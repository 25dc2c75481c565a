"""Leaving: a bot plays on for who left, who can come back; where nobody is left, the game ends."""

from collections.abc import Iterator, Mapping

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.definition.rule_system import Decision
from events.rules.interventions.ending import (
    ABANDONED,
    END_OFFERS,
    agree_for,
    check_person,
    end_at_once,
    legal_end_offers,
)
from events.rules.interventions.take_backs import agree_take_back_for
from events.rules.move import Move
from events.rules.table.absence import is_abandoned, is_person
from events.rules.table.state import GameState

MOST_RETURNS = 3
"""So many times who left can come back in one game."""
RESIGNED = "resigned"
"""The reason of a take-over where the seat itself has left."""
STAND_IN = "greedy"
"""The bot that plays on."""


def take_over(move: Move, seat: int, reason: str, bot: str = STAND_IN) -> None:
    """Let a bot play on for a seat, which then agrees to what is asked as every bot does.

    The game ends at once where nobody is left who could leave.
    """
    move.emit(e.SeatTakenOver(seat, bot, reason))
    if is_abandoned(move.state):
        end_at_once(move, (), ABANDONED)
        return
    agree_for(move, seat)
    if move.state.status == "running":
        agree_take_back_for(move, seat)


def _resign(move: Move, _command: c.Resign) -> None:
    if move.own.away:
        raise errors.LeftAlready("You have left already, and a bot plays on; come back to play yourself.")
    check_person(move)
    move.emit(e.SeatResigned(move.seat))
    take_over(move, move.seat, RESIGNED)


def _come_back(move: Move, _command: c.ComeBack) -> None:
    if not move.own.away:
        raise errors.NotAway("You have not left, so you cannot come back.")
    if move.own.returns >= MOST_RETURNS:
        raise errors.TooManyReturns(
            f"You have come back {move.own.returns} times, as often as one may in a game: the bot plays on."
        )
    move.emit(e.SeatReturned(move.seat))


LEAVING: Mapping[type[c.Command], Decision] = {c.Resign: _resign, c.ComeBack: _come_back, **END_OFFERS}
"""The same in every rule system."""


def legal_leaving(state: GameState, seat: int) -> Iterator[c.Command]:
    """Coming back for who has left; leaving, and ending the game together, for everybody else but bots."""
    own = state.seats[seat]
    if own.away and own.returns < MOST_RETURNS:
        yield c.ComeBack()
    if is_person(own):
        yield c.Resign()
        yield from legal_end_offers(state, seat)
