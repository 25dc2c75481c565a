"""What the rules refuse names the booklet that lies on the table, and says it in a whole sentence."""

from collections.abc import Iterator
from functools import cache
from typing import get_args

import pytest

from events import commands as c
from events.rules import errors
from events.rules.decide import play
from events.rules.errors.printed_rules import HOUSE_RULE
from events.rules.systems.registry import BY_KEY
from tests.laws.games import SETUPS, Setup, every_setup, played
from tests.support.strategies import Dice, any_command

SEAT_KINDS: tuple[type[c.Command], ...] = get_args(c.SEAT_COMMANDS)
BOOKLETS = {
    "classic": {"Bohnanza (104 cards)"},
    "extended": {"Bohnanza (154 cards)"},
    "bean-duel": {"Bohnanza (154 cards)"},
    "ladybohn": {"Ladybohn"},
    "ladybohn-expansion": {"Lady Bohn (expansion)", "Bohnanza (104 cards)"},
    "the-duel": {"Bohnanza: The Duel"},
}
"""What lies on the table: the expansion is played with the booklet of the game that it extends."""


def _refusals(setup: Setup) -> Iterator[errors.RuleViolation]:
    """What is refused to any seat at any moment of a random game, the end included, of commands of all kinds."""
    dice = Dice(f"refusals {setup}")
    for step in played(setup)[1]:
        table = step.after
        if dice.chance(94) and table.state.status == "running":
            continue
        for kind in SEAT_KINDS:
            seat = dice.below(setup.players)
            try:
                play(table.rules, table.state, seat, any_command(kind, table.state, seat, dice))
            except errors.RuleViolation as refused:
                yield refused


@cache
def refusals(setup: Setup) -> tuple[errors.RuleViolation, ...]:
    """All of them, provoked once."""
    return tuple(_refusals(setup))


@every_setup
def test_a_refusal_names_a_section_of_the_own_booklet_or_a_house_rule(setup: Setup) -> None:
    """Nobody is sent to the booklet of another game."""
    system = setup.rules.system
    for refused in refusals(setup):
        section = system.section_of(refused)
        assert section == HOUSE_RULE or section.booklet in BOOKLETS[setup.system], (refused.code, section)


@every_setup
def test_a_refusal_is_told_in_a_sentence(setup: Setup) -> None:
    """Each message begins like one and ends like one, and is long enough to say what is wrong."""
    for refused in refusals(setup):
        said = str(refused)
        assert said[0].isupper(), said
        assert said.endswith("."), said
        assert len(said.split()) >= 6, said


@pytest.mark.parametrize("key", BY_KEY)
def test_both_the_booklet_and_the_house_refuse(key: str) -> None:
    """The law has been tried on either kind, and on every booklet of the system."""
    sections = {
        BY_KEY[key].section_of(refused)
        for setup in SETUPS
        if setup.system == key
        for refused in refusals(setup)
    }
    assert {section.booklet for section in sections} == BOOKLETS[key] | {HOUSE_RULE.booklet}
