"""A witness over HTTP: two requests of HTTP/1.1, within bounds of size, time and number.

`POST /add-checkpoint` and `GET /<SHA-256 of the origin>/checkpoint`. One request is answered after the other, so that
what was co-signed last is looked at and moved in one step.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from typing import Final

from replay.platform.safe_text import safe
from replay.witness.state import StateUnusable
from replay.witness.witness import LONGEST_REQUEST, Answer, Witness

MOST_CONNECTIONS: Final = 64
"""Connections at once at most; further ones are told to come again."""
REQUEST_SECONDS: Final = 10.0
"""How long a request may take from its first byte to its last, and its answer to be taken."""
IDLE_SECONDS: Final = 60.0
"""How long a connection may be kept without a request."""
LONGEST_HEAD: Final = 16_384
_REASONS: Final = {
    200: "OK",
    400: "Bad Request",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    409: "Conflict",
    411: "Length Required",
    413: "Content Too Large",
    422: "Unprocessable Entity",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    503: "Service Unavailable",
}
_REQUEST_LINE: Final = re.compile(rb"(?P<method>[A-Z]{1,16}) (?P<target>[!-~]{1,2048}) HTTP/1\.[01]")
_FIELD: Final = re.compile(rb"(?P<name>[!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(?P<value>[^\r\n]*?)[ \t]*")
_LENGTH: Final = re.compile(rb"[0-9]{1,9}")
_OF_A_LOG: Final = re.compile(r"/([0-9a-f]{64})/checkpoint")
_log = logging.getLogger("fieldbook.witness")


class _Unanswerable(Exception):
    """A request that is answered by a status alone; the connection ends with it."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class WitnessServer:
    """Serves a witness until it is cancelled."""

    def __init__(
        self,
        witness: Witness,
        *,
        most_connections: int = MOST_CONNECTIONS,
        request_seconds: float = REQUEST_SECONDS,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        """Serve this witness."""
        self._witness = witness
        self._most = most_connections
        self._request_seconds = request_seconds
        self._idle_seconds = idle_seconds
        self._connections = 0

    async def listen(self, host: str, port: int) -> asyncio.Server:
        """Begin to listen.

        Raises:
            OSError: not there.
        """
        return await asyncio.start_server(self._serve, host, port, limit=LONGEST_HEAD)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections += 1
        try:
            if self._connections > self._most:
                await self._send(writer, Answer(503, ""), keep=False)
                return
            while await self._answer_next(reader, writer):
                pass
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            pass  # whoever asked is gone, or too slow
        finally:
            self._connections -= 1
            writer.transport.abort() if writer.transport.get_write_buffer_size() else writer.close()

    async def _answer_next(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; whether the connection goes on."""
        try:
            first = await asyncio.wait_for(reader.readexactly(1), self._idle_seconds)
            async with asyncio.timeout(self._request_seconds):
                method, target, fields = await _read_head(first, reader)
                body = await _read_body(method, fields, reader)
        except _Unanswerable as unanswerable:
            await self._send(writer, Answer(unanswerable.status, ""), keep=False)
            return False
        keep = fields.get(b"connection", b"").lower() != b"close"
        answer = self._answer(method, target, body)
        _log.info("%s %s %d", method, safe(target, 100), answer.status)
        await self._send(writer, answer, keep=keep)
        return keep

    def _answer(self, method: str, target: str, body: bytes) -> Answer:
        try:
            if target == "/add-checkpoint":
                return self._witness.add_checkpoint(body) if method == "POST" else Answer(405, "")
            found = _OF_A_LOG.fullmatch(target)
            if found is None:
                return Answer(404, "")
            return self._witness.checkpoint(found[1]) if method == "GET" else Answer(405, "")
        except StateUnusable as unusable:
            _log.error("nothing is co-signed: %s", unusable)
            return Answer(500, "")

    async def _send(self, writer: asyncio.StreamWriter, answer: Answer, *, keep: bool) -> None:
        body = answer.body.encode()
        writer.write(
            f"HTTP/1.1 {answer.status} {_REASONS[answer.status]}\r\n"
            f"Content-Type: {answer.content_type}\r\nContent-Length: {len(body)}\r\n"
            f"Connection: {'keep-alive' if keep else 'close'}\r\n\r\n".encode()
            + body
        )
        async with asyncio.timeout(self._request_seconds):
            await writer.drain()


async def _read_head(first: bytes, reader: asyncio.StreamReader) -> tuple[str, str, dict[bytes, bytes]]:
    """Method, target and header fields of a request."""
    try:
        head = first + await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError as overrun:
        raise _Unanswerable(431) from overrun
    line, *rest = head[:-4].split(b"\r\n")
    request = _REQUEST_LINE.fullmatch(line)
    if request is None:
        raise _Unanswerable(400)
    fields: dict[bytes, bytes] = {}
    for each in rest:
        found = _FIELD.fullmatch(each)
        name = found["name"].lower() if found else b""
        if found is None or (name == b"content-length" and name in fields):
            raise _Unanswerable(400)
        fields[name] = found["value"]
    return request["method"].decode(), request["target"].decode(), fields


async def _read_body(method: str, fields: dict[bytes, bytes], reader: asyncio.StreamReader) -> bytes:
    """The body of a request, whose length is said beforehand."""
    length = fields.get(b"content-length", b"" if method == "POST" else b"0")
    if b"transfer-encoding" in fields or not length:
        raise _Unanswerable(411)
    if not _LENGTH.fullmatch(length):
        raise _Unanswerable(400)
    if int(length) > LONGEST_REQUEST:
        raise _Unanswerable(413)
    return await reader.readexactly(int(length))


async def run(
    server: WitnessServer,
    host: str,
    port: int,
    listening: Callable[[str, int], None],
    stopped: Awaitable[object],
) -> None:
    """Serve until `stopped` is done; `listening` is told where.

    Raises:
        OSError: nobody can listen there.
    """
    listener = await server.listen(host, port)
    try:
        listening(*listener.sockets[0].getsockname()[:2])
        await stopped
    finally:
        listener.close()
