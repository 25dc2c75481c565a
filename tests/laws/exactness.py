"""The law that `legal_commands` is exact: what it names is accepted, everything else is refused."""

from collections.abc import Sequence
from typing import get_args

import msgspec

from events import commands as c
from events.rules import errors
from events.rules.decide import play
from events.rules.definition.forms import matches
from events.rules.definition.rule_system import Rules
from events.rules.legal import legal_commands
from events.rules.move import Earlier, nothing_earlier
from events.rules.table.state import GameState
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
    c.CloseGame("untouched"),
    c.PauseGame(1, "conduct"),
    c.ResumeGame(1),
    c.RuleGame(1, "annulled", "Eve", "the game", "I am losing."),
    c.ExpireTime(0, 1),
    c.CreditTime(0, 1, "outage"),
)
"""Commands that are no seat's to send."""


def accepted(
    rules: Rules, state: GameState, seat: int, command: c.Command, earlier: Earlier = nothing_earlier
) -> bool:
    """Whether the rules accept the command; a refusal must be one of the rules' own."""
    try:
        play(rules, state, seat, command, earlier)
    except errors.RuleViolation:
        return False
    return True


def what_is_listed_and_nothing_else_is_accepted(
    rules: Rules,
    state: GameState,
    seat: int,
    dice: Dice,
    *,
    earlier: Earlier | None = None,
    versions: Sequence[int] = (),
) -> None:
    """Every listed command, every form filled by chance, and a random command of every type; the state stays.

    Where `earlier` is not given the game can go back to the table as it was before it was held up.
    """
    before = msgspec.json.encode(state)
    untouched = msgspec.structs.replace(state, paused_by=(), take_back=None)
    log = earlier or (lambda _: untouched)
    choices = legal_commands(rules, state, seat, log, versions)
    for choice in choices:
        filled = choice if isinstance(choice, c.Command) else fill(choice, dice)
        assert isinstance(choice, c.Command) or matches(choice, filled), f"does not fill its form: {filled}"
        assert accepted(rules, state, seat, filled, log), f"refused, but listed: {filled}"
    questions = [c.AskTakeBack(version, seen) for version in versions for seen in (False, True)]
    tried = [any_command(kind, state, seat, dice) for kind in SEAT_KINDS]
    for command in [*tried, *questions, *FOREIGN]:
        if isinstance(command, c.AskTakeBack) and command not in questions and earlier is not None:
            continue
        listed = is_offered(choices, command)
        assert accepted(rules, state, seat, command, log) == listed, (
            f"{'refused, but listed' if listed else 'accepted, but not listed'}: {command}"
        )
    assert msgspec.json.encode(state) == before, "a refused or tried command has changed the state"
