"""How sure a share is that was counted in so many games."""

from math import sqrt
from typing import Final

CERTAINTY: Final = 1.959963984540054
"""Standard deviations on either side that make an interval of 95 %."""


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
