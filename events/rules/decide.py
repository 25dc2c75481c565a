"""What a command brings about: `decide` may refuse and changes nothing; what it returns has happened.

Refusing "not in this phase" and "not your turn" falls out of the tables of the rule system.
"""

from collections.abc import Mapping

from events import commands as c
from events.domain_events import DomainEvent
from events.rules import errors
from events.rules.definition.rule_system import Decision, Rule, Rules
from events.rules.interventions.leaving import LEAVING
from events.rules.interventions.rulings import ARBITER_DECISIONS
from events.rules.interventions.take_backs import TAKE_BACKS
from events.rules.interventions.time import CLOCK_DECISIONS
from events.rules.move import ARBITER, CLOCK, DEALER, HOST, Earlier, Move, check_seat, nothing_earlier
from events.rules.phases import standard
from events.rules.phases.trading import withdraw_readiness
from events.rules.table.state import GameState
from events.rules.table.waiting import is_held_up, waiting_for

_AROUND_THE_TABLE = (DEALER, HOST)
_BESIDE_THE_TABLE: Mapping[int, tuple[str, Mapping[type[c.Command], Decision]]] = {
    ARBITER: ("The arbiter", ARBITER_DECISIONS),
    CLOCK: ("The clock", CLOCK_DECISIONS),
}
_BESIDE_THE_TURN = {**TAKE_BACKS, **LEAVING}
"""What seats may do in every phase of every rule system; it does not say that one wants more of a trading."""


def decide(rules: Rules, state: GameState, actor: int, command: c.Command) -> tuple[DomainEvent, ...]:
    """The events that the command of this actor (a seat number, DEALER, HOST, ARBITER or CLOCK) brings about.

    Raises:
        RuleViolation: the rules forbid it; nothing has happened.
    """
    return tuple(play(rules, state, actor, command).events)


def play(
    rules: Rules, state: GameState, actor: int, command: c.Command, earlier: Earlier = nothing_earlier
) -> Move:
    """Like `decide`, but with the state that the events lead to: for callers that go on from there.

    `earlier` finds the table of a version before, for what goes back to one.

    Raises:
        RuleViolation: the rules forbid it; nothing has happened.
    """
    move = Move(rules, state, actor, earlier)
    decision = _decision(move, command)
    if actor in state.ready and type(command) is not c.Ready and type(command) not in _BESIDE_THE_TURN:
        withdraw_readiness(move)
    decision(move, command)
    return move


def _decision(move: Move, command: c.Command) -> Decision:
    if move.seat in _AROUND_THE_TABLE:
        decision = (standard.DEALER if move.seat == DEALER else standard.HOST).get(type(command))
        if decision is None:
            who = "The dealer" if move.seat == DEALER else "Who sets up the table"
            raise errors.UnknownCommand(f"{who} has no command {_type(command)!r}.")
        return decision
    if move.seat in _BESIDE_THE_TABLE:
        return _decision_from_beside(move, command)
    check_seat(move.rules, move.seat)
    state = move.state
    if state.status != "running" or state.due is not None:
        _check_running(move)
    if is_held_up(state):
        _check_held_up(move, command)
    beside = _BESIDE_THE_TURN.get(type(command))
    if beside is not None:
        return beside
    rule = rule_for(move.rules, move.state, type(command))
    if rule is None:
        raise _out_of_place(move, command)
    if rule.active_only and move.seat != move.state.active:
        raise errors.NotYourTurn(
            f"Only the active player may send {_type(command)!r}, and that is seat {move.state.active}; you are"
            f" seat {move.seat}. Wait for your turn.",
            rule.topic,
        )
    return rule.decide


def rule_for(rules: Rules, state: GameState, command: type[c.Command]) -> Rule | None:
    """The rule for a seat's command in the present phase, or at any time; None where it has no place now."""
    phase = rules.phases[state.phase]
    return phase.rules.get(command) or rules.any_time_in(phase).get(command)


def _decision_from_beside(move: Move, command: c.Command) -> Decision:
    who, decisions = _BESIDE_THE_TABLE[move.seat]
    decision = decisions.get(type(command))
    if decision is None:
        raise errors.UnknownCommand(f"{who} has no command {_type(command)!r}.")
    _check_running(move)
    return decision


def _check_held_up(move: Move, command: c.Command) -> None:
    """Refuse everything but talk, and the answers to a take-back, while the game is held up."""
    if type(command) is c.Say:
        return
    if move.state.paused_by:
        cases = ", ".join(map(str, move.state.paused_by))
        raise errors.GameIsPaused(
            f"The game is paused by dispute {cases}; until that is settled nothing but talk is accepted."
        )
    asked = move.state.take_back
    if asked is not None and type(command) not in TAKE_BACKS:
        raise errors.TakeBackOpen(
            f"Seat {asked.seat} asks to go back to version {asked.to_version}; first every seat has to agree or"
            " one to decline. Until then nothing but talk is accepted."
        )


def _check_running(move: Move) -> None:
    if move.state.status in {"none", "open"}:
        raise errors.GameNotStarted("The game has not begun: it starts when every seat is taken.")
    if move.state.status != "running":
        raise errors.GameOver("The game is over; nothing more can be done in it.")
    if move.state.due is not None:
        raise errors.DealerMustAct("The dealer is shuffling; nobody else can act before that is done.")


def _out_of_place(move: Move, command: c.Command) -> errors.RuleViolation:
    if type(command) in move.rules.system.any_time:
        waiting = ", ".join(f"seat {seat}" for seat in waiting_for(move.state))
        choices = " or ".join(
            repr(kind.__struct_config__.tag) for kind in move.rules.phases[move.state.phase].rules
        )
        return errors.ChoiceDue(
            f"First {waiting} has to choose, with {choices}; until then nothing but talk is accepted."
        )
    phases = [phase.name for phase in move.rules.phases.values() if type(command) in phase.rules]
    if not phases:
        return errors.UnknownCommand(
            f"The rule system {move.rules.system.key} has no command {_type(command)!r} for a player."
        )
    return errors.WrongPhase(
        f"The command {_type(command)!r} belongs to phase {' or '.join(phases)}; the turn of seat {move.state.active}"
        f" is in phase {move.state.phase}."
    )


def _type(command: c.Command) -> str:
    return str(command.__struct_config__.tag)
