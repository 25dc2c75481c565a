"""What a measurement found: figures, and the comparisons that the table is made of. Nothing here measures."""

from collections.abc import Iterable
from statistics import median
from typing import Literal, Protocol

import msgspec

from tests.benchmarks.peers.installed import Peers


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """One measured thing, with a value for each round.

    `what` says it in words ("commands over HTTP, 16 games"); `unit` is "commands/s", "ms", "bytes/event".
    """

    what: str
    unit: str
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError(f"No round of {self.what!r} was measured.")

    @property
    def median(self) -> float:
        return median(self.values)

    @property
    def lowest(self) -> float:
        return min(self.values)

    @property
    def highest(self) -> float:
        return max(self.values)


class Goal(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be reached: a bound of the ratio to what stands beside, or of our own figure's median."""

    of: Literal["ratio", "figure"] = "ratio"
    at_least: float | None = None
    at_most: float | None = None

    def __post_init__(self) -> None:
        if (self.at_least is None) == (self.at_most is None):
            raise ValueError("A goal has one bound: at_least or at_most.")

    def reached_by(self, value: float) -> bool:
        if self.at_least is not None:
            return value >= self.at_least
        return self.at_most is not None and value <= self.at_most


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the table: our figure, what stands beside it, and the goal.

    `name` is the benchmark's name ("replay"), with a part of its own after a slash where a benchmark has several rows
    ("fold/python-chess"). `beside` is None where the goal is absolute, and where a peer is missing: `notes` say so
    then, as they say anything else that a reader must know to judge the row. `command` measures this row alone.
    """

    name: str
    ours: Figure
    beside: Figure | None
    goal: Goal
    command: str
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.beside is None:
            return
        if self.beside.unit != self.ours.unit:
            raise ValueError(f"{self.name}: {self.ours.unit} cannot stand beside {self.beside.unit}.")
        if len(self.beside.values) != len(self.ours.values):
            raise ValueError(f"{self.name}: each round has both values, one beside the other.")

    def with_notes(self, *more: str) -> "Comparison":
        """The same row with further notes."""
        return msgspec.structs.replace(self, notes=(*self.notes, *more))

    @property
    def ratios(self) -> tuple[float, ...]:
        """Ours divided by what stands beside it, for each round; empty where nothing does."""
        if self.beside is None:
            return ()
        return tuple(ours / beside for ours, beside in zip(self.ours.values, self.beside.values, strict=True))

    @property
    def ratio(self) -> float | None:
        """The median of the rounds' ratios: each is taken within one round, under the same load of the machine."""
        return median(self.ratios) if self.ratios else None

    @property
    def reached(self) -> bool | None:
        """Whether the goal is reached; None where a peer is missing, so that nobody knows."""
        value = self.ours.median if self.goal.of == "figure" else self.ratio
        return None if value is None else self.goal.reached_by(value)


class Benchmark(Protocol):
    """Measures one or more rows. It is bounded in time, and leaves no process and no file behind.

    `name` is for `--only`, `about` one line for `--list`.
    """

    @property
    def name(self) -> str: ...

    @property
    def about(self) -> str: ...

    def run(self, rounds: int, peers: Peers) -> Iterable[Comparison]:
        """Measure.

        Raises:
            OSError, StoreError, ValueError, PeerFailed: the row cannot be measured; the table names it.
        """
        ...
