"""How the greedy bot plays misters, misses and babies, and the ladies of the expansion."""

from events import commands as c
from events.rules.legal import legal_commands
from events.rules.player_view import player_view
from service.bots import choose
from service.bots.in_varieties import in_varieties
from service.bots.situation import Situation
from tests.rules.ladybohn.tables import BABY, MISS, MISTER, PLAIN, table
from tests.support.given import Given, given


def situation(before: Given, seat: int = 0) -> Situation:
    """What the bot on this seat is told."""
    view, legal = player_view(before.state, seat), legal_commands(before.rules, before.state, seat)
    return Situation(before.rules, seat, view, legal)


def choice(before: Given, seat: int = 0) -> c.Command | None:
    """What the greedy bot does there."""
    return choose("greedy", situation(before, seat), "seed", 1)


def test_it_moves_a_miss_to_the_top() -> None:
    """A baby that it plants carries her as far up as she may go."""
    assert choice(table(hand=(BABY, PLAIN), fields=((MISTER, MISS, MISTER), ()))) == c.Plant(0, 1, 2)


def test_it_uses_the_move_that_a_trade_has_left() -> None:
    """Before anything else."""
    before = table(phase="trade", fields=((MISTER, MISS, MISTER, BABY), ()), open_moves=((0, 0),))
    assert choice(before) == c.MoveMiss(0, 1, 2)


def test_of_what_lies_aside_a_miss_goes_last() -> None:
    """So that she stays on top."""
    before = table(phase="plant_aside", aside=(MISS, MISTER), fields=((MISTER,), ()))
    assert choice(before) == c.PlantAside(2, 0)


def test_it_sells_under_a_miss_that_pays_everything() -> None:
    """A red miss on four red beans pays four coins; it doesn't wait for a baby to cover her."""
    assert choice(table(fields=((MISTER, MISTER, MISTER, MISS), ()), phase="reveal")) == c.Harvest(0)


def test_it_does_not_sell_a_full_field_under_a_baby() -> None:
    """It would get nothing."""
    assert choice(table(fields=((MISTER,) * 5 + (BABY,), ()), phase="reveal")) == c.Reveal()


def test_other_games_are_seen_as_they_are() -> None:
    """Where cards have no sex there is nothing to translate."""
    seen = situation(given())
    assert in_varieties(seen) is seen
