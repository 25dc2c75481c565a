"""A connection of gunicorn's threaded worker: requests have to arrive, and answers to be taken, within some time."""

import time
from collections.abc import Callable
from typing import Any, Final

from gunicorn.http import errors
from gunicorn.http.unreader import SocketUnreader
from gunicorn.workers.gthread import TConn

HEAD_SECONDS: Final = 10.0
"""How long a request's line and headers may take to arrive, from their first byte."""
ANSWER_SECONDS: Final = 60.0
"""How long a client may take to accept the next piece of an answer."""


class RequestTooSlow(errors.ParseException):  # type: ignore[misc] # gunicorn is not typed
    """A request did not arrive in time."""


class BoundedReader(SocketUnreader):  # type: ignore[misc]
    """Reads a connection until a deadline."""

    def __init__(self, connection: Any) -> None:
        """Read this socket; set a deadline before."""
        super().__init__(connection)
        self.deadline: float | None = None

    def chunk(self, size_hint: int | None = None) -> bytes:
        """The next bytes.

        Raises:
            RequestTooSlow: they did not come in time.
        """
        if self.deadline is None:
            return bytes(super().chunk(size_hint))
        left = self.deadline - time.monotonic()
        try:
            if left <= 0:
                raise RequestTooSlow
            self.sock.settimeout(left)
            return bytes(super().chunk(size_hint))
        except TimeoutError as error:
            raise RequestTooSlow from error
        finally:
            self.sock.settimeout(ANSWER_SECONDS)


class BoundedConnection(TConn):  # type: ignore[misc]
    """A connection whose requests have to arrive in time."""

    is_handed_over = False
    """Whether it is somebody else's now, to whom it was handed over with its last request."""
    requests_left = 0
    """How many more requests are answered on it; set when it is accepted."""
    read_in_vain = 0
    """Bytes that came after the last answer."""
    leave: "Callable[[BoundedConnection], None]"
    """What ends it without waiting; set when it is accepted."""

    def init(self) -> None:
        """Prepare for the next request; its first bytes are there."""
        super().init()
        if not isinstance(self.parser.unreader, BoundedReader):
            self.parser.unreader = BoundedReader(self.sock)
        self.sock.settimeout(ANSWER_SECONDS)
        self.allow(HEAD_SECONDS)

    def close(self, graceful: bool = False) -> None:  # noqa: FBT001, FBT002 - the base class's signature
        """End it; gracefully means to wait for the client, here without anybody else having to wait."""
        if graceful:
            self.leave(self)
        else:
            super().close()

    def allow(self, seconds: float | None) -> None:
        """What is read next has so long to arrive; with None gunicorn's own bounds hold."""
        self.parser.unreader.deadline = None if seconds is None else time.monotonic() + seconds
