"""Every way to move a miss is either listed and accepted, or neither. Section: Rapprochement des miss."""

from itertools import product

import pytest

from events import commands as c
from events.rules.decide import decide
from events.rules.errors import RuleViolation
from events.rules.legal import legal_commands
from tests.events.rules.ladybohn.tables import BABY, MISS, MISTER, PLAIN, table
from tests.support.given import Given

FIELDS = [cards for size in (1, 2, 3, 4) for cards in product((MISTER, MISS, BABY), repeat=size)]
MOVES = [*product((None, *range(-1, 6)), range(-1, 4))]


def exact(before: Given, commands: list[c.Command]) -> int:
    """Check that exactly the listed ones of these are accepted; how many are."""
    legal = legal_commands(before.rules, before.state, 0)
    for command in commands:
        try:
            decide(before.rules, before.state, 0, command)
        except RuleViolation:
            assert command not in legal, command
        else:
            assert command in legal, command
    return sum(command in legal for command in commands)


@pytest.mark.parametrize("card", [MISTER, MISS, BABY])
def test_planting_from_the_hand_and_from_aside(card: str) -> None:
    """Over every field of up to four cards, every place and every distance."""
    for field in FIELDS:
        hand = table(hand=(card, PLAIN), fields=(field, ()))
        planted = exact(hand, [c.Plant(0, miss, places) for miss, places in MOVES])
        aside = table(phase="plant_aside", aside=(card,), fields=(field, ()))
        assert exact(aside, [c.PlantAside(1, 0, miss, places) for miss, places in MOVES]) == planted
        assert (planted > 1) == (card == BABY and MISS in field)


def test_the_move_that_a_trade_has_left() -> None:
    """Over the same fields, with a move open on one of two."""
    commands: list[c.Command] = [
        c.MoveMiss(field, miss, places)
        for field in (-1, 0, 1, 2)
        for miss, places in MOVES
        if miss is not None
    ]
    for field in FIELDS:
        before = table(
            phase="trade", fields=(field, ("blue_female", "blue_male")), open_moves=((0, 0), (1, 1))
        )
        assert (exact(before, commands) > 0) == (MISS in field[:-1])
