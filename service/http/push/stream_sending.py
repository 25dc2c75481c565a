"""Sending streams over their connections: nothing is read from these any more, and frames are sent as they come.

Most streams of a process are silent most of the time, so what each one holds matters: its connection is taken over
from the one that has read the request, and with that one go the parser, the headers, and all else of the request.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Final

from service.http.push import stream_limits
from service.http.push.outbox import Outbox, nobody
from service.platform.metrics import LOOP_FAILURES

SENT_AT_ONCE: Final = 50
"""Streams that are sent to in one go; a request that has come meanwhile is looked at before the next ones."""
_log = logging.getLogger("fieldbook.web")


class OpenStreams:
    """All streams that an event loop sends."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, close_later: Callable[[Callable[[], object]], None]
    ) -> None:
        """Send them in this loop; `close_later` calls what closes a stream that has ended."""
        self.connections: set[StreamConnection] = set()
        """Those whose connections are open; one that has ended may have something left to send."""
        self.under_way = 0
        """How many have not ended."""
        self._loop = loop
        self._close_later = close_later
        self._changed: deque[StreamConnection] = deque()
        self._is_due = False
        """Whether the loop is about to begin with those that have changed."""

    def begin(
        self,
        transport: asyncio.Transport,
        outbox: Outbox,
        close: Callable[[], object],
        *,
        is_chunked: bool,
        is_behind: bool = False,
    ) -> None:
        """Send what waits in an outbox, and all that will, over a connection that is its own from now on.

        Args:
            transport: the connection, with all before the first frame sent.
            outbox: what is to be sent.
            close: called at the end of the stream, by one of the threads.
            is_chunked: whether frames are framed in chunks (RFC 9112, section 7.1).
            is_behind: whether the client has so much to take that nothing is sent until it has.
        """
        stream = StreamConnection(self, transport, outbox, close, is_chunked=is_chunked, is_behind=is_behind)
        self.under_way += 1
        self.connections.add(stream)
        transport.set_protocol(stream)
        outbox.changed = stream.change
        stream.change()

    def end(self) -> None:
        """Send nothing more."""
        for stream in [*self.connections]:
            stream.end()

    def note(self, stream: "StreamConnection") -> None:
        """Have something sent to this one soon; called by any thread."""
        self._changed.append(stream)
        if not self._is_due:
            self._is_due = True
            try:
                self._loop.call_soon_threadsafe(self._send)
            except RuntimeError:
                _log.debug("the process ends, and nothing more is sent")

    def finish(self, close: Callable[[], object]) -> None:
        """Do what is to be done at the end of a stream."""
        self.under_way -= 1
        self._close_later(close)

    def _send(self) -> None:
        # Before anything is taken: what comes from now on is sent by this turn, or by another one.
        self._is_due = False
        for _ in range(min(len(self._changed), SENT_AT_ONCE)):
            stream = self._changed.popleft()
            try:
                stream.send()
            except Exception:  # noqa: BLE001 - one broken stream must not stop all others
                _log.exception("a stream is broken off")
                LOOP_FAILURES.labels("stream_sending").inc()
                stream.end()
        if self._changed and not self._is_due:
            self._is_due = True
            self._loop.call_soon(self._send)


class StreamConnection(asyncio.Protocol):
    """One of them."""

    __slots__ = (
        "_close",
        "_is_behind",
        "_is_changed",
        "_is_chunked",
        "_moved",
        "_outbox",
        "_streams",
        "_waiting",
        "transport",
    )

    def __init__(
        self,
        streams: OpenStreams,
        transport: asyncio.Transport,
        outbox: Outbox,
        close: Callable[[], object],
        *,
        is_chunked: bool,
        is_behind: bool,
    ) -> None:
        """Send what is in this outbox."""
        self.transport = transport
        self._streams = streams
        self._outbox = outbox
        self._close: Callable[[], object] | None = close
        self._is_chunked = is_chunked
        self._is_changed = False
        self._is_behind = is_behind
        self._waiting, self._moved = 0, 0.0
        """How many bytes waited for the client when it was last seen to take some, and when that was."""

    # --- what the transport tells ----------------------------------------------------------------------

    def eof_received(self) -> None:
        """The client sends nothing more, as after it has closed the connection."""
        self.end()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the base class's signature
        """It is closed, by whomever."""
        self._streams.connections.discard(self)
        self.end()

    def pause_writing(self) -> None:
        """The client is behind: what comes waits in the outbox, which is bounded."""
        self._is_behind = True

    def resume_writing(self) -> None:
        """The client has taken most of what was sent."""
        self._is_behind = False
        self.change()

    # --- sending ---------------------------------------------------------------------------------------

    def change(self) -> None:
        """Have what is in the outbox sent; called by any thread."""
        if not self._is_changed:
            self._is_changed = True
            self._streams.note(self)

    def send(self) -> None:
        """Send what is in the outbox, unless the client is behind."""
        # Before anything is taken: for what comes from now on it is called once more.
        self._is_changed = False
        if self._is_behind or self._close is None or self._outbox.is_empty:
            return
        frames, is_last = self._outbox.take()
        if self._is_chunked:
            chunk = b"%x\r\n%b\r\n" % (len(frames), frames) if frames else b""
            frames = chunk + b"0\r\n\r\n" if is_last else chunk
        self.transport.write(frames)
        if is_last:
            self.end()

    def end(self) -> None:
        """Send nothing more, and close the connection."""
        close, self._close = self._close, None
        if close is not None:
            self._outbox.changed = nobody
            self._streams.finish(close)
            self.transport.close()

    def takes_nothing(self, now: float) -> bool:
        """Whether its client has taken nothing for too long, by the loop's clock; asked every second."""
        waiting = self.transport.get_write_buffer_size()
        if not waiting or waiting != self._waiting:
            self._waiting, self._moved = waiting, now
        return now - self._moved >= stream_limits.STALLED_SECONDS and bool(waiting)
