"""A client's connection: uvicorn's, with bounds in time and size, and with our problem documents.

A request gets a thread once it is there whole, so a client that sends slowly costs a connection and nothing else.
What comes is bounded before anything is made of it: the first line, the headers, the body, and the time of each.
"""

import asyncio
from collections.abc import Callable
from secrets import randbelow
from typing import Any, Final

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from service.http.push import stream_limits
from service.server.arrival import Answering, Arrival, is_answered
from service.server.refusals import (
    LARGE_HEADERS,
    LONG_ADDRESS,
    MALFORMED,
    TOO_SLOW,
    UNKNOWN_CODING,
    UNKNOWN_EXPECTATION,
    Refusal,
    endings,
    problem_bytes,
)

HEAD_SECONDS: Final = 10.0
"""How long a request's line and headers may take to arrive, from their first byte."""
BODY_SECONDS: Final = 60.0
"""How long a request's body may take; 64 MiB in that time are 9 Mbit/s, and gzipped a record is a fifth of it."""
IDLE_SECONDS: Final = 20
"""How long a connection without a request is kept."""
LONGEST_LINE: Final = 4094
"""Bytes of a request's first line at most."""
MOST_HEADERS, LONGEST_HEADER = 100, 8190
"""Headers of a request, and bytes of one of them, at most."""
MOST_REQUESTS: Final = 100
"""Requests on one connection at most.

Clients that keep their connections stay with the process that accepted them. A new connection goes to whichever
process has time for it.
"""
LEAVE_SECONDS: Final = 2.0
"""How long a client has time to close a connection that is ended here while it is still sending."""
LEAVE_BYTES: Final = 65536
"""How much of what it still sends is read."""
_LARGEST_HEAD: Final = LONGEST_LINE + MOST_HEADERS * LONGEST_HEADER
_ARRIVAL: Final = "fieldbook.arrival"
"""Where the scope of a request has what is known of its arrival."""


class _Refused(Exception):
    """What comes is refused: the parser stops."""


class BoundedConnection(HttpToolsProtocol):
    """A connection whose requests have to arrive in time and within bounds.

    Attributes:
        has_left: whether the client sends nothing more, as after it has closed the connection.
        network: the address that it is counted by; empty where it tells nothing of who is there, as behind a proxy.
        unsent: bytes of an answer that is ready and waits until the client has taken what was sent before.
        moved: when the client was last seen to take some of what waits for it, of the loop's clock.
        leaves: called once the client has left, or the connection is lost.
    """

    def __init__(
        self,
        *arguments: Any,
        freed: Callable[["BoundedConnection"], None],
        network: str = "",
        address: tuple[str, int] | None = None,
        requests: int = MOST_REQUESTS,
        **named: Any,
    ) -> None:
        """Call `freed` when its place is free: once it brings a stream, or is closed. The client has this address.

        It ends after so many requests at most, and half as many at least, by chance.
        """
        super().__init__(*arguments, **named)
        self._address = address
        self.network = network
        self.has_left = False
        self.leaves: Callable[[], None] | None = None
        self._freed: Callable[[BoundedConnection], None] | None = freed
        self._arrival: Arrival | None = None
        """The newest request."""
        self._in_turn: Arrival | None = None
        """The request that is answered, or was answered last."""
        self._requests_left = requests - randbelow(requests // 2)
        self._deadline: float | None = None
        """Until when what is waited for has to be there, of the loop's clock."""
        self._head_bytes = 0
        self._is_in_head = True
        self._refusal: Refusal | None = None
        self._is_left = False
        """Whether it is ended here, and what still comes is dropped."""
        self._read_in_vain = 0
        self._is_held = False
        """Whether nothing is read of a body for want of room."""
        self._waiting = 0
        """How many bytes waited for the client at the last look."""
        self.unsent, self.moved = 0, 0.0

    # --- what the transport tells ----------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request, not for ever."""
        super().connection_made(transport)
        self.client = self._address
        self._allow(IDLE_SECONDS)

    def data_received(self, data: bytes) -> None:
        """Read on."""
        if self._is_left:
            self._read_in_vain += len(data)
            if self._read_in_vain >= LEAVE_BYTES:
                self.transport.close()
            return
        if self._is_in_head:
            if not self._head_bytes:
                self._allow(HEAD_SECONDS)
            self._head_bytes += len(data)
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
        if self._is_answering:
            self.cycle.keep_alive = False
        return self._is_answering

    def connection_lost(self, exc: Exception | None) -> None:
        """It is closed, by whomever."""
        self._allow(None)
        self.has_left = True
        if self.leaves is not None:
            self.leaves()
        self._drop_unanswered()
        super().connection_lost(exc)
        if self._in_turn is not None:
            self._in_turn.cycle.disconnected = True
        self.free()
        # They refer to one another, and would stay until the garbage collector runs.
        self.cycle = self._arrival = self._in_turn = None  # type: ignore[assignment]

    def free(self) -> None:
        """Give its place back, once."""
        freed, self._freed = self._freed, None
        if freed is not None:
            freed(self)

    def look(self, now: float) -> None:
        """Give up what was waited for too long, at this moment of the loop's clock; to be called every second.

        That is a request that does not arrive, a connection without one, and a client that takes nothing.
        """
        if self._deadline is not None and now >= self._deadline:
            self._be_too_late()
        if self._is_held and (self._arrival is None or self._arrival.find_room()):
            self._is_held = False
            self.flow.resume_reading()
        waiting = self.transport.get_write_buffer_size()
        if not waiting or waiting != self._waiting:
            self._waiting, self.moved = waiting, now
        elif now - self.moved >= stream_limits.STALLED_SECONDS:
            self.shed("client_takes_nothing")

    @property
    def held(self) -> int:
        """Bytes of answers that waited for the client at the last look."""
        return self._waiting + self.unsent

    def shed(self, reason: str) -> None:
        """Count why the connection ends, and end it at once with what waits for the client."""
        endings.count(reason)
        self._waiting = self.unsent = 0
        self.abort()

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
        before = self.cycle
        super().on_headers_complete()
        self._requests_left -= 1
        if not self._requests_left:
            self.cycle.keep_alive = False
        length = next((int(value) for name, value in self.headers if name == b"content-length"), None)
        arrival = self._arrival = Arrival(self, self.cycle, length)
        arrival.scope[_ARRIVAL] = arrival
        # Where others came before it, its turn comes when they are answered.
        arrival.is_its_turn = is_answered(before)
        if length is not None and length >= arrival.body.most:
            self._drop_rest(arrival)
        elif self.cycle.waiting_for_100_continue:
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, body: bytes) -> None:
        """More of the body."""
        arrival = self._arrival
        if arrival is None or not arrival.cycle.more_body:
            return
        arrival.body.put(body)
        if arrival.body.is_full:
            self._drop_rest(arrival)
        elif not arrival.find_room():
            self._is_held = True
            self.flow.pause_reading()

    def on_message_complete(self) -> None:
        """The request is there."""
        self._allow(None)
        self._is_in_head = True
        if self._arrival is not None and self._arrives:
            self._begin(self._arrival)

    # --- requests and answers --------------------------------------------------------------------------

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:  # noqa: ARG002 - the base class's
        """The turn of a request has come; it begins once it is there whole."""
        arrival: Arrival | None = cycle.scope.get(_ARRIVAL)  # type: ignore[assignment]
        if arrival is not None:
            arrival.is_its_turn = True
            self._begin_in_turn(arrival)

    def _begin(self, arrival: Arrival) -> None:
        arrival.cycle.more_body = arrival.cycle.waiting_for_100_continue = False
        self._begin_in_turn(arrival)

    def _begin_in_turn(self, arrival: Arrival) -> None:
        if arrival.is_its_turn and not arrival.cycle.more_body:
            # They refer to each other, and would stay until the garbage collector runs.
            arrival.scope.pop(_ARRIVAL, None)
            self._in_turn = arrival
            answering: Answering = self.app
            answering.begin(arrival)

    def added_head(self) -> list[bytes]:
        """The lines that the server adds to every answer's head."""
        return [b": ".join(each) + b"\r\n" for each in self.server_state.default_headers]

    def answer(self, cycle: RequestResponseCycle, head: bytes, body: bytes) -> None:
        """Send a whole answer at once; its head is without the last line and without what the server adds."""
        if not cycle.disconnected:
            added = self.added_head()
            if not cycle.keep_alive:
                added.append(b"connection: close\r\n")
            self.transport.write(b"".join((head, *added, b"\r\n", body)))
        cycle.response_started = cycle.response_complete = True
        if not cycle.keep_alive:
            cycle.transport.close()
        self.on_response_complete()

    def on_response_complete(self) -> None:
        """An answer is on its way: the next request may come."""
        super().on_response_complete()
        if self.timeout_keep_alive_task is not None:
            # One look a second at all connections takes the place of a timer for each request.
            self._unset_keepalive_if_required()
            if not self._head_bytes and not self._is_left:
                self._allow(IDLE_SECONDS)

    @property
    def _arrives(self) -> bool:
        """Whether a request's body is on its way."""
        return self._arrival is not None and self._arrival.cycle.more_body

    @property
    def _is_answering(self) -> bool:
        """Whether a request is not answered yet."""
        return not is_answered(self.cycle)

    def _drop_rest(self, arrival: Arrival) -> None:
        """Answer a request whose body is longer than what is read; the rest of it is dropped."""
        arrival.cycle.keep_alive = False
        arrival.cycle.transport = _Leaving(self)  # type: ignore[assignment]
        self._allow(None)
        self._begin(arrival)

    def _cut_off(self) -> None:
        """Let the request be answered though its body did not arrive."""
        if self._arrival is not None:
            self._arrival.body.is_cut_off = True
            self._drop_rest(self._arrival)

    def _allow(self, seconds: float | None) -> None:
        """What is waited for next has so long to arrive."""
        self._deadline = None if seconds is None else self.loop.time() + seconds

    def _be_too_late(self) -> None:
        self._deadline = None
        if self._arrives:
            self._cut_off()
        elif self._is_answering:
            self.cycle.keep_alive = False
        elif self._head_bytes and not self._is_left:
            self.refuse(TOO_SLOW)
        else:
            self.transport.close()

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
        endings.count(refusal.code)
        if not self.transport.is_closing() and not self._is_left:
            self.transport.write(problem_bytes(refusal))
            self.leave()

    def hand_over(self) -> asyncio.Transport:
        """Let go of the client, for whoever brings it the stream that it asked for; what it asks after is dropped."""
        self._drop_unanswered()
        self.flow.resume_reading()
        self.connections.discard(self)
        self.parser = self.cycle = self._arrival = self._in_turn = None  # type: ignore[assignment]
        self.free()
        return self.transport

    def _drop_unanswered(self) -> None:
        """Nothing that was not begun is answered any more."""
        never_answered = [cycle for cycle, _ in self.pipeline] + [self.cycle] * self._arrives
        for cycle in never_answered:
            arrival: Arrival | None = cycle.scope.pop(_ARRIVAL, None)  # type: ignore[typeddict-item]
            if arrival is not None:
                arrival.body.close()
        self.pipeline.clear()

    def close(self) -> None:
        """End an answer with the connection."""
        if self._is_answering:
            self.cycle.disconnected = True
        self.transport.close()

    def abort(self) -> None:
        """End the connection at once; the answer to its request, if one comes, is dropped.

        An aborted transport refuses to write, and the event loop reports the loss of the connection only later.
        """
        self.has_left = True
        if self._is_answering:
            self.cycle.disconnected = True
        self.transport.abort()

    def leave(self) -> None:
        """Say that nothing more comes, and give the client a while to close (RFC 9112, section 9.6).

        To close at once could cut off the end of the answer for a client that is still sending.
        """
        self._is_left = True
        if self.has_left or not self.transport.can_write_eof():
            self.transport.close()
            return
        self.transport.write_eof()
        self.flow.resume_reading()
        self._allow(LEAVE_SECONDS)


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
