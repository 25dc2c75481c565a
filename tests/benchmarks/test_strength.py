"""How strong a bot is, at a tiny size: what is compared with what; never how much it is."""

import pytest

from events.bots import BOTS
from tests.benchmarks.strength import Match, gains, interval, measure, row_of


def test_a_bot_is_compared_with_the_other_one_in_the_same_seat_and_with_its_neighbours() -> None:
    """Seat 0 had 3 more than before and 6 more than its neighbour; seat 1 one less, and 2 less."""
    assert gains([10, 9], [[13, 7], [10, 8]]) == (1, 2)


def test_the_interval_is_wider_the_fewer_deals_there_were() -> None:
    """With one deal nobody can say."""
    assert interval([1.0]) == (1.0, float("inf"))
    assert interval([0.0, 2.0])[1] == pytest.approx(12.71)
    assert interval([0.0, 2.0] * 50)[1] == pytest.approx(2.0 * (1 / 99) ** 0.5)


def test_beside_itself_a_bot_has_no_margin() -> None:
    """The same bot in the same seat with the same deal; and afterwards it is known as it was."""
    greedy = BOTS["greedy"]
    match = Match("bean-duel", 2, "greedy", "greedy", "1")
    measured = measure(match, 2)
    assert measured.margins == [0, 0]
    assert BOTS["greedy"] is greedy
    assert row_of(match, measured).startswith("| `bean-duel` | 2 | 2 | +0.00 | +0.00 to +0.00 |")
