"""What one process of the load does, and what it found: passed as JSON through its standard input and output."""

import msgspec

from tests.benchmarks.chosen import ChosenGame


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What one process sends, and for how long."""

    port: int
    lanes: tuple[tuple[ChosenGame, ...], ...]
    """Each lane plays its games one after the other; all lanes play at once."""
    warm_up: float
    """Seconds before it counts."""
    seconds: float
    """Seconds in which it counts."""
    again: bool = False
    """Whether a lane that has come to the end of its games begins again: for a server that knows no rules."""
    rate: float | None = None
    """Commands of this process in a second, whether or not the last ones were answered; None: as fast as answered."""
    until_stopped: bool = False
    """Whether the service is stopped meanwhile: then it is over for a lane, and what it was told is of interest."""


class Acknowledged(msgspec.Struct, frozen=True):
    """What the answer to a command said of the game: where it stood then."""

    version: int
    hash: str


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What one process saw."""

    counted: int
    """Commands that were acknowledged while it counted."""
    seconds: float
    """How long that was: less than planned where a lane came to the end of its games."""
    milliseconds: tuple[float, ...]
    """Of each of them, from the moment in which it was due to be sent to the last byte of its answer."""
    refused: int
    """Answers other than 200."""
    processor_seconds: float
    """What this process used itself while it counted."""
    exhausted: bool
    """Whether a lane came to the end of its games."""
    acknowledged: dict[str, Acknowledged] = {}
    """The last answer of each game, where the service was stopped meanwhile."""
