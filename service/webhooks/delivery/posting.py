"""One request to an endpoint: bounded in time and size, to an address that was checked, without following anything.

Written with `http.client`, because a library would hide the two things that matter here: which address the connection
goes to, and how long all of it may take together.
"""

import socket
import ssl
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from threading import Timer
from typing import Final
from urllib.parse import urlsplit

import msgspec

from service.platform.setting_kinds import Network
from service.webhooks.delivery.addresses import (
    AddressForbidden,
    NameNotResolved,
    NoFreeLookUp,
    resolve,
    seconds_left,
)

SECONDS: Final = 5.0
"""How long a request may take, from looking its host up to the last byte that is read: much less than a lease."""
MOST_READ: Final = 4096
"""Bytes of an answer's body that are read at most, where it is read at all."""
LONGEST_WAIT: Final = 3600
"""Seconds for which an endpoint may ask to be left alone (`Retry-After`)."""
ERRORS: Final = (
    "address_forbidden",
    "bad_answer",
    "challenge_failed",
    "connection_failed",
    "name_not_resolved",
    "status",
    "timeout",
    "tls_failed",
)
"""What can go wrong with an attempt."""
NO_FREE_LOOK_UP: Final = "no_free_look_up"
"""Not an attempt: the host was not looked up, because other hosts take all look-ups, or all those of its key."""
_OK: Final = range(200, 300)
_DIGITS: Final = 10


class Posted(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a request."""

    error: str = ""
    """One of `ERRORS`, or `NO_FREE_LOOK_UP`; empty where it was answered with 2xx."""
    status: int | None = None
    """The status of the answer, if there was one."""
    body: bytes = b""
    """The beginning of the answer's body, where it was asked for."""
    wait: int = 0
    """Seconds for which the endpoint asked to be left alone."""


def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    allowed: Sequence[Network],
    *,
    key: str,
    seconds: float = SECONDS,
    read: bool = False,
) -> Posted:
    """Send one request for a webhook of this key; the answer's body is looked at only where it is to be `read`."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    attempt = None
    try:
        attempt = _Attempt(seconds)
        address = resolve(host, allowed, attempt.deadline, key=key)[0]
        attempt.connect(host, address, port, secure=parts.scheme == "https")
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        sent = {**headers, "Host": parts.netloc, "Connection": "close"}
        posted = attempt.send(target, sent, body, read=read)
        # What is cut off looks like an answer that ended.
        return Posted(error="timeout") if attempt.is_over else posted
    except NoFreeLookUp:
        return Posted(error=NO_FREE_LOOK_UP)
    except (AddressForbidden, NameNotResolved, HTTPException, OSError, ValueError) as error:
        return Posted(error="timeout" if attempt is not None and attempt.is_over else _what_failed(error))
    finally:
        if attempt is not None:
            attempt.end()


def _what_failed(error: Exception) -> str:
    match error:
        case AddressForbidden():
            return "address_forbidden"
        case NameNotResolved():
            return "name_not_resolved"
        case TimeoutError():
            return "timeout"
        case ssl.SSLError():
            return "tls_failed"
        case HTTPException():
            return "bad_answer"
        case _:
            return "connection_failed"


class _Attempt:
    """One connection, which is cut off when its time is over: a trickle of bytes keeps nobody waiting."""

    def __init__(self, seconds: float) -> None:
        self.is_over = False
        self.deadline = time.monotonic() + seconds
        self._socket: socket.socket | None = None
        self._connection: HTTPConnection | None = None
        self._timer = Timer(seconds, self._cut_off)
        self._timer.daemon = True
        self._timer.start()

    def connect(self, host: str, address: str, port: int, *, secure: bool) -> None:
        # Not `create_connection`, which would ask for the address once more.
        self._socket = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
        self._socket.settimeout(seconds_left(self.deadline))
        self._socket.connect((address, port))
        if self.is_over:
            raise TimeoutError
        if secure:
            secured = ssl.create_default_context().wrap_socket(
                self._socket, server_hostname=host, do_handshake_on_connect=False
            )
            self._socket = secured
            if self.is_over:
                raise TimeoutError
            secured.do_handshake()
        self._connection = HTTPConnection(host, port)
        self._connection.sock = self._socket

    def send(self, target: str, headers: Mapping[str, str], body: bytes, *, read: bool) -> Posted:
        connection = self._connection
        if connection is None:
            raise ValueError("nobody is connected")
        connection.request("POST", target, body, dict(headers))
        with connection.getresponse() as answer:
            return _read_answer(answer, answer.read(MOST_READ) if read else b"")

    def end(self) -> None:
        self._timer.cancel()
        if self._socket is not None:
            self._socket.close()

    def _cut_off(self) -> None:
        self.is_over = True
        if self._socket is not None:
            # Not TLS's own way of ending, which would wait for the other side.
            with suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


def _read_answer(answer: HTTPResponse, content: bytes) -> Posted:
    if answer.status in _OK:
        return Posted(status=answer.status, body=content)
    wait = answer.headers.get("Retry-After", "").strip()
    seconds = min(int(wait), LONGEST_WAIT) if wait.isascii() and wait.isdigit() and len(wait) < _DIGITS else 0
    return Posted(error="status", status=answer.status, wait=seconds)
