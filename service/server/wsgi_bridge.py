"""Flask behind uvicorn: a thread for each request that is being worked on, and none for whoever waits to be sent to.

An application of ASGI that calls one of WSGI (PEP 3333). A request comes here once it is there whole
(`service.server.web_connection`); a stream is sent from its outbox by the event loop.
"""

import asyncio
import logging
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple
from urllib.parse import unquote_to_bytes

from service.http.follow.detaching import IS_GONE, OFFER, Offer
from service.http.push.outbox import Outbox
from service.server.web_connection import REQUEST, Arrival, BoundedConnection

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
Send = Callable[[dict[str, Any]], Any]
_NO_MORE: Final = b""
_log = logging.getLogger("fieldbook.web")


class _Answer(NamedTuple):
    """What the application has answered; `parts` is what is left to be sent, one after the other."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    parts: Iterator[bytes] | None
    close: Callable[[], None]
    outbox: Outbox | None


class WsgiBridge:
    """The application, for uvicorn."""

    def __init__(self, application: Application, threads: int) -> None:
        """Work on so many requests at once; further ones wait for their turn."""
        self._application = application
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="request")

    def close(self) -> None:
        """Begin with nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def __call__(self, scope: dict[str, Any], _receive: object, send: Send) -> None:
        """Answer a request."""
        loop = asyncio.get_running_loop()
        arrived: Arrival = scope[REQUEST]
        try:
            answer = await loop.run_in_executor(self._threads, self._ask, scope, arrived)
        finally:
            arrived.body.close()
        if answer.outbox is not None:
            arrived.connection.begin_stream()
            if scope["http_version"] == "1.0":
                arrived.end_by_closing()
        try:
            await self._send(answer, arrived.connection, send)
        finally:
            if answer.parts is not None or answer.outbox is not None:
                await loop.run_in_executor(self._threads, answer.close)

    def _ask(self, scope: dict[str, Any], arrived: Arrival) -> _Answer:
        """Have the application answer; what has a length is collected, and closed."""
        begun: list[tuple[str, list[tuple[str, str]]]] = []

        def start_response(status: str, headers: list[tuple[str, str]], _failure: object = None) -> None:
            begun.append((status, headers))

        environ = _environ(scope, arrived)
        offer = environ[OFFER] = Offer()
        parts = self._application(environ, start_response)
        status, said = begun[-1]
        code = int(status[:3])
        headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in said]
        close: Callable[[], None] = getattr(parts, "close", lambda: None)
        if offer.outbox is not None:
            return _Answer(code, headers, b"", None, close, offer.outbox)
        is_whole = scope["method"] == "HEAD" or any(name == b"content-length" for name, _ in headers)
        if not is_whole and scope["http_version"] != "1.0":
            return _Answer(code, headers, b"", iter(parts), close, None)
        try:
            body = b"".join(parts)
        finally:
            close()
        if not is_whole:
            headers.append((b"content-length", b"%d" % len(body)))
        return _Answer(code, headers, body, None, close, None)

    async def _send(self, answer: _Answer, connection: BoundedConnection, send: Send) -> None:
        await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
        if answer.outbox is not None:
            await _send_stream(answer.outbox, connection, send)
            return
        if answer.parts is not None:
            loop = asyncio.get_running_loop()
            while part := await loop.run_in_executor(self._threads, next, answer.parts, _NO_MORE):
                await _send_part(part, send)
                if connection.has_left:
                    return
        await _send_part(answer.body, send, is_last=True)


async def _send_part(part: bytes, send: Send, *, is_last: bool = False) -> None:
    """Send the next piece of an answer, once the client has taken most of what was sent before."""
    await send({"type": "http.response.body", "body": part, "more_body": not is_last})


async def _send_stream(outbox: Outbox, connection: BoundedConnection, send: Send) -> None:
    """Send what waits in an outbox, and all that will, up to its end or the client's."""
    loop, changed = asyncio.get_running_loop(), asyncio.Event()
    connection.leaves = changed.set
    outbox.changed = lambda: _wake(loop, changed)
    is_last = False
    while not is_last and not connection.has_left:
        changed.clear()
        if outbox.is_empty:
            await changed.wait()
            continue
        await connection.flow.drain()
        frames, is_last = outbox.take()
        # Where the answer has no chunks, its end is that of the connection.
        await _send_part(frames, send, is_last=is_last and bool(connection.cycle.chunked_encoding))
    connection.close()


def _wake(loop: asyncio.AbstractEventLoop, changed: asyncio.Event) -> None:
    try:
        loop.call_soon_threadsafe(changed.set)
    except RuntimeError:
        _log.debug("the process ends, and nothing more is sent")


def _environ(scope: dict[str, Any], arrived: Arrival) -> dict[str, Any]:
    """The request as PEP 3333 has it."""
    server, client = scope["server"] or ("", 0), scope["client"] or ("", 0)
    path: bytes = scope["raw_path"]
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": (unquote_to_bytes(path) if b"%" in path else path).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": arrived.body.open(),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        IS_GONE: lambda: arrived.connection.has_left,
    }
    for name, value in scope["headers"]:
        # One with an underscore would be taken for another header, one that a proxy sets.
        if b"_" in name:
            continue
        key, text = name.decode("latin-1").upper().replace("-", "_"), value.decode("latin-1").strip(" \t")
        if key not in {"CONTENT_TYPE", "CONTENT_LENGTH"}:
            key = f"HTTP_{key}"
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    return environ
