"""Figures, goals and rows of the table, and the measuring of both sides of a row.

Both sides take turns, round by round, after one round each that does not count, so that the load of the machine
affects both alike; a ratio is taken within each round. Work of one core is timed by processor time, which holds on a
busy machine too; waiting times are timed by the wall clock.
"""

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median
from typing import Literal, NamedTuple, TypeVar

import msgspec

from tests.benchmarks.peers import PeerMissing, Peers

T = TypeVar("T")
Measure = Callable[[], float]
"""Measures one round and returns its figure."""


@dataclass(frozen=True, slots=True)
class Options:
    """Measuring options: the rounds, the peers, and whether to use the smallest size."""

    rounds: int
    peers: Peers
    small: bool = False

    def size(self, full: T, smallest: T) -> T:
        """Return the first value, or the second one for the smallest size."""
        return smallest if self.small else full

    @property
    def seconds(self) -> float:
        """Seconds of processor time that a round takes on one side."""
        return self.size(1.0, 0.001)


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """One measured quantity with a value for each round: `what` describes it, `unit` is such as "commands/s"."""

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
    """A bound of the ratio to the other side, or of our own figure's median."""

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
    """A row of the table: our figure, the baseline, and the goal.

    `name` is that of the row's module, with a part after a slash where a module has several rows. `baseline` is None
    where the goal is absolute and where a peer is missing, which `notes` then say.
    """

    name: str
    ours: Figure
    baseline: Figure | None = None
    goal: Goal
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.baseline is None:
            return
        if self.baseline.unit != self.ours.unit:
            raise ValueError(f"{self.name}: {self.ours.unit} cannot be compared with {self.baseline.unit}.")
        if len(self.baseline.values) != len(self.ours.values):
            raise ValueError(f"{self.name}: each round needs a value of both sides.")

    @property
    def command(self) -> str:
        """The command that measures this row alone."""
        return f"python -m tests.benchmarks --only {self.name.partition('/')[0]}"

    @property
    def ratios(self) -> tuple[float, ...]:
        """Our value divided by the other one, for each round; empty without a baseline."""
        if self.baseline is None:
            return ()
        pairs = zip(self.ours.values, self.baseline.values, strict=True)
        return tuple(ours / other for ours, other in pairs)

    @property
    def ratio(self) -> float | None:
        """The median of the rounds' ratios."""
        return median(self.ratios) if self.ratios else None

    @property
    def reached(self) -> bool | None:
        """True if the goal is reached; None without the peer."""
        value = self.ours.median if self.goal.of == "figure" else self.ratio
        return None if value is None else self.goal.reached_by(value)


class Side(NamedTuple):
    """One side of a comparison: a description, and what measures a round of it."""

    what: str
    measure: Measure


def compared(
    name: str,
    unit: str,
    *,
    goal: Goal,
    ours: Side,
    baseline: Side | None = None,
    rounds: int,
    notes: Sequence[str] = (),
) -> Comparison:
    """Measure both sides in turn and return the row; without the peer, our side alone with a note."""
    said = tuple(notes)
    if baseline is not None:
        try:
            baseline.measure()
        except PeerMissing as missing:
            said += (f"{baseline.what}: {missing}",)
            baseline = None
    ours.measure()
    mine, theirs = [], []
    for _ in range(rounds):
        mine.append(ours.measure())
        if baseline is not None:
            theirs.append(baseline.measure())
    return Comparison(
        name=name,
        ours=Figure(what=ours.what, unit=unit, values=tuple(mine)),
        baseline=None if baseline is None else Figure(what=baseline.what, unit=unit, values=tuple(theirs)),
        goal=goal,
        notes=said,
    )


def rate(work: Callable[[], int], seconds: float) -> float:
    """Repeat some work for at least these seconds; return the amount done per second of processor time.

    `work` returns how much it did. Garbage is collected before, and the collector stays on, as it is for users.
    """
    gc.collect()
    done, began = 0, time.process_time()
    while not done or time.process_time() - began < seconds:
        done += work()
    return done / (time.process_time() - began)


def milliseconds(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Do some work and return how long it took."""
    began = clock()
    work()
    return 1000 * (clock() - began)


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the smallest of these values that this percentage of them does not exceed.

    >>> percentile([4, 1, 3, 2], 50), percentile(range(1, 1001), 99)
    (2, 990)
    """
    return sorted(values)[max(0, ceil(len(values) * percent / 100) - 1)]
