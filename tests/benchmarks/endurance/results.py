"""What a run found, as it is written to JSON."""

from collections.abc import Mapping, Sequence

import msgspec

from tests.benchmarks.endurance.growth import Growth
from tests.benchmarks.endurance.lag import Lag


class Commands(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the commands."""

    acknowledged: int
    """Also of those by which the highest rate was found out, and by people with bots."""
    rate: float
    """Acknowledged per second in the games that were chosen before, while the load lasted."""
    tried_again: int
    """Attempts that got no answer, or were told to come again."""
    known: int
    """Repeated commands of which an earlier attempt had counted, and only its answer was lost."""
    lost: int
    doubled: int


class Games(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the games that were begun."""

    begun: int
    finished: int
    valid: int
    """Finished, and found valid by the service."""
    verified: int
    """Finished, and their records verify."""
    watched: int
    """Followed by a stream from the first to the last version."""
    told: int
    """Finished, and a webhook was told so."""
    events: int


class Latency(msgspec.Struct, frozen=True, kw_only=True):
    """From when a command was due until it was acknowledged, restarts included, in milliseconds."""

    median: float
    p99: float
    most: float


class ProcessResult(msgspec.Struct, frozen=True, kw_only=True):
    """One process of the installation."""

    name: str
    restarts: Mapping[str, int]
    """How often, by signal."""
    ready: Sequence[float]
    """Seconds from the signal until it worked again, in order."""
    memory: Growth | None
    """Megabytes."""
    files: Growth | None
    threads: Growth | None


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """Finished games that had no verdict yet."""

    second: float
    """The median of the second third of the run."""
    last: float
    """The median of the last third."""
    most: float


class Endurance(msgspec.Struct, frozen=True, kw_only=True):
    """One run."""

    machine: Mapping[str, str]
    seconds: float
    highest: float | None
    """Commands per second at most, everything else being as it is later; None where the load was given."""
    load: float
    """Commands per second of the games that were chosen before."""
    at_once: int
    """These games at once."""
    with_bots: int
    """Games of a person with bots at once, besides."""
    judged: bool
    """Whether the run was long enough to judge growth."""
    commands: Commands
    games: Games
    latency: Latency
    processes: Sequence[ProcessResult]
    lags: Mapping[str, Lag]
    validations: Waiting | None
    findings: Sequence[str]
