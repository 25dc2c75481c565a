"""`legal_commands` is exact: what it names is accepted, everything else is refused and changes nothing."""

from itertools import chain
from typing import get_args

import msgspec
import pytest

from events import commands as c
from events.commands.leaving import LEAVING
from events.rules import errors
from events.rules.legal import legal_commands
from tests.laws.exactness import (
    FOREIGN,
    SEAT_KINDS,
    accepted,
    what_is_listed_and_nothing_else_is_accepted,
)
from tests.laws.games import RARE_GAMES, SETUPS, Setup, every_setup, played, played_rare
from tests.laws.order import whoever_is_waited_for_can_go_on
from tests.support.strategies import Dice, any_command
from tests.support.tables import is_offered

KINDS: tuple[type[c.Command], ...] = get_args(c.AnyCommand)
TRIES = 20
"""Random commands of a type where somebody sent one."""


@every_setup
def test_what_is_listed_is_accepted_and_everything_else_is_refused(setup: Setup) -> None:
    """In states of a random game, for every seat: listed commands, filled forms, random commands of all types."""
    dice = Dice(f"legal {setup}")
    for step in played(setup)[1]:
        if dice.chance(7):
            for seat in range(setup.players):
                what_is_listed_and_nothing_else_is_accepted(step.after.rules, step.after.state, seat, dice)


@every_setup
def test_whoever_is_waited_for_can_go_on(setup: Setup) -> None:
    """A running game waits for somebody, who has more than talk to offer; a finished one for nobody."""
    begun, steps = played(setup)
    for table in [begun.table, *(step.after for step in steps)]:
        whoever_is_waited_for_can_go_on(table.rules, table.state)


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
    """Of every type some are accepted and, unless it has no arguments, some are refused.

    They are tried where somebody sent one of the type, so that it can be legal there.
    """
    # tests/laws/test_taking_back.py and test_leavers.py try these
    elsewhere = {*get_args(c.TAKE_BACKS), *get_args(LEAVING)}
    seen: dict[type[c.Command], set[bool]] = {kind: set() for kind in SEAT_KINDS if kind not in elsewhere}
    dice = Dice("mixed")
    for step in chain.from_iterable(
        steps for _, steps in chain(map(played_rare, RARE_GAMES), map(played, SETUPS))
    ):
        kind, rules, state = type(step.command), step.before.rules, step.before.state
        for seat in (step.seat, dice.below(rules.players)) if len(seen[kind]) < 2 else ():
            for _ in range(TRIES):
                seen[kind].add(accepted(rules, state, seat, any_command(kind, state, seat, dice)))
        if all(len(outcomes) == 2 for outcomes in seen.values()):
            break
    assert [kind for kind, outcomes in seen.items() if len(outcomes) < 2] == []
