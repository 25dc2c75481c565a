"""How long things take in a stream, in seconds."""

from typing import Final

HEARTBEAT_SECONDS = 10.0
"""Silence at most. A caller's permission is asked about as often."""
PRESENCE_SECONDS = 5.0
"""A stream tells this often at most who is there, and what has happened in cases."""
LONGEST_STREAM_SECONDS = 600.0
"""A stream is closed after this at the latest; the client goes on with `Last-Event-ID`."""
SPREAD: Final = 0.2
"""By this part of their time streams end earlier, each at another time: those that began together come back apart."""
STALLED_SECONDS = 60.0
"""A client that takes nothing for so long is given up."""
LOOK_SECONDS: Final = 1.0
"""All streams are looked at this often, or twice per heartbeat."""


def pause() -> float:
    """The time between two looks at all streams."""
    return min(LOOK_SECONDS, HEARTBEAT_SECONDS / 2, PRESENCE_SECONDS / 2)


def lasts(number: int) -> float:
    """How long the stream of this number may last."""
    # Multiples of the golden ratio lie evenly in the unit interval, however many there are.
    return LONGEST_STREAM_SECONDS * (1 - SPREAD * (number * 0.618034 % 1))
