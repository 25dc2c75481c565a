"""A request that is answered by the process behind the bulkhead: sent there, and its answer brought to the client."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from io import BytesIO
from typing import Final

import httptools

from service.server.arrival import Arrival

PIECE: Final = 65_536
"""Bytes that are read of a body or of an answer at once: so much of an answer waits here for a client."""
_OF_ONE_CONNECTION: Final = frozenset(
    {b"connection", b"keep-alive", b"proxy-connection", b"te", b"trailer", b"transfer-encoding", b"upgrade"}
)
"""Headers that say something of a connection alone (RFC 9110, section 7.6.1)."""
_OF_THE_REQUEST: Final = _OF_ONE_CONNECTION | {b"content-length", b"expect"}
_OF_THE_ANSWER: Final = _OF_ONE_CONNECTION | {b"date"}


class AnswerLost(Exception):
    """The process behind ended before its answer did."""


class ForwardedAnswer:
    """An answer that comes from the process behind; its parser calls it.

    Attributes:
        status, headers: its head, once it is there.
    """

    def __init__(self, *, is_head: bool) -> None:
        """Begin with nothing; one to HEAD has no body, whatever its length is said to be."""
        self.status = 0
        self.headers: list[tuple[str, str]] = []
        self._parser = httptools.HttpResponseParser(self)
        self._is_head = is_head
        self._parts: list[bytes] = []
        self._is_whole = False
        self._reader: asyncio.StreamReader | None = None

    async def begin(self, reader: asyncio.StreamReader) -> None:
        """Read its head.

        Raises:
            AnswerLost: there is none.
        """
        self._reader = reader
        while not self.status:
            await self._read(reader)

    async def parts(self) -> AsyncIterator[bytes]:
        """Its body, as it comes.

        Raises:
            AnswerLost: it is not whole.
        """
        while self._reader is not None:
            while self._parts:
                yield self._parts.pop(0)
            if self._is_whole:
                return
            await self._read(self._reader)

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            read = await reader.read(PIECE)
            if not read:
                raise AnswerLost
            self._parser.feed_data(read)
        except (ConnectionError, httptools.HttpParserError) as error:
            raise AnswerLost from error

    # --- what the parser tells -------------------------------------------------------------------------

    def on_header(self, name: bytes, value: bytes) -> None:
        """One more header."""
        if name.lower() not in _OF_THE_ANSWER:
            self.headers.append((name.decode("latin-1"), value.decode("latin-1")))

    def on_headers_complete(self) -> None:
        """The head is there."""
        self.status = self._parser.get_status_code()
        self._is_whole = self._is_head

    def on_body(self, body: bytes) -> None:
        """More of the body."""
        self._parts.append(body)

    def on_message_complete(self) -> None:
        """Nothing more comes."""
        self._is_whole = True


class Forwarding:
    """One request that is sent to the process behind, through a connection of its own."""

    def __init__(self, arrived: Arrival, connection: socket.socket) -> None:
        """Send this one there."""
        self._arrived = arrived
        self._connection = connection
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self) -> ForwardedAnswer:
        """Send it, and read the answer's head.

        Raises:
            AnswerLost: there is none.
        """
        reader, writer = await asyncio.open_connection(sock=self._connection, limit=PIECE)
        self._writer = writer
        answer = ForwardedAnswer(is_head=self._arrived.scope["method"] == "HEAD")
        self._arrived.connection.leaves = self._leave(writer)
        # What is wrong with it stands in the answer, which may be there before all of it was read.
        with suppress(ConnectionError):
            await self._send(writer)
        await answer.begin(reader)
        return answer

    def close(self) -> None:
        """End the connection; the process behind stops working on what nobody waits for."""
        self._arrived.connection.leaves = None
        if self._writer is None:
            self._connection.close()
        else:
            self._writer.close()

    async def _send(self, writer: asyncio.StreamWriter) -> None:
        scope, is_cut_off = self._arrived.scope, self._arrived.body.is_cut_off
        body = BytesIO() if is_cut_off else self._arrived.body.open()
        # A byte that never comes: the process behind finds the body cut off, as it was here.
        length = 1 if is_cut_off else body.seek(0, 2)
        body.seek(0)
        query = scope["query_string"]
        target = scope["raw_path"] + (b"?" + query if query else b"")
        # To HTTP/1.0, which has no chunks, the process behind answers with a length.
        lines = [b"%s %s HTTP/%s" % (scope["method"].encode(), target, scope["http_version"].encode())]
        lines += [
            b": ".join(header) for header in scope["headers"] if header[0].lower() not in _OF_THE_REQUEST
        ]
        lines += [b"connection: close"]
        lines += [b"content-length: %d" % length] if length or scope["method"] == "POST" else []
        writer.write(b"\r\n".join(lines) + b"\r\n\r\n")
        while part := body.read(PIECE):
            writer.write(part)
            await writer.drain()
        if is_cut_off:
            writer.write_eof()

    @staticmethod
    def _leave(writer: asyncio.StreamWriter) -> Callable[[], None]:
        """What tells the process behind that the client has left."""

        def leave() -> None:
            if not writer.is_closing():
                writer.write_eof()

        return leave
