"""The body of a request while it arrives: in memory as long as it is small, then in a file; so many bytes at most."""

import re
from io import BytesIO, RawIOBase
from tempfile import TemporaryFile
from typing import IO, Any, Final

from werkzeug.exceptions import ClientDisconnected

from service.http.context.places import Places
from service.http.messages.reading import LARGEST_BODY, LARGEST_UPLOAD
from service.server.bulkhead.long_requests import routed_path

_UPLOADS: Final = re.compile(r"/+v1/(verifications|games/[^/]+/annotations/imports)/?")
"""Where files are sent to; everything else is a small JSON document."""
MOST_ARRIVING: Final = 4 * LARGEST_UPLOAD
"""Bytes of all bodies of a process that are on their way or being worked on; with more, large ones wait."""
MOST_OF_ONE: Final = LARGEST_UPLOAD
"""Of these from one address: the largest there is must find room."""
NEVER_HELD: Final = 8 * 1024
"""Bytes up to which a body does not wait for that: a command has fewer."""
room: Final = Places()
"""Where large bodies of this process are.

Each takes room for all of it at its beginning: of several that wait for one another half way none would come to its
end.
"""


class IncomingBody:
    """What has come of a body so far; one byte more than it may have tells that it is too long."""

    def __init__(self, path: bytes, length: int | None = None, network: str = "") -> None:
        """Begin with nothing, for a request to this path.

        It will have so many bytes, if that is known, and comes from this address; from `""` where the address tells
        nothing of who sends it.
        """
        self.most = (LARGEST_UPLOAD if _UPLOADS.fullmatch(routed_path(path)) else LARGEST_BODY) + 1
        """Bytes that are read."""
        self.is_cut_off = False
        """Whether it did not arrive to its end."""
        self._network = network
        self._needs = self.most - 1 if length is None else min(length, self.most - 1)
        self._has_room = False
        self._size = 0
        self._small = bytearray()
        self._file: IO[bytes] | None = None

    def make_room(self) -> bool:
        """Whether more of it may come: it is small, or there is room for all of it, which is its own from now on."""
        if self._size > NEVER_HELD and not self._has_room:
            self._has_room = room.take(self._shares(), self._needs) is None
            return self._has_room
        return True

    @property
    def is_full(self) -> bool:
        """Whether nothing more is read of it."""
        return self._size >= self.most

    def put(self, part: bytes) -> None:
        """Keep the next part, as far as there is room."""
        part = part[: self.most - self._size]
        self._size += len(part)
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
        if self._has_room:
            room.give_back(self._shares(), self._needs)
        self._size, self.most, self._has_room = 0, 0, False
        self._small.clear()
        if self._file is not None:
            self._file.close()

    def _shares(self) -> dict[str, int]:
        return {"all": MOST_ARRIVING} | ({self._network: MOST_OF_ONE} if self._network else {})


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
