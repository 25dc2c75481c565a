"""How many tables of which sizes there are for so many players."""

from collections.abc import Sequence

_Cost = tuple[int, int, tuple[int, ...]]


def plan_tables(players: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """The sizes of the tables, largest first, so that as few as possible have a bye.

    Of those plans the one with the fewest places at tables of a size that is wanted less, which counts double for
    the third size, and so on; then the one with the fewest tables. `sizes` stand in the order in which they are
    wanted.

    >>> plan_tables(11, (4, 3, 5))
    (4, 4, 3)
    >>> plan_tables(7, (4,))
    (4,)
    """
    best: list[_Cost | None] = [(0, 0, ())]
    for seated in range(1, players + 1):
        plans = (
            (plan[0] + wanted * size, plan[1] + 1, (*plan[2], size))
            for wanted, size in enumerate(sizes)
            if size <= seated and (plan := best[seated - size]) is not None
        )
        # Of equal plans any order of the same tables is as good: they are sorted below.
        best.append(min(plans, key=lambda plan: (*plan[:2], sorted(plan[2], reverse=True)), default=None))
    plan = next(each for each in reversed(best) if each is not None)
    return tuple(sorted(plan[2], reverse=True))
