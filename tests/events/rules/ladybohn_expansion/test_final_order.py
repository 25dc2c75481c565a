"""The order and the rotations of the final harvest. Sections are those of the Lady Bohn booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules.systems.ladybohn_expansion.final_harvest import best_order
from events.rules.table.state import Field
from tests.events.rules.ladybohn_expansion.tables import (
    BLUE,
    BLUE_LADY,
    MAKE_UP,
    RED,
    SOY,
    SOY_LADY,
    STINK,
    STINK_LADY,
    last_turn,
    rules_of_ladybohn_expansion,
)


def test_the_final_order_and_rotations_earn_most() -> None:
    """House: field 1 is sold first, because that can turn the female of field 0 to the top."""
    fields = ((STINK, STINK_LADY, STINK, STINK), (SOY, SOY))
    at = last_turn(fields, ((), ()), ((), ()))
    at.when(c.Draw()).then_among_others(e.FieldHarvested(0, 0, fields[0], 1, final=True))
    turned = ((BLUE, BLUE, BLUE_LADY, BLUE), (SOY, SOY))
    assert best_order(rules_of_ladybohn_expansion(), turned, None) == ((0, None), (1, None))
    worth = ((BLUE, BLUE_LADY, BLUE), (SOY, SOY))
    assert best_order(rules_of_ladybohn_expansion(), worth, None) == ((1, 0), (0, None))


def test_a_final_rotation_is_told() -> None:
    """House: rotations of the final harvest are events like any other."""
    worth = ((BLUE, BLUE_LADY, BLUE), (SOY, SOY))
    last_turn(worth, ((), ()), ((), ())).when(c.Draw()).then(
        e.FieldHarvested(0, 1, (SOY, SOY), 1, final=True),
        e.FieldRotated(0, 0, BLUE),
        e.FieldHarvested(0, 0, (BLUE, BLUE, BLUE_LADY), 1, final=True),
        e.GameEnded((2, 0, 0), (0,), "exhausted_in_this_turn"),
        e.DealerCalled("secret"),
    )


@pytest.mark.parametrize(
    ("fields", "quota", "best"),
    [
        (((), ()), None, ()),
        (((BLUE,), (SOY, SOY)), None, ((0, None), (1, None))),
        (((MAKE_UP,) * 3, (SOY, SOY)), None, ((1, None),)),
        (((SOY_LADY, SOY), (), (RED, RED)), None, ((0, None), (2, None))),
        (((BLUE, BLUE_LADY, BLUE), (), (SOY_LADY,)), 2, ((2, 0), (0, None))),
        (((BLUE, BLUE_LADY, BLUE, BLUE), (SOY, SOY), (RED, RED)), None, ((0, None), (1, None), (2, None))),
        (((BLUE_LADY, BLUE, BLUE), (SOY,), (RED,)), None, ((1, 0), (2, 0), (0, None))),
        (((BLUE_LADY, BLUE, BLUE), (SOY,), ()), None, ((0, None), (1, None))),
        (((STINK_LADY, STINK), (SOY,)), None, ((1, 0), (0, None))),
        (((STINK_LADY, STINK), (SOY, SOY), (BLUE,)), None, ((1, 0), (0, None), (2, None))),
    ],
)
def test_the_best_order(
    fields: tuple[Field, ...], quota: int | None, best: tuple[tuple[int, int | None], ...]
) -> None:
    """House: what earns most; ties: lowest field numbers first, no rotation before one; make-up beans wait."""
    assert best_order(rules_of_ladybohn_expansion(), fields, quota) == best
