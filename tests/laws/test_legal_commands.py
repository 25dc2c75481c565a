"""`legal_commands` is exact: what it names is accepted, everything else is refused and changes nothing."""

from typing import get_args

import msgspec
import pytest

from events import commands as c
from events.rules import errors
from events.rules.decide import play
from events.rules.forms import matches
from events.rules.legal import legal_commands, waiting_for
from events.rules.rule_system import Rules
from events.rules.state import GameState
from tests.laws.games import SETUPS, Setup, every_setup, played
from tests.support.strategies import Dice, any_command, fill
from tests.support.tables import is_offered

KINDS: tuple[type[c.Command], ...] = get_args(c.AnyCommand)
SEAT_KINDS: tuple[type[c.Command], ...] = get_args(c.SEAT_COMMANDS)
RARELY_LEGAL = {c.ClaimBonus, c.GiveRevealed, c.Levy}
"""Commands that a random one hardly ever hits with the decks as shipped.

`test_the_duel.py` tries every one of its two; levies are common in the games of the expansion's own laws.
"""
FOREIGN = (
    c.Shuffle("draw", ()),
    c.ChooseStartingSeat(0),
    c.RevealSecret("00" * 32),
    c.CreateGame("g", "classic", 3, {}, "", ""),
    c.TakeSeat(0, "Eve", "human"),
)


def accepted(rules: Rules, state: GameState, seat: int, command: c.Command) -> bool:
    """Whether the rules accept the command; a refusal must be one of the rules' own."""
    try:
        play(rules, state, seat, command)
    except errors.RuleViolation:
        return False
    return True


@every_setup
def test_what_is_listed_is_accepted_and_everything_else_is_refused(setup: Setup) -> None:
    """In states of a random game, for every seat: listed commands, filled forms, random commands of all types."""
    dice = Dice(f"legal {setup}")
    for step in played(setup)[1]:
        rules, state = step.after.rules, step.after.state
        if not dice.chance(7):
            continue
        before = msgspec.json.encode(state)
        for seat in range(setup.players):
            choices = legal_commands(rules, state, seat)
            for choice in choices:
                filled = choice if isinstance(choice, c.Command) else fill(choice, dice)
                assert isinstance(choice, c.Command) or matches(choice, filled)
                assert accepted(rules, state, seat, filled), f"refused, but listed: {filled}"
            for command in [any_command(kind, state, seat, dice) for kind in SEAT_KINDS] + [*FOREIGN]:
                assert accepted(rules, state, seat, command) == is_offered(choices, command), command
        assert msgspec.json.encode(state) == before


@every_setup
def test_whoever_is_waited_for_can_go_on(setup: Setup) -> None:
    """A running game waits for somebody, who has more than talk to offer; a finished one for nobody."""
    for step in played(setup)[1]:
        rules, state = step.before.rules, step.before.state
        assert waiting_for(state)
        for seat in waiting_for(state):
            choices = legal_commands(rules, state, seat)
            assert any(isinstance(choice, c.Command) for choice in choices)
        state = step.after.state
        if state.status != "running":
            assert waiting_for(state) == ()
            assert all(legal_commands(rules, state, seat) == [] for seat in range(setup.players))


@every_setup
def test_refused_commands_leave_the_table_as_it_was(setup: Setup) -> None:
    """Who sends what is not listed is refused, and the same table goes on."""
    dice = Dice(f"refused {setup}")
    for step in played(setup)[1]:
        if not dice.chance(10):
            continue
        table, seat = step.after, dice.below(setup.players)
        command = any_command(dice.pick(SEAT_KINDS), table.state, seat, dice)
        if is_offered(legal_commands(table.rules, table.state, seat), command):
            continue
        before = (table.state, table.version, table.hash, msgspec.json.encode(table.state))
        with pytest.raises(errors.RuleViolation):
            table.submit(seat, command, 0)
        assert (table.state, table.version, table.hash, msgspec.json.encode(table.state)) == before
        assert table.state is before[0]


def test_every_kind_of_command_is_tried() -> None:
    """The random commands and the foreign ones cover all that can be asked of a game."""
    assert {*SEAT_KINDS} | {type(command) for command in FOREIGN} == {*KINDS}


def test_the_random_commands_are_neither_all_legal_nor_all_illegal() -> None:
    """Of every type some are accepted and, unless it has no arguments, some are refused."""
    seen: dict[type[c.Command], set[bool]] = {kind: set() for kind in SEAT_KINDS}
    dice = Dice("mixed")
    for setup in SETUPS:
        for step in played(setup)[1]:
            for kind in [kind for kind, outcomes in seen.items() if len(outcomes) < 2]:
                seat, state = dice.below(setup.players), step.after.state
                seen[kind].add(accepted(step.after.rules, state, seat, any_command(kind, state, seat, dice)))
    assert [kind for kind, outcomes in seen.items() if len(outcomes) < 2 and kind not in RARELY_LEGAL] == []
