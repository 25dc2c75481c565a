"""The test by permutation: what the same games show when their players are put on other seats at random.

In each game the names are put on its seats anew, every order alike, and every pair is counted again, of what is left
when means and habits are taken off (`meetings`). Those are fitted once, to the games as they were played, and what is
left stays with the seats: a draw fits nothing anew. A pair stands out by how many standard deviations of these draws
it lies above their mean. Corrected for many pairs and measures it is after Westfall and Young (Resampling-Based
Multiple Testing, 1993): the p-value is the share of draws in which *any* pair stands out as much by *any* measure.
Whoever takes those up to 5 % has an honest pair among them in about 5 % of screens, as docs/screening.md measures.
"""

import random
from array import array
from collections.abc import Iterator
from math import sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

from replay.across.screening.comparing.excess import Excess
from replay.across.screening.comparing.meetings import Meetings

DRAWS: Final = 1_999
"""Draws that are made; the smallest p-value is one of so many and one more."""
CERTAINTY: Final = NormalDist().inv_cdf(0.975)
"""Standard deviations on either side that make an interval of 95 %."""


class Tested(NamedTuple):
    """What a test says.

    Attributes:
        effect: coins in a game above the mean of the draws.
        deviation: the standard deviation of the draws.
        p: the share of draws in which the same pair has as much by the same measure.
        corrected: the share of draws in which any pair stands out as much by any measure.
    """

    effect: float
    deviation: float
    p: float
    corrected: float

    @property
    def interval(self) -> tuple[float, float]:
        """Where the effect lies with 95 % certainty, if games with and without an understanding vary alike.

        Of this test by itself: it is not corrected for many pairs and measures.
        """
        return self.effect - CERTAINTY * self.deviation, self.effect + CERTAINTY * self.deviation


def permute(meetings: Meetings, excess: Excess, draws: int, seed: str) -> list[Tested]:
    """Every test of `excess`, in its order; `seed` gives the same draws anew."""
    chance = random.Random(seed)  # noqa: S311 (a test by permutation, not cryptography)
    seating = [sitting.players for sitting in meetings.sittings]
    own = excess.count(seating)
    drawn = [array("d", bytes(8 * draws)) for _ in own]
    for draw in range(draws):
        for figures, figure in zip(drawn, excess.count(_shuffle(seating, chance)), strict=True):
            figures[draw] = figure
    scales = [_scale(figures, figure) for figures, figure in zip(drawn, own, strict=True)]
    most = (
        [
            max(
                (figures[draw] - mean) / deviation
                for figures, (mean, deviation) in zip(drawn, scales, strict=True)
            )
            for draw in range(draws)
        ]
        if own
        else []
    )
    most.sort(reverse=True)
    found = []
    for figure, figures, (mean, deviation) in zip(own, drawn, scales, strict=True):
        # A hair less, so that the same figures added up in another order count as equal.
        height = (figure - mean) / deviation - 1e-9
        as_much = sum(1 for each in figures if (each - mean) / deviation >= height)
        any_as_much = _count_from(most, height)
        found.append(
            Tested(figure - mean, deviation, (as_much + 1) / (draws + 1), (any_as_much + 1) / (draws + 1))
        )
    return found


def _shuffle(seating: list[tuple[int, ...]], chance: random.Random) -> Iterator[list[int]]:
    """The players of each game on other seats: Fisher and Yates, by `random`, which Python keeps as it is."""
    drawn = chance.random
    for players in seating:
        order = list(players)
        for last in range(len(order) - 1, 0, -1):
            other = int(drawn() * (last + 1))
            order[last], order[other] = order[other], order[last]
        yield order


def _scale(figures: "array[float]", own: float) -> tuple[float, float]:
    """The mean and the standard deviation, the pair's own figure among the draws; never nothing."""
    count = len(figures) + 1
    mean = (sum(figures) + own) / count
    deviation = sqrt((sum((each - mean) ** 2 for each in figures) + (own - mean) ** 2) / count)
    return mean, deviation if deviation > 0 else 1.0


def _count_from(falling: list[float], height: float) -> int:
    """How many of these are as high."""
    low, high = 0, len(falling)
    while low < high:
        middle = (low + high) // 2
        if falling[middle] >= height:
            low = middle + 1
        else:
            high = middle
    return low
