"""One request to a witness, over within so many seconds whatever happens on the way."""

import socket
import ssl
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Timer
from typing import Final
from urllib.parse import urlsplit

SECONDS: Final = 10.0
"""How long a witness has for its answer."""
MOST_READ: Final = 65_536


class NotAnswered(Exception):
    """Nothing came back in time that is an answer; the message says why."""


def post(url: str, body: bytes, seconds: float = SECONDS) -> tuple[int, bytes]:
    """Send a body to an address; the status of the answer, and what it says. Nobody is followed elsewhere.

    Raises:
        NotAnswered
    """
    parts = urlsplit(url)
    secure = parts.scheme == "https"
    host = parts.hostname or ""
    connection = (
        HTTPSConnection(host, parts.port, timeout=seconds, context=ssl.create_default_context())
        if secure
        else HTTPConnection(host, parts.port, timeout=seconds)
    )
    # Each byte may come in time, and the answer never end.
    cut = Timer(seconds, _cut_off, (connection,))
    cut.daemon = True
    cut.start()
    try:
        connection.connect()
        if not cut.is_alive():
            raise TimeoutError("nobody was reached in time")
        connection.request("POST", parts.path or "/", body, {"Content-Type": "text/plain; charset=utf-8"})
        with connection.getresponse() as answer:
            found = answer.status, answer.read(MOST_READ)
    except (HTTPException, OSError, ValueError) as error:
        raise NotAnswered(f"{type(error).__name__}: {error}") from error
    finally:
        is_over = not cut.is_alive()
        cut.cancel()
        connection.close()
    if is_over:
        raise NotAnswered(f"no answer in {seconds:g} s")
    return found


def _cut_off(connection: HTTPConnection) -> None:
    if connection.sock is not None:
        # Not TLS's own way of ending, which would wait for the other side.
        with suppress(OSError):
            socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)
