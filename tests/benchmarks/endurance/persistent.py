"""A connection whose requests are sent again until they are answered, as a careful client does it."""

import socket
import time
from contextlib import suppress
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse, IncompleteRead
from typing import Final

import msgspec

from tests.benchmarks.own_service import HOST

ANSWER_SECONDS: Final = 30.0
"""How long one try may be silent."""
PERSISTENCE_SECONDS: Final = 120.0
"""How long a request is repeated."""
PAUSE_SECONDS: Final = 0.1
"""Between two tries."""
PASSING: Final = frozenset(
    {
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.BAD_GATEWAY,
        HTTPStatus.SERVICE_UNAVAILABLE,
        HTTPStatus.GATEWAY_TIMEOUT,
    }
)
IN_FLIGHT: Final = b"idempotency_key_in_flight"


class NoAnswer(OSError):
    """A request was repeated for very long, and never answered."""


class Reply(msgspec.Struct, frozen=True):
    """An answer, and how many tries it took."""

    status: int
    known: bool
    """Whether an earlier try had counted."""
    body: bytes
    tries: int


class Persistent:
    """One connection, made anew whenever it breaks."""

    def __init__(self, port: int, *, persistence: float = PERSISTENCE_SECONDS) -> None:
        """Talk to this port; nothing is connected yet."""
        self._port = port
        self._persistence = persistence
        self._socket: socket.socket | None = None

    def ask(self, request: bytes) -> Reply:
        """Send a request, which must be safe to repeat, until it is answered with more than `try again`.

        Raises:
            NoAnswer: it is not, for very long.
        """
        deadline, tries = time.monotonic() + self._persistence, 0
        while time.monotonic() < deadline:
            tries += 1
            with suppress(OSError, HTTPException):
                status, known, body = self._once(request)
                in_flight = status == HTTPStatus.CONFLICT and IN_FLIGHT in body
                if status not in PASSING and not in_flight:
                    return Reply(status, known, body, tries)
            time.sleep(PAUSE_SECONDS)
        raise NoAnswer(
            f"No answer within {self._persistence:.0f} s: {request.partition(b' HTTP')[0].decode()}"
        )

    def close(self) -> None:
        """Close the connection; the next request makes another one."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _once(self, request: bytes) -> tuple[int, bool, bytes]:
        try:
            connected = self._connected()
            connected.sendall(request)
            answer = HTTPResponse(connected, method="POST")
            answer.begin()
            found = answer.status, answer.getheader("Idempotent-Replayed") is not None, _whole(answer)
            if answer.will_close:
                self.close()
        except BaseException:
            self.close()
            raise
        return found

    def _connected(self) -> socket.socket:
        if self._socket is None:
            self._socket = socket.create_connection((HOST, self._port), timeout=ANSWER_SECONDS)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._socket


def _whole(answer: HTTPResponse) -> bytes:
    """The body of an answer, which the service always says the length of.

    Raises:
        IncompleteRead: it was cut off; http.client takes a head that was cut off for a whole one without a length.
    """
    if answer.length is None:
        raise IncompleteRead(b"")
    return answer.read()
