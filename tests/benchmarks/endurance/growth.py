"""Whether something grows: the memory of a process, its open files, its threads.

Restarts hide growth, and warming up looks like it. So two questions are asked. Across restarts: is the median of the
last third of the run higher than that of the second third? Each third holds whole rounds of restarts, so each has as
many young processes as the other. Between restarts: is the median of the last third of a life higher than that of its
second third, in the median of all lives? More counts as growth only beyond what is measured anyway: a part of the
value, and something absolute.
"""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Final

import msgspec

SHARE: Final = 0.05
"""The part by which a value may be higher."""
LONG_ENOUGH: Final = 120.0
"""Seconds; a shorter life is all warming up."""
FEWEST: Final = 3
"""So many samples make a median."""

Series = Sequence[tuple[float, float]]
"""Moments in seconds, each with a value."""


class Growth(msgspec.Struct, frozen=True, kw_only=True):
    """How a value of one process went over a run."""

    beginning: float
    """The median of the first tenth of the run."""
    end: float
    """The median of the last tenth."""
    second: float
    """The median of the second third."""
    last: float
    """The median of the last third."""
    per_hour: float
    """From the middle of the second third to that of the last one, as a rate."""
    in_a_life: float | None
    """How much it rises from the second to the last third of a life; None where no life was long enough."""
    grew: bool


def growth(
    series: Series,
    begin: float,
    end: float,
    *,
    least: float,
    restarts: Sequence[float] = (),
    allowed_per_hour: float = 0.0,
) -> Growth | None:
    """Judge a series from `begin` to `end`, in which the process was begun anew at `restarts`.

    It may rise by `least`, or by a part of itself if that is more, and besides by `allowed_per_hour`, for a process
    whose work it is to keep what comes. None where a part of the run has too few samples.
    """
    tenth, third = (end - begin) / 10, (end - begin) / 3
    parts = [
        _middle(series, begin, begin + tenth),
        _middle(series, end - tenth, end),
        _middle(series, begin + third, begin + 2 * third),
        _middle(series, end - third, end),
    ]
    first, newest, second, last = parts
    if first is None or newest is None or second is None or last is None:
        return None
    life = _in_a_life(series, [begin, *restarts, end], allowed_per_hour)
    more = last - second - allowed_per_hour * third / 3600
    bound = max(least, SHARE * second)
    return Growth(
        beginning=first,
        end=newest,
        second=second,
        last=last,
        per_hour=(last - second) / third * 3600,
        in_a_life=life,
        grew=more > bound or (life is not None and life > bound),
    )


def _in_a_life(series: Series, bounds: Sequence[float], allowed_per_hour: float) -> float | None:
    rises = []
    for begin, end in pairwise(bounds):
        third = (end - begin) / 3
        second, last = _middle(series, begin + third, end - third), _middle(series, end - third, end)
        if end - begin >= LONG_ENOUGH and second is not None and last is not None:
            rises.append(last - second - allowed_per_hour * third / 3600)
    return median(rises) if rises else None


def _middle(series: Series, begin: float, end: float) -> float | None:
    found = [value for moment, value in series if begin <= moment < end]
    return median(found) if len(found) >= FEWEST else None
