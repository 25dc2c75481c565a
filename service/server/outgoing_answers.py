"""The room for answers that wait for their clients: a process keeps so many bytes of them, and no more."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from service.server.web_connection import BoundedConnection

MOST_LEAVING: Final = 128 * 1024 * 1024
"""Bytes of answers of a process that wait for their clients at most, but for what comes within a second."""
MOST_OF_ONE: Final = MOST_LEAVING // 4
"""Of these for one address."""


def end_largest(connections: Iterable[BoundedConnection]) -> None:
    """Keep within the room: end connections of whoever holds most, those first that hold most and took least lately.

    It goes by what they held when they were last looked at.
    """
    holding = [each for each in connections if each.held]
    total = sum(each.held for each in holding)
    if total <= MOST_OF_ONE:
        return
    by_network = defaultdict[str, list[BoundedConnection]](list)
    for each in sorted(holding, key=lambda each: (each.held, -each.moved)):
        by_network[each.network].append(each)
    held = {network: sum(each.held for each in theirs) for network, theirs in by_network.items()}
    while total > 0:
        network = max(held, key=held.__getitem__)
        share = MOST_OF_ONE if network else MOST_LEAVING
        if total <= MOST_LEAVING and held[network] <= share:
            return
        largest = by_network[network].pop()
        held[network] -= largest.held
        total -= largest.held
        largest.shed("answer_not_taken")
