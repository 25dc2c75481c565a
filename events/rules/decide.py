"""What a command brings about: `decide` may refuse and changes nothing; what it returns has happened.

Refusing "not in this phase" and "not your turn" falls out of the tables of the rule system.
"""

from events import commands as c
from events.domain_events import DomainEvent
from events.rules import errors
from events.rules.legal import waiting_for
from events.rules.move import DEALER, HOST, Move
from events.rules.rule_system import Decision, Rule, Rules
from events.rules.state import GameState


def decide(rules: Rules, state: GameState, actor: int, command: c.Command) -> tuple[DomainEvent, ...]:
    """The events that the command of this actor (a seat number, DEALER or HOST) brings about.

    Raises:
        RuleViolation: the rules forbid it; nothing has happened.
    """
    return tuple(play(rules, state, actor, command).events)


def play(rules: Rules, state: GameState, actor: int, command: c.Command) -> Move:
    """Like `decide`, but with the state that the events lead to: for callers that go on from there.

    Raises:
        RuleViolation: the rules forbid it; nothing has happened.
    """
    move = Move(rules, state, actor)
    _decision(move, command)(move, command)
    return move


def _decision(move: Move, command: c.Command) -> Decision:
    if move.seat in {DEALER, HOST}:
        system = move.rules.system
        decision = (system.dealer if move.seat == DEALER else system.host).get(type(command))
        if decision is None:
            raise errors.UnknownCommand(f"{_type(command)} is no command of the dealer or the host.")
        return decision
    _check_running(move)
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


def _check_running(move: Move) -> None:
    if not 0 <= move.seat < move.rules.players:
        raise errors.NoSuchSeat(f"The table has seats 0 to {move.rules.players - 1}.")
    if move.state.status in {"none", "open"}:
        raise errors.GameNotStarted("The game starts when every seat is taken.")
    if move.state.status != "running":
        raise errors.GameOver("The game is over.")
    if move.state.due is not None:
        raise errors.DealerMustAct("The dealer is shuffling; nobody else can act now.")


def _out_of_place(move: Move, command: c.Command) -> errors.RuleViolation:
    if type(command) in move.rules.system.any_time:
        waiting = ", ".join(f"seat {seat}" for seat in waiting_for(move.state))
        return errors.ChoiceDue(f"Until {waiting} has chosen, nothing but talk is accepted.")
    phases = [phase.name for phase in move.rules.phases.values() if type(command) in phase.rules]
    if not phases:
        return errors.UnknownCommand(f"{move.rules.system.key} has no command {_type(command)!r} for a seat.")
    return errors.WrongPhase(
        f"{_type(command)!r} belongs to phase {' or '.join(phases)}; the turn of seat {move.state.active}"
        f" is in phase {move.state.phase}."
    )


def _type(command: c.Command) -> str:
    return str(command.__struct_config__.tag)
