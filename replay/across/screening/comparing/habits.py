"""What each player does with everybody: how much they trade, give and turn down, and how much they earn.

A figure of two is taken for the sum of what each of them is used to, and a result for what a player is used to earn,
less the mean of those at the table. Fitted to all games together, so that nothing is left of any player's figures
added up; found by putting in one player after the other again and again.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

_ROUNDS: Final = 60
"""So often each player is put in; what is left to find shrinks by half each time or faster."""


class Sums:
    """Figures of players with others, added up."""

    def __init__(self) -> None:
        """Begin without figures."""
        self._total: dict[int, float] = {}
        self._count: dict[int, float] = {}
        self._weights: dict[int, dict[int, float]] = {}

    def add(self, player: int, figure: float, others: Iterable[tuple[int, float]], own: float) -> None:
        """A figure that is `own` times what the player is used to, plus what others are, each with its weight."""
        self._total[player] = self._total.get(player, 0.0) + figure
        self._count[player] = self._count.get(player, 0.0) + own
        weights = self._weights.setdefault(player, {})
        for other, weight in others:
            weights[other] = weights.get(other, 0.0) + weight

    def solve(self) -> Mapping[int, float]:
        """What each player is used to, of which the sums consist."""
        habit = dict.fromkeys(sorted(self._total), 0.0)
        for _ in range(_ROUNDS):
            for player in habit:
                explained = sum(weight * habit[other] for other, weight in self._weights[player].items())
                habit[player] = (self._total[player] - explained) / self._count[player]
        return habit


def habits_of_pairs(pairs: Iterable[tuple[int, int, float]]) -> Mapping[int, float]:
    """What each player is used to, of figures of two that are sums of it.

    >>> habits_of_pairs([(0, 1, 3.0), (0, 2, 4.0), (1, 2, 5.0)])
    {0: 1.0, 1: 2.0, 2: 3.0}
    """
    sums = Sums()
    for one, other, figure in pairs:
        sums.add(one, figure, [(other, 1.0)], 1.0)
        sums.add(other, figure, [(one, 1.0)], 1.0)
    return _rounded(sums.solve())


def habits_of_results(tables: Iterable[tuple[Sequence[int], Sequence[float]]]) -> Mapping[int, float]:
    """What each player is used to earn, of results above the mean of a table; all of them together are nothing.

    >>> habits_of_results([((0, 1, 2), (-1.0, 0.0, 1.0))])
    {0: -1.0, 1: 0.0, 2: 1.0}
    """
    sums = Sums()
    for players, results in tables:
        part = 1 / len(players)
        for player, result in zip(players, results, strict=True):
            others = [(other, -part) for other in players if other != player]
            sums.add(player, result, others, 1 - part)
    habit = sums.solve()
    mean = sum(habit.values()) / max(1, len(habit))
    return _rounded({player: earned - mean for player, earned in habit.items()})


def _rounded(habit: Mapping[int, float]) -> dict[int, float]:
    """Far below what matters, so that the same games in another order give the same."""
    return {player: round(figure, 9) + 0.0 for player, figure in habit.items()}
