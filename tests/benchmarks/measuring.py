"""How something is timed, so that it can stand beside something else.

Both sides of a comparison take turns, round by round, after one round each that does not count: whatever else the
machine does meets both alike. What works on one core is timed by the processor time that it took, which says what
one core does even while others use the machine; what a person waits for is timed by the clock on the wall.
"""

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil

from tests.benchmarks.figures import Comparison, Figure, Goal
from tests.benchmarks.peers.installed import PeerMissing

Measure = Callable[[], float]
"""Measures one round, and returns its figure."""

SECONDS = 1.0
"""How long a round works on one side, unless it says otherwise."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: what is measured, and how."""

    what: str
    measure: Measure


def rate(work: Callable[[], int], seconds: float = SECONDS) -> float:
    """How many things are done in a second of processor time; `work` does some, and returns how many.

    It is repeated for at least so many seconds. What was garbage before is collected first, so that nobody pays for
    what somebody else left; the collector stays on, as it is for users.
    """
    gc.collect()
    done, began = 0, time.process_time()
    while not done or time.process_time() - began < seconds:
        done += work()
    return done / (time.process_time() - began)


def percentile(values: Sequence[float], percent: int) -> float:
    """The smallest of these values that so many percent of them do not exceed.

    >>> percentile([4, 1, 3, 2], 50), percentile(range(1, 1001), 99)
    (2, 990)
    """
    return sorted(values)[max(0, ceil(len(values) * percent / 100) - 1)]


def compared(
    name: str,
    unit: str,
    *,
    goal: Goal,
    ours: Side,
    beside: Side | None = None,
    rounds: int,
    notes: Sequence[str] = (),
    command: str | None = None,
) -> Comparison:
    """Measure both sides in turn, and make a row of them; where the peer is missing, ours alone with a note.

    `command` measures the row alone where `command_for` does not know how.
    """
    said = tuple(notes)
    if beside is not None:
        try:
            beside.measure()
        except PeerMissing as missing:
            said += (f"{beside.what}: {missing}",)
            beside = None
    ours.measure()
    mine, theirs = [], []
    for _ in range(rounds):
        mine.append(ours.measure())
        if beside is not None:
            theirs.append(beside.measure())
    return Comparison(
        name=name,
        ours=Figure(what=ours.what, unit=unit, values=tuple(mine)),
        beside=None if beside is None else Figure(what=beside.what, unit=unit, values=tuple(theirs)),
        goal=goal,
        command=command or command_for(name),
        notes=said,
    )


def command_for(name: str) -> str:
    """What to run for a row alone.

    >>> command_for("fold/python-chess")
    'python -m tests.benchmarks --only fold'
    """
    return f"python -m tests.benchmarks --only {name.partition('/')[0]}"
