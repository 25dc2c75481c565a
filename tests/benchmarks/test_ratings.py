"""How well ratings find strengths, at a tiny size: what is looked at; the figures stand in docs/ratings.md."""

import pytest

from tests.benchmarks.ratings import EACH, bots, correlation, series, with_interval


def test_correlations_and_intervals_are_these() -> None:
    """Of rows in line, against it, and of one that is neither; the interval is that of the mean."""
    assert correlation([1, 2, 3], [2, 4, 6]) == pytest.approx(1)
    assert correlation([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert correlation([1, 2, 3, 4], [1, -1, -1, 1]) == pytest.approx(0)
    assert with_interval([0.5, 0.5, 0.5]) == "0.500 (0.500 to 0.500)"
    assert with_interval([0.4, 0.6]) == "0.500 (0.304 to 0.696)"


def test_a_series_looks_after_each_number_of_games_and_finds_more_with_more() -> None:
    """The same series gives the same figures, and another one others."""
    found = series(1)
    assert len(found) == len(EACH)
    assert found[-1][0] > 0.9
    assert found[-1][0] > found[0][0]
    assert all(0 <= inside <= 1 <= 1 + off for _, inside, off in found)
    assert series(1) == found != series(2)


def test_the_greedy_bot_is_found_to_be_the_better_one() -> None:
    """One deal on each rotation of three seats: three games, each with the greedy bot once."""
    said = bots(1)
    assert said.startswith("3 games, greedy won ")
    assert said.index("*greedy") < said.index("*random")
