"""What rollouts are summed up to: a mean, and an interval that few of them make wide."""

import random

import pytest

from replay.across.intervals import student
from replay.across.screening.rollouts.playing_on import sum_up


def test_two_rollouts_say_little() -> None:
    """Two that lie two coins apart leave more than 12 coins on either side: there is one degree of freedom."""
    found = sum_up([(1.0, -2.0), (3.0, -4.0)])

    assert found is not None
    assert (found.games, found.coins, found.cost) == (2, 2.0, 3.0)
    assert found.interval == pytest.approx((2 - 12.7062, 2 + 12.7062))


def test_one_rollout_says_nothing() -> None:
    """It does not tell how much they vary."""
    assert sum_up([(1.0, 0.0)]) is None


@pytest.mark.parametrize(
    ("freedom", "deviations"),
    [
        (1, 12.7062),
        (2, 4.3027),
        (3, 3.1824),
        (4, 2.7764),
        (9, 2.2622),
        (19, 2.0930),
        (60, 2.0003),
        (99, 1.9842),
    ],
)
def test_the_quantiles_are_those_of_the_tables(freedom: int, deviations: float) -> None:
    """Of Student's t, on both sides 2.5 %."""
    assert student(freedom) == pytest.approx(deviations, abs=5e-5)


def test_without_a_second_figure_there_is_no_interval() -> None:
    """No degree of freedom is left."""
    with pytest.raises(ValueError, match="degree of freedom"):
        student(0)


@pytest.mark.parametrize("games", [2, 4, 20])
def test_the_interval_has_the_true_mean_in_it_as_often_as_it_says(games: int) -> None:
    """Of 4,000 that are made up; 1.96 deviations had it in 7 of 10 where there are two rollouts."""
    chance = random.Random(f"rollouts/{games}")
    within = 0
    for _ in range(4000):
        found = sum_up([(chance.gauss(1, 2), 0.0) for _ in range(games)])
        assert found is not None
        within += found.interval[0] <= 1 <= found.interval[1]

    assert 0.94 <= within / 4000 <= 0.96
