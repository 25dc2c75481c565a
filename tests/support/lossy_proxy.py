"""A proxy in front of a server that can swallow one reply, as a network failing at the wrong moment.

It can also be led to another server, as the address of a primary is after a failover.
"""

import contextlib
import socket
import threading
from typing import Self
from urllib.parse import unquote, urlsplit


class LossyProxy:
    """Listens on a loopback port and forwards to a server; `lose_next_reply` arms it once."""

    def __init__(self, url: str) -> None:
        """Prepare for the server at a `unix://` or `redis://` address."""
        self._target = url
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._armed = threading.Event()
        self._sockets: list[socket.socket] = [self._listener]
        self._threads: list[threading.Thread] = []
        self.lost = 0
        self.port: int = self._listener.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        """Start forwarding."""
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        """Close every connection and wait for the threads."""
        for one in self._sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        for thread in self._threads:
            thread.join(5)

    def lose_next_reply(self) -> None:
        """Swallow the next bytes that come from the server, and cut that connection."""
        self._armed.set()

    def lead_to(self, url: str) -> None:
        """Connect whoever comes from now on to another server; connections that are open stay where they are."""
        self._target = url

    def _start(self, target: object, *arguments: object) -> None:
        thread = threading.Thread(target=target, args=arguments, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                try:
                    server = self._connected()
                except OSError:
                    client.close()
                    continue
                self._sockets += [client, server]
                self._start(self._forward, client, server, False)  # noqa: FBT003
                self._start(self._forward, server, client, True)  # noqa: FBT003

    def _connected(self) -> socket.socket:
        parts = urlsplit(self._target)
        if parts.hostname is not None:
            return socket.create_connection((parts.hostname, parts.port or 6379))
        server = socket.socket(socket.AF_UNIX)
        server.connect(unquote(parts.path))
        return server

    def _forward(self, source: socket.socket, sink: socket.socket, is_reply: bool) -> None:  # noqa: FBT001
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if is_reply and self._armed.is_set():
                    self._armed.clear()
                    self.lost += 1
                    break
                sink.sendall(data)
        for one in (source, sink):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
