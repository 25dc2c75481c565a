"""What rounds between equal players say about luck: all that their results differ by is luck."""

import random
from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from tests.benchmarks.luck.rounds import PlayedRound

DRAWS = 2_000


class Luck(NamedTuple):
    """Variances of a player's result in a round, in coins squared, and the part that the same deal takes out."""

    alike: float
    apart: float
    taken_out: float
    interval: tuple[float, float]
    """Of 95 %, by drawing rounds with replacement."""


def measure(rounds: Sequence[PlayedRound], seed: str) -> Luck:
    """The luck in these rounds."""
    alike = [_mean_square(each.alike) for each in rounds]
    apart = [_mean_square(each.apart) for each in rounds]
    dice = random.Random(seed)
    drawn = sorted(
        _taken_out(alike, apart, dice.choices(range(len(rounds)), k=len(rounds))) for _ in range(DRAWS)
    )
    edge = DRAWS // 40
    every = range(len(rounds))
    return Luck(fmean(alike), fmean(apart), _taken_out(alike, apart, every), (drawn[edge], drawn[-edge - 1]))


def _mean_square(leads: Sequence[float]) -> float:
    return fmean(each * each for each in leads)


def _taken_out(alike: Sequence[float], apart: Sequence[float], chosen: Sequence[int]) -> float:
    return 1 - sum(alike[each] for each in chosen) / sum(apart[each] for each in chosen)
