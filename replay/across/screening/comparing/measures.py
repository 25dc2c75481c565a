"""What is measured of two seats in a game: one figure for both together, of which more speaks for collusion."""

from collections.abc import Mapping
from itertools import combinations
from typing import Final

from replay.across.screening.figures.game import ScreenedGame, Square

TABLE, TRADES, GIFTS, REFUSALS, TOGETHER = "table", "trades", "gifts", "refusals", "together"
MEASURES: Final[Mapping[str, str]] = {
    TABLE: "what the decisions of each did to the other",
    TRADES: "what both had of their trades",
    GIFTS: "what both had of gifts to each other",
    REFUSALS: "what they turned down from each other, as a loss",
    TOGETHER: "what both earned, against their games apart",
}
"""Every measure with its meaning, in the order in which they are shown; all in coins."""
OF_PAIRS: Final = (TABLE, TRADES, GIFTS, REFUSALS)
"""Those that a game has for every two seats; what is earned it has for each."""

PairFigures = tuple[float, float, float, float]
"""A figure for each of `OF_PAIRS`."""


def places(players: int) -> list[tuple[int, int]]:
    """Every two seats of a table.

    >>> places(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return list(combinations(range(players), 2))


def figures(game: ScreenedGame) -> list[PairFigures]:
    """The figures of every two seats, in the order of `places`."""
    return [
        (
            _both(game.table, one, other),
            _both(game.trades, one, other),
            _both(game.gifts, one, other),
            -_both(game.refusals, one, other),
        )
        for one, other in places(len(game.players))
    ]


def _both(square: Square, one: int, other: int) -> float:
    return square[one][other] + square[other][one]
