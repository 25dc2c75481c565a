"""What is upgraded, and in which order: each process of each machine, and the store."""

import random
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from service.startup.processes import PROGRAMS

STORE: Final = "store"
"""The machine of the store, and its one process."""
READERS_FIRST: Final = ("worker", "projector", "webhooks", "bots", "web")
"""Who only reads what others write comes first, and the web last: only there something new can begin."""


class Place(NamedTuple):
    """A process of a machine."""

    machine: str
    process: str

    def __str__(self) -> str:
        """As people name it."""
        return self.process if self.machine == STORE else f"{self.process} of {self.machine}"


def readers_first(machines: Sequence[str]) -> list[Place]:
    """The order that operators are told: kind by kind, so that both releases are side by side in each."""
    return [Place(STORE, STORE), *(Place(each, name) for name in READERS_FIRST for each in machines)]


def readers_last(machines: Sequence[str]) -> list[Place]:
    """The way back: the web first."""
    return [*reversed(readers_first(machines))]


def shuffled(seed: int) -> Callable[[Sequence[str]], list[Place]]:
    """An order by lot."""

    def order(machines: Sequence[str]) -> list[Place]:
        places = readers_first(machines)
        random.Random(seed).shuffle(places)
        return places

    return order


assert {*READERS_FIRST} == {*PROGRAMS}, "every process has its place in the order"
