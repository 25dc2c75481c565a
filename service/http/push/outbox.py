"""What is on its way to one client: frames wait here, within bounds, until its connection takes them."""

import time
from collections.abc import Callable, Iterator
from threading import Event, Lock
from typing import Final, NamedTuple

FULL_BYTES: Final = 262_144
"""With so much waiting a stream takes part in no more: it goes on from the log when its client has read."""
ROOM_BYTES: Final = 65_536
"""With less than this waiting, a stream that is behind reads on in the log."""
LOOK_SECONDS: Final = 1.0


class Taken(NamedTuple):
    """What a connection is to send."""

    frames: bytes
    is_last: bool
    """Whether nothing follows."""


def nobody() -> None:
    """Whom to tell as long as nobody has asked for it."""


class Outbox:
    """The frames that wait for one client; safe to use from many threads."""

    __slots__ = ("_filled", "_frames", "_is_ended", "_lock", "_waiting", "changed", "emptied", "ends", "sent")

    def __init__(self, ends: float) -> None:
        """One that ends at this time of the monotonic clock at the latest."""
        self.ends = ends
        self.changed: Callable[[], object] = nobody
        """Called whenever there is something to take."""
        self.emptied: Callable[[], object] = nobody
        """Called whenever something was taken."""
        self.sent = 0
        """Bytes that were taken so far."""
        self._frames: list[bytes] = []
        self._waiting = 0
        self._filled = time.monotonic()
        self._is_ended = False
        self._lock = Lock()

    @property
    def is_ended(self) -> bool:
        """Whether nothing is taken in any more."""
        return self._is_ended

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to take, not even the end."""
        return not self._waiting and not self._is_ended

    @property
    def is_full(self) -> bool:
        """Whether more is waiting than may."""
        return self._waiting >= FULL_BYTES

    @property
    def has_room(self) -> bool:
        """Whether so little is waiting that more can be read for it."""
        return self._waiting < ROOM_BYTES and not self._is_ended

    def is_silent(self, since: float) -> bool:
        """Whether everything was taken, and nothing has come since this time."""
        return not self._waiting and self._filled <= since

    def put(self, frames: bytes) -> None:
        """Let this follow; after the end it is dropped."""
        with self._lock:
            if self._is_ended or not frames:
                return
            self._frames.append(frames)
            self._waiting += len(frames)
            self._filled = time.monotonic()
        self.changed()

    def end(self, frames: bytes = b"") -> None:
        """Let nothing follow, after these."""
        self.put(frames)
        with self._lock:
            self._is_ended = True
        self.changed()

    def take(self) -> Taken:
        """Everything that is waiting."""
        with self._lock:
            taken = Taken(b"".join(self._frames), self._is_ended)
            self._frames.clear()
            self._waiting = 0
            self.sent += len(taken.frames)
        if taken.frames:
            self.emptied()
        return taken

    def parts(self) -> Iterator[bytes]:
        """All frames as they come, up to the end: for a server to which no connection can be handed over."""
        news, is_last = Event(), False
        self.changed = news.set
        while not is_last:
            news.clear()
            if self.is_empty:
                news.wait(LOOK_SECONDS)
            frames, is_last = self.take()
            if frames:
                yield frames
