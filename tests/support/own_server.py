"""The server of the HTTP interface, with any application of WSGI, in this process and on a real socket."""

import asyncio
import socket
from contextlib import ExitStack, closing
from threading import Thread
from typing import Any, Final, Self

import uvloop

from service.server.web_server import WebServer, accept_at
from service.server.wsgi_bridge import Application

SECONDS: Final = 30


class OwnServer:
    """Serves until it is closed, or this is left."""

    def __init__(
        self, application: Application, *, threads: int = 4, connections: int = 100, **options: Any
    ) -> None:
        """Begin, with these options of the server."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._loop = uvloop.new_event_loop()
        self._stopping = asyncio.Event()
        self._clients = ExitStack()
        self._server = WebServer(application, threads=threads, connections=connections, **options)
        self._thread = Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        self._loop.run_until_complete(
            self._server.serve(
                [accept_at(self._listener)], self._stopping, beat=int, end_streams=int, stop_seconds=5.0
            )
        )
        self._loop.close()

    def connect(self, sent: bytes = b"", *, source: str = "127.0.0.1", buffer: int = 0) -> socket.socket:
        """A connection from this address, on which this was sent; it takes little where `buffer` is small."""
        client = self._clients.enter_context(closing(socket.socket()))
        client.settimeout(SECONDS)
        if buffer:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        client.bind((source, 0))
        client.connect(self._listener.getsockname())
        client.sendall(sent)
        return client

    @property
    def held(self) -> int:
        """How many connections the server has."""
        return len(self._server._state.connections)  # noqa: SLF001 - a client that reads nothing does not hear of it

    def close(self) -> None:
        """Stop as after SIGTERM."""
        if self._loop.is_closed():
            return
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(SECONDS)
        assert not self._thread.is_alive()
        self._listener.close()

    def leave(self) -> None:
        """Close what is open on the clients' side."""
        self._clients.close()

    def __enter__(self) -> Self:
        """Return the server."""
        return self

    def __exit__(self, *_: object) -> None:
        """Leave, and close."""
        self.leave()
        self.close()


def everything(client: socket.socket) -> bytes:
    """All that comes up to the end."""
    found = b""
    while part := client.recv(65536):
        found += part
    return found
