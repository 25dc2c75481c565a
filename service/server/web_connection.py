"""A client's connection: uvicorn's, with bounds in time and size, and with our problem documents.

A request gets a thread once it is there whole, so a client that sends slowly costs a connection and nothing else.
What comes is bounded before anything is made of it: the first line, the headers, the body, and the time of each.
"""

import asyncio
import logging
import sys
from collections.abc import Callable
from secrets import randbelow
from typing import Any, Final

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from service.http.push import stream_limits
from service.server.incoming_body import IncomingBody
from service.server.refusals import (
    LARGE_HEADERS,
    LONG_ADDRESS,
    MALFORMED,
    TOO_SLOW,
    UNKNOWN_CODING,
    UNKNOWN_EXPECTATION,
    Refusal,
    problem_bytes,
)

HEAD_SECONDS: Final = 10.0
"""How long a request's line and headers may take to arrive, from their first byte."""
BODY_SECONDS: Final = 60.0
"""How long a request's body may take; 16 MiB in that time are 2.2 Mbit/s."""
IDLE_SECONDS: Final = 20
"""How long a connection without a request is kept."""
LONGEST_LINE: Final = 4094
"""Bytes of a request's first line at most."""
MOST_HEADERS, LONGEST_HEADER = 100, 8190
"""Headers of a request, and bytes of one of them, at most."""
MOST_REQUESTS: Final = 100
"""Requests on one connection at most; each is allowed between a half of them and all, by chance.

Clients that keep their connections stay with the process that accepted them. After a restart that was the one that
came first, for all of them. A new connection goes to whichever process has time for it.
"""
LEAVE_SECONDS: Final = 2.0
"""How long a client has time to close a connection that is ended here while it is still sending."""
LEAVE_BYTES: Final = 65536
"""How much of what it still sends is read."""
_LARGEST_HEAD: Final = LONGEST_LINE + MOST_HEADERS * LONGEST_HEADER
REQUEST: Final = "fieldbook.request"
"""The member of a request's scope that has its `Arrival`."""
_log = logging.getLogger("fieldbook.web")


class Arrival:
    """How a request arrives."""

    def __init__(self, connection: "BoundedConnection", path: bytes) -> None:
        """Begin with its headers."""
        self.connection = connection
        self.body = IncomingBody(path)

    def end_by_closing(self) -> None:
        """Let the end of the connection be that of the answer: HTTP/1.0 knows no chunks."""
        cycle = self.connection.cycle
        cycle.chunked_encoding, cycle.expected_content_length = False, sys.maxsize


class _Refused(Exception):
    """What comes is refused: the parser stops."""


class BoundedConnection(HttpToolsProtocol):
    """A connection whose requests have to arrive in time and within bounds.

    Attributes:
        has_left: whether the client sends nothing more, as after it has closed the connection.
        is_stream: whether it brings a stream, which has a place of its own.
        leaves: called once when the client has left, or the connection is lost.
    """

    def __init__(self, *arguments: Any, lost: Callable[["BoundedConnection"], None], **named: Any) -> None:
        """Call `lost` once it is closed."""
        super().__init__(*arguments, **named)
        self.has_left = False
        self.is_stream = False
        self.leaves: Callable[[], None] | None = None
        self._lost = lost
        self._requests_left = MOST_REQUESTS - randbelow(MOST_REQUESTS // 2)
        self._deadline: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        self._is_in_head = True
        self._refusal: Refusal | None = None
        self._is_left = False
        """Whether it is ended here, and what still comes is dropped."""
        self._read_in_vain = 0
        self._waiting, self._moved = 0, 0.0
        """How many bytes waited for the client when it was last seen to take some, and when that was."""

    # --- what the transport tells ----------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request, not for ever."""
        super().connection_made(transport)
        self.timeout_keep_alive_task = self.loop.call_later(IDLE_SECONDS, self.timeout_keep_alive_handler)

    def data_received(self, data: bytes) -> None:
        """Read on."""
        if self.is_stream:
            return
        if self._is_left:
            self._read_in_vain += len(data)
            if self._read_in_vain >= LEAVE_BYTES:
                self.transport.close()
            return
        if self._is_in_head:
            if not self._head_bytes:
                self._allow(HEAD_SECONDS)
            self._head_bytes += len(data)
        self._unset_keepalive_if_required()
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            # Nothing else is spoken here: the request is answered as it is, and nothing after it is read.
            self.cycle.keep_alive = False
        except httptools.HttpParserError:
            self._stop_reading()
        else:
            if self._is_in_head and self._head_bytes > _LARGEST_HEAD:
                self.refuse(LARGE_HEADERS)

    def eof_received(self) -> bool:  # type: ignore[override] # asyncio looks at what it returns
        """The client sends nothing more; what it has asked for is answered all the same."""
        self.has_left = True
        if self.leaves is not None:
            self.leaves()
        if self._arrives:
            self._cut_off()
        return self._is_answering

    def connection_lost(self, exc: Exception | None) -> None:
        """It is closed, by whomever."""
        self._allow(None)
        self.has_left = True
        if self.leaves is not None:
            self.leaves()
        super().connection_lost(exc)
        self._lost(self)

    # --- what the parser tells -------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._is_in_head = True

    def on_url(self, url: bytes) -> None:
        """More of the first line."""
        super().on_url(url)
        around = len(self.parser.get_method()) + len(b"  HTTP/1.1")
        if len(self.url) + around > LONGEST_LINE:
            self._refuse_at_once(LONG_ADDRESS)

    def on_header(self, name: bytes, value: bytes) -> None:
        """One more header."""
        super().on_header(name, value)
        if len(self.headers) > MOST_HEADERS or len(name) + len(value) + len(b": ") > LONGEST_HEADER:
            self._refuse_at_once(LARGE_HEADERS)
        lowered = name.lower()
        if lowered == b"transfer-encoding" and value.strip().lower() != b"chunked":
            self._refuse_at_once(UNKNOWN_CODING)
        if lowered == b"expect" and value.strip().lower() != b"100-continue":
            self._refuse_at_once(UNKNOWN_EXPECTATION)

    def on_headers_complete(self) -> None:
        """The headers are there: the body may take its own time.

        A request of HTTP/1.1 names one host (RFC 9112, section 3.2).
        """
        hosts = sum(name == b"host" for name, _ in self.headers)
        version = self.parser.get_http_version()
        if version not in {"1.0", "1.1"} or hosts > 1 or (not hosts and version == "1.1"):
            self._refuse_at_once(MALFORMED)
        self._is_in_head, self._head_bytes = False, 0
        self._allow(BODY_SECONDS)
        super().on_headers_complete()
        self._requests_left -= 1
        if not self._requests_left:
            self.cycle.keep_alive = False
        arrival = self.cycle.scope[REQUEST] = Arrival(self, self.scope["raw_path"])  # type: ignore[typeddict-unknown-key]
        length = next((value for name, value in self.headers if name == b"content-length"), b"0")
        if int(length) >= arrival.body.most:
            self._drop_rest(self.cycle)
        elif self.cycle.waiting_for_100_continue:
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, body: bytes) -> None:
        """More of the body."""
        arriving = self._arriving(self.cycle)
        if not self.cycle.more_body:
            return
        arriving.body.put(body)
        if arriving.body.is_full:
            self._drop_rest(self.cycle)

    def on_message_complete(self) -> None:
        """The request is there."""
        self._allow(None)
        self._is_in_head = True
        if self.cycle.more_body:
            self._begin(self.cycle)

    # --- requests and answers --------------------------------------------------------------------------

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        """Answer a request once it is there whole, and its turn has come."""
        cycle.its_turn = True  # type: ignore[attr-defined]
        if not cycle.more_body:
            super()._start_asgi_task(cycle, app)

    def _begin(self, cycle: RequestResponseCycle) -> None:
        cycle.more_body = False
        cycle.waiting_for_100_continue = False
        if getattr(cycle, "its_turn", False):
            super()._start_asgi_task(cycle, self.app)

    @property
    def _arrives(self) -> bool:
        """Whether a request's body is on its way."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and cycle.more_body

    @property
    def _is_answering(self) -> bool:
        """Whether a request is not answered yet."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def _arriving(self, cycle: RequestResponseCycle) -> Arrival:
        arriving: Arrival = cycle.scope[REQUEST]  # type: ignore[typeddict-item]
        return arriving

    def _drop_rest(self, cycle: RequestResponseCycle) -> None:
        """Answer a request whose body is longer than what is read; the rest of it is dropped."""
        cycle.keep_alive = False
        cycle.transport = _Leaving(self)  # type: ignore[assignment]
        self._allow(None)
        self._begin(cycle)

    def _cut_off(self) -> None:
        """Let the request be answered though its body did not arrive."""
        self._arriving(self.cycle).body.is_cut_off = True
        self._drop_rest(self.cycle)

    def _allow(self, seconds: float | None) -> None:
        """What is read next has so long to arrive."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self._be_too_late)

    def _be_too_late(self) -> None:
        self._deadline = None
        if self._arrives:
            self._cut_off()
        else:
            self.refuse(TOO_SLOW)

    def _refuse_at_once(self, refusal: Refusal) -> None:
        self._refusal = self._refusal or refusal
        raise _Refused

    def _stop_reading(self) -> None:
        """What comes is no request, or not the rest of one."""
        if self._arrives:
            self._cut_off()
        elif self._is_answering:
            self.cycle.keep_alive = False
        else:
            self.refuse(self._refusal or MALFORMED)

    def refuse(self, refusal: Refusal) -> None:
        """Say why nothing is made of what came, and end the connection."""
        _log.info("refused before it was a request: %s", refusal.code)
        if not self.transport.is_closing() and not self._is_left:
            self.transport.write(problem_bytes(refusal))
            self.leave()

    def begin_stream(self) -> None:
        """Bring a stream and nothing else: what still comes is dropped, but that the client leaves is heard."""
        self.is_stream = True
        self.cycle.keep_alive = False
        self.flow.resume_reading()

    def give_up_stalled(self, now: float) -> None:
        """Close it where its client has taken nothing of what waits for it for too long; ask again and again."""
        waiting = self.transport.get_write_buffer_size()
        if not waiting or waiting != self._waiting:
            self._waiting, self._moved = waiting, now
        elif now - self._moved >= stream_limits.STALLED_SECONDS:
            _log.info("a client takes nothing: its connection is closed")
            self.transport.abort()

    def close(self) -> None:
        """End an answer with the connection."""
        self.cycle.disconnected = True
        self.transport.close()

    def leave(self) -> None:
        """Say that nothing more comes, and give the client a while to close (RFC 9112, section 9.6).

        To close at once could cut off the end of the answer for a client that is still sending.
        """
        self._allow(None)
        self._unset_keepalive_if_required()
        self._is_left = True
        if self.has_left or not self.transport.can_write_eof():
            self.transport.close()
            return
        self.transport.write_eof()
        self.flow.resume_reading()
        self._deadline = self.loop.call_later(LEAVE_SECONDS, self.transport.close)


class _Leaving:
    """A connection's transport for an answer after which the client may still be sending."""

    def __init__(self, connection: BoundedConnection) -> None:
        """Write to this connection; to close it is to leave it."""
        self._connection = connection
        self.write = connection.transport.write
        self.is_closing = connection.transport.is_closing

    def close(self) -> None:
        """Leave."""
        self._connection.leave()
