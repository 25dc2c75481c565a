"""Who sits together: those who have met least, and then those who are as close in rank as can be.

cost of a table = (how often its players have met each other, sum of squared differences of their classes)

The cost of a round is the sum, and the first part decides before the second. Where there are at most `MOST_TRIED`
arrangements all are tried, and the first of the best is taken. Where there are more, tables are filled one by one
with whoever costs least, and then two players of different tables change places as long as that costs less.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import factorial, prod
from typing import Final

from events.tournaments.pairing.history import Meetings

MOST_TRIED: Final = 6000
"""Arrangements that are tried one by one: all of twelve players at tables of four."""
PASSES: Final = 6
"""How often all pairs of players are looked at for a change of places."""

Group = tuple[str, ...]
Cost = tuple[int, int]


def group_players(
    order: Sequence[str], sizes: Sequence[int], meetings: Meetings, classes: Mapping[str, int]
) -> list[Group]:
    """The players at tables of these sizes, in the order in which they are given where all else is equal.

    `classes` says how good a player is, 0 for the best; players of one class may meet as they like.
    """
    costs = _Costs(order, meetings, classes)
    places = range(len(order))
    grouped: Sequence[Sequence[int]]
    if _count_arrangements(sizes) <= MOST_TRIED:
        grouped = min(_arrange(tuple(places), tuple(sizes)), key=costs.of_round)
    else:
        grouped = _improve(_fill(places, sizes, costs), costs)
    return [tuple(order[place] for place in group) for group in grouped]


class _Costs:
    """What it costs that players meet, who are named by their places in the order."""

    def __init__(self, order: Sequence[str], meetings: Meetings, classes: Mapping[str, int]) -> None:
        self._pairs = [
            [
                (
                    meetings[min(one, other), max(one, other)],
                    (classes.get(one, 0) - classes.get(other, 0)) ** 2,
                )
                for other in order
            ]
            for one in order
        ]

    def of_joining(self, place: int, others: Sequence[int]) -> Cost:
        """That a player meets these."""
        pairs = self._pairs[place]
        return sum(pairs[each][0] for each in others), sum(pairs[each][1] for each in others)

    def of_table(self, group: Sequence[int]) -> Cost:
        """That these meet each other."""
        pairs = [self._pairs[one][other] for one, other in combinations(group, 2)]
        return sum(each[0] for each in pairs), sum(each[1] for each in pairs)

    def of_round(self, groups: Sequence[Sequence[int]]) -> Cost:
        """A whole round."""
        tables = [self.of_table(group) for group in groups]
        return sum(each[0] for each in tables), sum(each[1] for each in tables)


def _count_arrangements(sizes: Sequence[int]) -> int:
    alike = prod(factorial(sizes.count(size)) for size in set(sizes))
    return factorial(sum(sizes)) // prod(map(factorial, sizes)) // alike


def _arrange(places: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way to sit at tables of these sizes."""
    if not sizes:
        yield ()
        return
    first, rest = places[0], places[1:]
    for size in sorted(set(sizes), reverse=True):
        left = list(sizes)
        left.remove(size)
        for others in combinations(rest, size - 1):
            remaining = tuple(each for each in rest if each not in others)
            for groups in _arrange(remaining, tuple(left)):
                yield ((first, *others), *groups)


def _fill(places: Sequence[int], sizes: Sequence[int], costs: _Costs) -> list[list[int]]:
    waiting = list(places)
    groups = []
    for size in sizes:
        group = [waiting.pop(0)]
        while len(group) < size:
            cheapest = min(waiting, key=lambda place: (costs.of_joining(place, group), place))
            waiting.remove(cheapest)
            group.append(cheapest)
        groups.append(group)
    return groups


def _improve(groups: list[list[int]], costs: _Costs) -> list[list[int]]:
    """Change two players' places wherever that costs less, until nothing does or it was tried often enough."""
    table_of = {place: table for table, group in enumerate(groups) for place in group}
    for _ in range(PASSES):
        changed = False
        for one in sorted(table_of):
            if costs.of_joining(one, groups[table_of[one]]) == (0, 0):
                continue
            for other in sorted(table_of):
                if table_of[other] != table_of[one] and _exchange(one, other, groups, table_of, costs):
                    changed = True
        if not changed:
            break
    return groups


def _exchange(one: int, other: int, groups: list[list[int]], table_of: dict[int, int], costs: _Costs) -> bool:
    """Have two players change places if that costs less; whether they did."""
    here, there = groups[table_of[one]], groups[table_of[other]]
    staying = [each for each in here if each != one]
    staying_there = [each for each in there if each != other]
    before = _sum(costs.of_joining(one, staying), costs.of_joining(other, staying_there))
    after = _sum(costs.of_joining(other, staying), costs.of_joining(one, staying_there))
    if after >= before:
        return False
    here[here.index(one)], there[there.index(other)] = other, one
    table_of[one], table_of[other] = table_of[other], table_of[one]
    return True


def _sum(one: Cost, other: Cost) -> Cost:
    return one[0] + other[0], one[1] + other[1]
