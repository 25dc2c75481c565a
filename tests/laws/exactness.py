"""The law that `legal_commands` is exact: what it names is accepted, everything else is refused."""

from typing import get_args

import msgspec

from events import commands as c
from events.rules import errors
from events.rules.decide import play
from events.rules.forms import matches
from events.rules.legal import legal_commands
from events.rules.move import Earlier, nothing_earlier
from events.rules.rule_system import Rules
from events.rules.state import GameState
from tests.support.strategies import Dice, any_command, fill
from tests.support.tables import is_offered

SEAT_KINDS: tuple[type[c.Command], ...] = get_args(c.SEAT_COMMANDS)
"""Every type of command that a seat can send in some rule system."""
FOREIGN = (
    c.Shuffle("draw", ()),
    c.ChooseStartingSeat(0),
    c.RevealSecret("00" * 32),
    c.CreateGame("g", "classic", 3, {}, "", ""),
    c.TakeSeat(0, "Eve", "human"),
    c.PauseGame(1, "conduct"),
    c.ResumeGame(1),
    c.RuleGame(1, "annulled", "Eve", "the game", "I am losing."),
    c.AskTakeBack(1),
)
"""Commands that are no seat's to send, and the question that only the whole log can answer."""
ANSWERS = (c.AgreeTakeBack(), c.DeclineTakeBack())
"""What a seat can send while a take-back is open, though it is not listed: it is sent beside the game."""


def accepted(
    rules: Rules, state: GameState, seat: int, command: c.Command, earlier: Earlier = nothing_earlier
) -> bool:
    """Whether the rules accept the command; a refusal must be one of the rules' own."""
    try:
        play(rules, state, seat, command, earlier)
    except errors.RuleViolation:
        return False
    return True


def may_answer(state: GameState, seat: int, answer: c.Command) -> bool:
    """Whether the seat can still answer a take-back so: agree once, or decline; not while a dispute comes first."""
    if state.take_back is None or state.paused_by:
        return False
    return isinstance(answer, c.DeclineTakeBack) or seat not in state.take_back.agreed


def what_is_listed_and_nothing_else_is_accepted(
    rules: Rules, state: GameState, seat: int, dice: Dice
) -> None:
    """Every listed command, every form filled by chance, and a random command of every type; the state stays."""
    before = msgspec.json.encode(state)
    choices = legal_commands(rules, state, seat)
    for choice in choices:
        filled = choice if isinstance(choice, c.Command) else fill(choice, dice)
        assert isinstance(choice, c.Command) or matches(choice, filled), f"does not fill its form: {filled}"
        assert accepted(rules, state, seat, filled), f"refused, but listed: {filled}"
    for command in [any_command(kind, state, seat, dice) for kind in SEAT_KINDS] + [*FOREIGN]:
        listed = is_offered(choices, command)
        assert accepted(rules, state, seat, command) == listed, (
            f"{'refused, but listed' if listed else 'accepted, but not listed'}: {command}"
        )
    untouched = msgspec.structs.replace(state, paused_by=(), take_back=None)
    for answer in ANSWERS:
        assert accepted(rules, state, seat, answer, lambda _: untouched) == may_answer(state, seat, answer), (
            answer
        )
    assert msgspec.json.encode(state) == before, "a refused or tried command has changed the state"
