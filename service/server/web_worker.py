"""gunicorn's threaded worker with bounds in time, and with our problem documents where it answers by itself.

What gunicorn refuses before it is a request (a line or headers that are too long, or malformed) never reaches the
application; gunicorn would answer it in HTML. And it waits for the rest of a request as long as the connection lasts:
a client that sends a byte now and then would hold a thread for ever. Here a request has to arrive, and an answer to
be taken, within some time. And when gunicorn ends a connection it waits for the client to close it too, up to two
seconds in which nobody else is served; here it waits beside all else.
"""

import errno
import logging
import selectors
import socket
import time
from collections import deque
from functools import partial
from http import HTTPStatus
from secrets import randbelow
from typing import Any, Final

import msgspec
from gunicorn.glogging import Logger
from gunicorn.http import errors
from gunicorn.workers.gthread import STOP_KEEPALIVE_LINGER, ThreadWorker

from service.http.follow.detaching import ConnectionDetached, end_streams, offering
from service.http.messages.problems import TYPE_PREFIX
from service.server.web_connection import BoundedConnection, RequestTooSlow

BODY_SECONDS: Final = 60.0
"""How long a request's body may take; 16 MiB in that time are 2.2 Mbit/s."""
MOST_REQUESTS: Final = 100
"""Requests on one connection at most; each is allowed between a half of them and all, by chance.

Clients that keep their connections stay with the process that accepted them. After a restart that was the one that
came first, for all of them. A new connection goes to whichever process has time for it.
"""
HTTP_1_1: Final = (1, 1)
LEAVE_SECONDS: Final = 2.0
"""How long a client has time to close a connection that is ended here."""
LEAVE_BYTES: Final = 65536
"""How much of what it still sends is read."""
PASSING: Final = frozenset({errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK})
"""Somebody else accepted the connection, or it is gone."""
_log = logging.getLogger("fieldbook.web")


REFUSALS: Final[tuple[tuple[type[Exception], int, str, str], ...]] = (
    (RequestTooSlow, 408, "request_too_slow", "The request did not arrive in time; send it in one go."),
    (
        errors.LimitRequestLine,
        414,
        "address_too_long",
        "The request's first line is longer than this service reads.",
    ),
    (
        errors.LimitRequestHeaders,
        431,
        "headers_too_large",
        "The headers are more, or longer, than this service reads.",
    ),
    (errors.UnsupportedTransferCoding, 501, "unsupported_transfer_coding", "Send the body plain or chunked."),
    (
        errors.ExpectationFailed,
        417,
        "unsupported_expectation",
        "The only expectation met here is 100-continue.",
    ),
    (errors.InvalidResponseHeader, 500, "internal_error", "Something went wrong here."),
    (errors.InvalidResponseHeaderName, 500, "internal_error", "Something went wrong here."),
    (errors.ParseException, 400, "malformed_request", "The request could not be read."),
)
"""What is refused before it is a request; the first that fits."""


class BoundedWorker(ThreadWorker):  # type: ignore[misc]
    """The worker; it lets go of connections that were handed over (`service.http.follow.detaching`)."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Begin without connections."""
        super().__init__(*arguments, **named)
        self.leaving: deque[BoundedConnection] = deque()
        """Those that are ended here and that their clients have not closed yet, in the order of their time."""

    def load_wsgi(self) -> None:
        """Make the application, and offer it connections."""
        self.application = self.app.wsgi()
        self.wsgi = offering(self.application)

    def run(self) -> None:
        """Serve until the end."""
        try:
            super().run()
        finally:
            end_streams(self.application)

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Begin to stop."""
        super().handle_exit(sig, frame)
        self.method_queue.defer(self.let_go)

    def let_go(self) -> None:
        """End streams at once, so that clients come back elsewhere, and soon also connections without a request."""
        until = time.monotonic() + STOP_KEEPALIVE_LINGER
        for conn in self.pending_conns:
            conn.timeout = min(conn.timeout, until)
        end_streams(self.application)

    def accept(self, listener: Any) -> None:
        """Accept a connection. It gets a thread when its first bytes are there: clients connect ahead of asking."""
        try:
            client, address = listener.accept()
        except OSError as error:
            if error.errno in PASSING:
                return
            raise
        self.nr_conns += 1
        conn = BoundedConnection(self.cfg, client, address, listener.getsockname())
        conn.leave = self.leave
        conn.requests_left = MOST_REQUESTS - randbelow(MOST_REQUESTS // 2)
        conn.set_timeout()
        self.pending_conns.append(conn)
        self.poller.register(client, selectors.EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def handle_request(self, req: Any, conn: BoundedConnection) -> bool:
        """Answer a request whose headers are there, and say where it was the last one of its connection.

        Raises:
            errors.InvalidHeader: it does not name one host, as HTTP/1.1 must (RFC 9112, section 3.2).
        """
        hosts = [value for name, value in req.headers if name == "HOST"]
        if len(hosts) > 1 or (not hosts and req.version >= HTTP_1_1):
            raise errors.InvalidHeader("HOST")
        conn.allow(BODY_SECONDS)
        conn.requests_left -= 1
        if not conn.requests_left:
            req.force_close()
        try:
            return bool(super().handle_request(req, conn))
        except ConnectionDetached:
            conn.is_handed_over = True
            return False
        except TimeoutError as error:
            # The client takes nothing any more; there is nobody to tell. StopIteration is how gunicorn closes.
            raise StopIteration from error
        finally:
            conn.allow(None)

    def finish_request(self, conn: BoundedConnection, fs: Any) -> None:
        """Wait for the next request of a connection, close it, or let it go."""
        if conn.is_handed_over:
            self.nr_conns -= 1
        else:
            super().finish_request(conn, fs)

    def leave(self, conn: BoundedConnection) -> None:
        """Say that nothing more comes, and wait without a thread until the client closes too (RFC 9112, section 9.6).

        To close at once could cut off the end of the answer for a client that is still sending.
        """
        try:
            conn.sock.settimeout(0.0)
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            conn.close()
            return
        self.nr_conns += 1
        conn.timeout = time.monotonic() + LEAVE_SECONDS
        self.leaving.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_leaving_socket_readable, conn))

    def on_leaving_socket_readable(self, conn: BoundedConnection, _: Any) -> None:
        """Drop what comes on a connection that is left, until it ends or is too much."""
        try:
            read = len(conn.sock.recv(LEAVE_BYTES))
        except BlockingIOError:
            return
        except OSError:
            read = 0
        conn.read_in_vain += read
        if not read or conn.read_in_vain >= LEAVE_BYTES:
            self.leaving.remove(conn)
            self.end(conn)

    def murder_pending(self) -> None:
        """Close connections on which nothing has come, or which their clients do not close, for too long."""
        super().murder_pending()
        now = time.monotonic()
        while self.leaving and self.leaving[0].timeout <= now:
            self.end(self.leaving.popleft())

    def end(self, conn: BoundedConnection) -> None:
        """Close a connection that was left."""
        self.poller.unregister(conn.sock)
        self.nr_conns -= 1
        conn.close()

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:  # noqa: ARG002 - the base class's
        """Answer what did not become a request, or broke outside the application, with a problem document."""
        fitting = (each for each in REFUSALS if isinstance(exc, each[0]))
        _, status, code, detail = next(
            fitting, (Exception, 500, "internal_error", "Something went wrong here.")
        )
        if status == HTTPStatus.INTERNAL_SERVER_ERROR:
            _log.error("a request broke outside the application", exc_info=exc)
        else:
            _log.info("refused before it was a request: %s", code)
        try:
            client.settimeout(1.0)
            client.sendall(problem_bytes(status, code, detail))
        except OSError as error:
            _log.debug("the refusal was not taken: %s", error)


class QuietLogger(Logger):  # type: ignore[misc]
    """gunicorn's messages in the form of ours."""

    def setup(self, cfg: Any) -> None:  # noqa: ARG002 - the base class's signature
        """Hand everything from warnings on to the process's own log."""
        self.loglevel = logging.WARNING
        self.error_log.setLevel(logging.WARNING)
        self.error_log.propagate = True


def problem_bytes(status: int, code: str, detail: str) -> bytes:
    """A whole HTTP answer with a problem document."""
    title = code.replace("_", " ").capitalize()
    document = {"type": TYPE_PREFIX + code, "title": title, "status": status, "code": code, "detail": detail}
    body = msgspec.json.encode(document)
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n"
        "Connection: close\r\n"
        "Content-Type: application/problem+json\r\n"
        "Cache-Control: no-store\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode("ascii") + body
