"""One thread that sends what waits in outboxes over the connections that were handed over to it.

It moves bytes and nothing else: it asks no store and waits for no client. A client that has gone away, or takes
nothing for `STALLED_SECONDS`, loses its connection.
"""

import logging
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Final

from service.http.push import stream_limits
from service.http.push.outbox import Outbox

LAST_CHUNK: Final = b"0\r\n\r\n"
READ_BYTES: Final = 65_536
_log = logging.getLogger("fieldbook.streams")


class Connection:
    """A client's connection, and what it is to bring."""

    def __init__(
        self, client: socket.socket, outbox: Outbox, closed: Callable[[], None], *, is_chunked: bool
    ) -> None:
        """Send this outbox to a client; say so once the connection is closed.

        What is chunked is framed as RFC 9112, section 7.1, has it; else the end is where the connection closes.
        """
        self.client = client
        self.outbox = outbox
        self.closed = closed
        self.rest = memoryview(b"")
        """What was taken from the outbox and is not sent yet."""
        self.moved = time.monotonic()
        """When the client last took everything, or something."""
        self.events = 0
        """What is waited for, of `selectors`."""
        self.is_due = False
        """Whether it stands in the queue of those that have something to send."""
        self._is_chunked = is_chunked
        self._is_last = False

    def send(self) -> bool:
        """Send as much as the client takes now; False once it has everything up to the end.

        Raises:
            OSError: the client has gone away.
        """
        while True:
            if not self.rest:
                self.moved = time.monotonic()
                if self._is_last:
                    return False
                if self.outbox.is_empty:
                    return True
                self._take()
            elif not self._send_some():
                return True

    def _take(self) -> None:
        frames, self._is_last = self.outbox.take()
        if self._is_chunked:
            chunk = b"%x\r\n%b\r\n" % (len(frames), frames) if frames else b""
            frames = chunk + LAST_CHUNK if self._is_last else chunk
        self.rest = memoryview(frames)

    def _send_some(self) -> bool:
        try:
            sent = self.client.send(self.rest)
        except BlockingIOError:
            return False
        self.rest = self.rest[sent:]
        self.moved = time.monotonic()
        return True


class Sender:
    """The thread; it runs from the beginning on, until it is closed."""

    def __init__(self, look: Callable[[float], None]) -> None:
        """Call `look`, which must be quick, with the time of the monotonic clock every `stream_limits.pause()`."""
        self._look = look
        self._due: deque[Connection] = deque()
        self._open: set[Connection] = set()
        self._is_woken = False
        self._is_closed = False
        self._bell, self._clapper = socket.socketpair()
        self._bell.settimeout(0)
        self._clapper.settimeout(0)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._bell, selectors.EVENT_READ)
        self._thread = Thread(target=self._run, name="stream-sender", daemon=True)
        self._thread.start()

    def send(self, connection: Connection) -> None:
        """Send what waits for this connection now, and all that will, up to its end."""
        connection.client.settimeout(0)
        connection.outbox.changed = lambda: self._let_send(connection)
        self._let_send(connection)

    def close(self) -> None:
        """Send what clients take at once, close all connections, and end."""
        self._is_closed = True
        self._wake()
        self._thread.join()
        self._selector.close()
        self._bell.close()
        self._clapper.close()

    def _let_send(self, connection: Connection) -> None:
        if not connection.is_due:
            connection.is_due = True
            self._due.append(connection)
            self._wake()

    def _wake(self) -> None:
        if not self._is_woken:
            self._is_woken = True
            # Where the pair is full, or closed already, there is nobody left to wake.
            with suppress(OSError):
                self._clapper.send(b"\0")

    def _run(self) -> None:
        looked = time.monotonic()
        while not self._is_closed:
            left = looked + stream_limits.pause() - time.monotonic()
            for key, events in self._selector.select(max(left, 0.0)):
                connection: Connection | None = key.data
                if connection is None:
                    self._bell.recv(READ_BYTES)
                elif events & selectors.EVENT_READ and self._has_gone(connection):
                    self._close(connection)
                else:
                    self._send(connection)
            self._is_woken = False
            self._send_due()
            now = time.monotonic()
            if now - looked >= stream_limits.pause():
                looked = now
                self._look(now)
                self._give_up(now - stream_limits.STALLED_SECONDS)
        self._send_due()
        for connection in [*self._open]:
            self._close(connection)

    def _send_due(self) -> None:
        while self._due:
            connection = self._due.popleft()
            connection.is_due = False
            self._send(connection)

    def _send(self, connection: Connection) -> None:
        if connection.client.fileno() < 0:
            return
        try:
            goes_on = connection.send()
        except OSError as error:
            _log.debug("a stream's client has gone away: %s", error)
            goes_on = False
        except Exception:  # noqa: BLE001 - one broken stream must not stop all others
            _log.exception("a stream is ended")
            goes_on = False
        if goes_on:
            self._await(connection)
        else:
            self._close(connection)

    def _await(self, connection: Connection) -> None:
        """Hear of it when the client goes away, and when it takes what is left."""
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if connection.rest else 0)
        if not connection.events:
            self._open.add(connection)
            self._selector.register(connection.client, events, connection)
        elif connection.events != events:
            self._selector.modify(connection.client, events, connection)
        connection.events = events

    def _has_gone(self, connection: Connection) -> bool:
        """Whether the client has closed its connection; what it sends otherwise is no request any more."""
        try:
            return not connection.client.recv(READ_BYTES)
        except BlockingIOError:
            return False
        except OSError:
            return True

    def _give_up(self, before: float) -> None:
        """Close connections whose clients have taken nothing since this time."""
        for connection in [each for each in self._open if each.rest and each.moved < before]:
            _log.info("a stream's client takes nothing: its connection is closed")
            self._close(connection)

    def _close(self, connection: Connection) -> None:
        if connection in self._open:
            self._open.remove(connection)
            self._selector.unregister(connection.client)
        connection.client.close()
        connection.closed()
