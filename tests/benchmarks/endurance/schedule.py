"""When which process is restarted, and how: at even distances, each in turn, by SIGTERM and SIGKILL by turns."""

import signal
from collections.abc import Sequence
from typing import Final

import msgspec

JUDGED_SECONDS: Final = 600.0
"""A run as long as this has whole rounds in each third, so that growth can be judged from one third to another."""
ROUND_SECONDS: Final = 300.0
"""A round restarts every process once, and takes about so long."""


class Restart(msgspec.Struct, frozen=True):
    """One restart: so many seconds after the load has begun."""

    after: float
    name: str
    """The process, as the Procfile calls it."""
    signal: signal.Signals


def schedule(names: Sequence[str], seconds: float) -> tuple[Restart, ...]:
    """The restarts of a run of so many seconds; the number of rounds is a multiple of 3 where growth is judged."""
    thirds = 3 if seconds >= JUDGED_SECONDS else 1
    rounds = thirds * max(1, round(seconds / ROUND_SECONDS / thirds))
    distance = seconds / (rounds * len(names))
    return tuple(
        Restart(
            distance * (number * len(names) + place + 0.5),
            name,
            signal.SIGTERM if (number + place) % 2 == 0 else signal.SIGKILL,
        )
        for number in range(rounds)
        for place, name in enumerate(names)
    )
