"""Figures and comparisons: medians, ratios round by round, and whether a goal is reached."""

import pytest

from tests.benchmarks.figures import Comparison, Figure, Goal


def figure(*values: float, unit: str = "events/s") -> Figure:
    """A figure with these rounds."""
    return Figure(what="something", unit=unit, values=values)


def row(ours: Figure, beside: Figure | None, goal: Goal) -> Comparison:
    """A row of them."""
    return Comparison(
        name="row", ours=ours, beside=beside, goal=goal, command="python -m tests.benchmarks --only row"
    )


def test_a_figure_is_the_median_of_its_rounds_with_the_lowest_and_the_highest() -> None:
    """One slow round does not move it."""
    measured = figure(5.0, 1.0, 4.0)

    assert (measured.median, measured.lowest, measured.highest) == (4.0, 1.0, 5.0)


def test_a_figure_without_a_round_is_no_figure() -> None:
    """Nothing was measured."""
    with pytest.raises(ValueError, match="No round"):
        figure()


def test_a_ratio_is_taken_within_each_round() -> None:
    """A round in which the whole machine was slow says the same as the others."""
    compared = row(figure(10.0, 1.0, 30.0), figure(5.0, 0.5, 10.0), Goal(at_least=2.0))

    assert compared.ratios == (2.0, 2.0, 3.0)
    assert compared.ratio == 2.0
    assert compared.reached is True


@pytest.mark.parametrize(
    ("goal", "reached"),
    [
        (Goal(at_least=2.0), True),
        (Goal(at_least=2.1), False),
        (Goal(at_most=2.0), True),
        (Goal(at_most=1.9), False),
        (Goal(of="figure", at_most=20.0), True),
        (Goal(of="figure", at_least=20.5), False),
    ],
)
def test_a_goal_bounds_the_ratio_or_the_figure_from_one_side(goal: Goal, *, reached: bool) -> None:
    """The bound itself is reached."""
    assert row(figure(20.0), figure(10.0), goal).reached is reached


def test_without_the_peer_nobody_knows_whether_a_ratio_is_reached() -> None:
    """A goal of the figure itself is judged all the same."""
    assert row(figure(20.0), None, Goal(at_least=1.0)).reached is None
    assert row(figure(20.0), None, Goal(of="figure", at_most=20.0)).reached is True


def test_a_goal_has_one_bound() -> None:
    """Neither none nor two."""
    with pytest.raises(ValueError, match="one bound"):
        Goal()
    with pytest.raises(ValueError, match="one bound"):
        Goal(at_least=1.0, at_most=2.0)


def test_only_what_is_alike_is_compared() -> None:
    """The same unit, and a value of each side in each round."""
    with pytest.raises(ValueError, match="cannot stand beside"):
        row(figure(1.0), figure(1.0, unit="ms"), Goal(at_least=1.0))
    with pytest.raises(ValueError, match="each round"):
        row(figure(1.0), figure(1.0, 2.0), Goal(at_least=1.0))
