"""What the clients of one game saw of its time."""

from dataclasses import dataclass, field
from typing import NamedTuple


class Look(NamedTuple):
    """The version that a game had at a moment or later: when it was asked for (milliseconds since the epoch)."""

    at: int
    version: int


class Late(NamedTuple):
    """A command that was refused as too late: when it was sent first, and the version that the answer names."""

    seat: int
    sent: int
    version: int


@dataclass
class Watched:
    """What was seen of one game, until when (milliseconds since the epoch)."""

    until: int = 0
    looks: list[Look] = field(default_factory=list)
    late: list[Late] = field(default_factory=list)

    def absent_until(self, version: int) -> int:
        """The last moment at which a version was not there yet; 0 where nobody has seen that."""
        return max((each.at for each in self.looks if each.version < version), default=0)
