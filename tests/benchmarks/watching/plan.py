"""What one process of spectators does, and what it saw."""

import msgspec


class WatchPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Whom it follows."""

    port: int
    games: tuple[str, ...]
    """A stream for each; a game may be there several times."""
    first: int
    """The number of its first spectator, by which their addresses differ."""


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What one process of spectators saw."""

    milliseconds: tuple[float, ...]
    """Of each event of each stream, from its command's arrival at the service to its arrival here."""
    lost: int
    """Versions that a stream did not bring, brought twice, or out of order."""
    behind: int
    """Streams that had not brought the game's last version at the end."""
    refused: int
    """Attempts to open a stream that were answered with 503, and made again."""
    processor_seconds: float
