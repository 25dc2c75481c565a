"""The bar that shows how far the game is, with the versions that somebody has written about."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from replay.terminal.table_text import Line

PAST, HERE, TO_COME, WRITTEN = "━", "●", "─", "◆"


def bar(version: int, last: int, width: int, written: Sequence[int] = ()) -> Line:
    """A line of this width; `written` are the versions, in order, that have annotations.

    >>> "".join(text for text, _ in bar(5, 10, 11, [9]))
    '━━━━●────◆─'
    """
    here = column(version, last, width)
    line: Line = []
    for place in range(width):
        if place == here:
            line.append((HERE, "bold"))
        elif written and _any_between(written, *_versions(place, last, width)):
            line.append((WRITTEN, "yellow"))
        else:
            line.append((PAST, "") if place < here else (TO_COME, "dim"))
    return [("".join(text for text, _ in run), style) for style, run in groupby(line, key=itemgetter(1))]


def column(version: int, last: int, width: int) -> int:
    """Where a version stands on the bar: the first one at its left end, the last at its right one."""
    return round((version - 1) * (width - 1) / (last - 1)) if last > 1 else 0


def _versions(place: int, last: int, width: int) -> tuple[float, float]:
    """The versions that a place of the bar stands for: from the first up to before the second."""
    each = (last - 1) / max(width - 1, 1)
    return 1 + (place - 0.5) * each, 1 + (place + 0.5) * each


def _any_between(versions: Sequence[int], first: float, end: float) -> bool:
    place = bisect_left(versions, first)
    return place < len(versions) and versions[place] < end
