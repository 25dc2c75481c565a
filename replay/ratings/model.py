"""The figures of one game: Weng and Lin's Bradley-Terry model with full pairing, as the library `openskill` has it.

Figures are kept as whole ten-thousandths. What a game moves is computed with floats and rounded at once, half to
even, so that the last bits, in which mathematical libraries differ, are gone before the next game: docs/ratings.md.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from openskill.models import BradleyTerryFull
from openskill.models.weng_lin.bradley_terry_full import BradleyTerryFullRating

VERSION: Final = 1
"""Of everything that decides about a figure."""
UNIT: Final = 10_000
"""Figures in a point."""
MU: Final = 25.0
SIGMA: Final = MU / 3
BETA: Final = MU / 6
TAU: Final = MU / 300
"""How much less sure a figure becomes with each game, so that who learns is seen to; seats do not learn."""
SEAT_SIGMA: Final = 0.3
"""How much a place in the order of play may be worth, as long as nothing is known."""
_MODEL: Final = BradleyTerryFull(mu=MU, sigma=SIGMA, beta=BETA, tau=0.0)


class Figure(NamedTuple):
    """A strength, and how sure it is, in ten-thousandths."""

    mu: int
    sigma: int

    @property
    def rating(self) -> int:
        """What boards rank by: the strength that is exceeded almost certainly, three sigma below."""
        return self.mu - 3 * self.sigma


FIRST: Final = Figure(round(MU * UNIT), round(SIGMA * UNIT))
"""Of a player without a game."""
FIRST_OF_SEAT: Final = Figure(0, round(SEAT_SIGMA * UNIT))
"""Of a place in the order of play without a game."""


def rate(
    players: Sequence[Figure], seats: Sequence[Figure], ranks: Sequence[int]
) -> tuple[list[Figure], list[Figure]]:
    """The figures of players and of their places in the order of play after a game; lower ranks are better.

    Each player makes a team with the place: what the place is worth is taken off what the player has done, and both
    move by their shares of what was not known.
    """
    teams = [[_rating(player, TAU), _rating(seat, 0.0)] for player, seat in zip(players, seats, strict=True)]
    rated = _MODEL.rate(teams, ranks=[float(each) for each in ranks])
    return [_figure(each[0]) for each in rated], [_figure(each[1]) for each in rated]


def _rating(figure: Figure, tau: float) -> BradleyTerryFullRating:
    sigma = figure.sigma / UNIT
    return _MODEL.rating(mu=figure.mu / UNIT, sigma=math.sqrt(sigma * sigma + tau * tau))


def _figure(rating: BradleyTerryFullRating) -> Figure:
    return Figure(round(rating.mu * UNIT), round(rating.sigma * UNIT))
