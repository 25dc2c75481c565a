"""How sure a share is that was counted in so many games, and a mean of so many figures."""

from math import cos, pi, sin, sqrt, tan
from typing import Final

CERTAINTY: Final = 1.959963984540054
"""Standard deviations on either side that make an interval of 95 %."""
_SHARE: Final = 0.95
_HALVINGS: Final = 60
"""Of a right angle: as far as a float goes."""


def wilson(wins: int, games: int) -> tuple[float, float]:
    """The interval in which the true share of wins lies with 95 % certainty, after Wilson.

    >>> [round(bound, 3) for bound in wilson(8, 10)]
    [0.49, 0.943]
    >>> wilson(0, 0)
    (0.0, 1.0)
    """
    if games == 0:
        return 0.0, 1.0
    share, square = wins / games, CERTAINTY**2
    middle = share + square / (2 * games)
    spread = CERTAINTY * sqrt(share * (1 - share) / games + square / (4 * games**2))
    whole = 1 + square / games
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def student(freedom: int) -> float:
    """Standard errors on either side that make an interval of 95 %, by Student's t with so many degrees of freedom.

    Where the deviation is known from the same few figures as the mean: one degree less than there are figures.

    >>> [round(student(freedom), 3) for freedom in (1, 2, 3, 10, 99)]
    [12.706, 4.303, 3.182, 2.228, 1.984]

    Raises:
        ValueError: there is no degree of freedom.
    """
    if freedom < 1:
        raise ValueError("two figures make one degree of freedom; of fewer there is no interval")
    low, high = 0.0, pi / 2
    for _ in range(_HALVINGS):
        angle = (low + high) / 2
        low, high = (angle, high) if _share_within(angle, freedom) < _SHARE else (low, angle)
    return sqrt(freedom) * tan(low)


def _share_within(angle: float, freedom: int) -> float:
    """How much of Student's t lies within sqrt(freedom) * tan(angle) of its middle, exactly.

    By the finite sums of Abramowitz and Stegun (1964): 26.7.3 for odd degrees of freedom, 26.7.4 for even ones.
    """
    odd = freedom % 2
    term, total = (cos(angle) if odd else 1.0), 0.0
    for place in range(2 + odd, freedom + 1, 2):
        total += term
        term *= cos(angle) ** 2 * (place - 1) / place
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
