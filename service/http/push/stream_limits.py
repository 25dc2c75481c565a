"""The bounds of streams: how long things take in one (in seconds), and how many a process and a caller may have."""

import resource
from typing import Final, NamedTuple

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
MOST_STREAMS = 10_000
"""Streams of one process, where it may have that many files open."""
LEAST_CONNECTIONS, MOST_CONNECTIONS = 1000, 4000
"""Open connections of one process besides its streams, where few or many files may be open."""
OTHER_FILES: Final = 300
"""Files that a process has open besides: 129 to the store, and some more."""
LEAST_STREAMS: Final = 48
"""So many are promised wherever the service runs at all."""
PART_OF_ONE: Final = 8
"""One caller has this part of the places at most, so that it takes eight to take them all."""
LEAST_OF_ONE, MOST_OF_ONE = 24, 500
"""Streams of one caller, where there are few places or many."""
PARTS: Final = 20
"""The streams are looked at in so many parts, one after another: all in one go would stop everything else."""


def pause() -> float:
    """The time between two looks at all streams."""
    return min(LOOK_SECONDS, HEARTBEAT_SECONDS / 2, PRESENCE_SECONDS / 2)


def lasts(number: int) -> float:
    """How long the stream of this number may last."""
    # Multiples of the golden ratio lie evenly in the unit interval, however many there are.
    return LONGEST_STREAM_SECONDS * (1 - SPREAD * (number * 0.618034 % 1))


def beats(ends: float, before: float, now: float) -> bool:
    """Whether a stream that ends at this time is to be heard, if it is silent, between two moments.

    Its heartbeats are counted back from its end, which no other stream shares: so those that were told something at
    the same time are not told together that all is quiet.
    """
    return (ends - before) // HEARTBEAT_SECONDS != (ends - now) // HEARTBEAT_SECONDS


def places() -> int:
    """Streams that this process may hold: each is an open file."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return MOST_STREAMS
    return min(MOST_STREAMS, max(files - LEAST_CONNECTIONS - OTHER_FILES, LEAST_STREAMS))


def connections() -> int:
    """Open connections of this process besides its streams; further ones wait to be accepted."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return min(MOST_CONNECTIONS, max(files - places() - OTHER_FILES, LEAST_CONNECTIONS))


class Shares(NamedTuple):
    """Of the places of this process, how many at most one caller, one game and one address may have."""

    caller: int
    game: int
    address: int


def places_of() -> Shares:
    """The shares of streams."""
    most = places()
    caller = min(max(most // PART_OF_ONE, LEAST_OF_ONE), MOST_OF_ONE)
    return Shares(caller, max(most * 3 // 4, caller), max(most * 3 // 4, caller))


def make_room() -> str | None:
    """Allow this process, and those it starts, the files for `MOST_STREAMS`; returns a sentence where it may not."""
    wanted = MOST_STREAMS + MOST_CONNECTIONS + OTHER_FILES
    files, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY or files >= wanted:
        return None
    most = wanted if allowed == resource.RLIM_INFINITY else min(wanted, allowed)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, allowed))
    if most == wanted:
        return None
    return (
        f"A web process may have {most} files open, which is enough for {places()} streams and {connections()} other"
        f" connections; allow it {wanted} (ulimit -Hn, or LimitNOFILE= of systemd) for {MOST_STREAMS} and"
        f" {MOST_CONNECTIONS}."
    )
