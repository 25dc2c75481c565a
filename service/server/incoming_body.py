"""The body of a request while it arrives: in memory as long as it is small, then in a file; so many bytes at most."""

import re
from io import BytesIO, RawIOBase
from tempfile import TemporaryFile
from threading import Lock
from typing import IO, Any, Final

from werkzeug.exceptions import ClientDisconnected

from service.http.messages.reading import LARGEST_BODY, LARGEST_UPLOAD

_UPLOADS: Final = re.compile(rb"/v1/(verifications|games/[^/]+/annotations/imports)/?")
"""Where files are sent to; everything else is a small JSON document."""
MOST_ARRIVING: Final = 128 * 1024 * 1024
"""Bytes of all bodies of a process that are on their way or being worked on; with more, large ones wait."""
NEVER_HELD: Final = 8 * 1024
"""Bytes up to which a body does not wait for that: a command has fewer."""


class Room:
    """How many bytes the bodies of a process take together; for the event loop and the threads that answer."""

    def __init__(self) -> None:
        """Begin with none."""
        self._lock = Lock()
        self._taken = 0

    @property
    def is_full(self) -> bool:
        """Whether they take as much as they may."""
        return self._taken >= MOST_ARRIVING

    def take(self, size: int) -> None:
        """Take so many more, or give so many back where it is negative."""
        with self._lock:
            self._taken += size


room: Final = Room()
"""That of this process."""


class IncomingBody:
    """What has come of a body so far; one byte more than it may have tells that it is too long."""

    def __init__(self, path: bytes) -> None:
        """Begin with nothing, for a request to this path."""
        self.most = (LARGEST_UPLOAD if _UPLOADS.fullmatch(path) else LARGEST_BODY) + 1
        """Bytes that are read."""
        self.is_cut_off = False
        """Whether it did not arrive to its end."""
        self._size = 0
        self._small = bytearray()
        self._file: IO[bytes] | None = None

    @property
    def has_to_wait(self) -> bool:
        """Whether it is large, and all bodies together take as much as they may."""
        return self._size > NEVER_HELD and room.is_full

    @property
    def is_full(self) -> bool:
        """Whether nothing more is read of it."""
        return self._size >= self.most

    def put(self, part: bytes) -> None:
        """Keep the next part, as far as there is room."""
        part = part[: self.most - self._size]
        self._size += len(part)
        room.take(len(part))
        if self._file is None and self._size <= LARGEST_BODY + 1:
            self._small += part
            return
        if self._file is None:
            self._file = TemporaryFile()  # noqa: SIM115 - closed when the request is answered
            self._file.write(self._small)
            self._small.clear()
        self._file.write(part)

    def open(self) -> IO[bytes]:
        """What has come, to be read from its beginning."""
        if self.is_cut_off:
            return _CutOff()  # type: ignore[return-value] # all that a reader of requests calls
        if self._file is None:
            return BytesIO(self._small)
        self._file.seek(0)
        return self._file

    def close(self) -> None:
        """Give back what it takes; nothing more comes."""
        room.take(-self._size)
        self._size, self.most = 0, 0
        self._small.clear()
        if self._file is not None:
            self._file.close()


class _CutOff(RawIOBase):
    """A body that did not arrive to its end: reading it fails."""

    def readable(self) -> bool:
        """Whether it may be tried."""
        return True

    def readinto(self, _into: Any) -> int:
        """Read on.

        Raises:
            ClientDisconnected: always.
        """
        raise ClientDisconnected
