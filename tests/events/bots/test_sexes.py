"""How the greedy bot plays misters, misses and babies, and the ladies of the expansion."""

from events import commands as c
from events.bots.greedy.in_varieties import in_varieties
from tests.events.bots.situations import choice_at, situation_at
from tests.events.rules.ladybohn.tables import BABY, MISS, MISTER, PLAIN, table
from tests.support.given import given


def test_it_moves_a_miss_to_the_top() -> None:
    """A baby that it plants carries her as far up as she may go."""
    assert choice_at(table(hand=(BABY, PLAIN), fields=((MISTER, MISS, MISTER), ()))) == c.Plant(0, 1, 2)


def test_it_uses_the_move_that_a_trade_has_left() -> None:
    """Before anything else."""
    before = table(phase="trade", fields=((MISTER, MISS, MISTER, BABY), ()), open_moves=((0, 0),))
    assert choice_at(before) == c.MoveMiss(0, 1, 2)


def test_of_what_lies_aside_a_miss_goes_last() -> None:
    """So that she stays on top."""
    before = table(phase="plant_aside", aside=(MISS, MISTER), fields=((MISTER,), ()))
    assert choice_at(before) == c.PlantAside(2, 0)


def test_it_sells_under_a_miss_that_pays_everything() -> None:
    """A red miss on four red beans pays four coins; it doesn't wait for a baby to cover her."""
    assert choice_at(table(fields=((MISTER, MISTER, MISTER, MISS), ()), phase="reveal")) == c.Harvest(0)


def test_it_does_not_sell_a_full_field_under_a_baby() -> None:
    """It would get nothing."""
    assert choice_at(table(fields=((MISTER,) * 5 + (BABY,), ()), phase="reveal")) == c.Reveal()


def test_other_games_are_seen_as_they_are() -> None:
    """Where cards have no sex there is nothing to translate."""
    seen = situation_at(given())
    assert in_varieties(seen) is seen
