"""A network between a client and a service that loses replies: the request has counted, and nobody is told."""

import random
import socket
from contextlib import suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Lock, Thread
from typing import Self


class _Server(ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 256
    network: "LossyNetwork"


class _Forwarding(BaseRequestHandler):
    """One connection: what the client sends goes on at once, what the service answers only if it is not lost."""

    server: _Server

    def handle(self) -> None:
        with (
            suppress(OSError),
            socket.create_connection(("127.0.0.1", self.server.network.target), 60) as there,
        ):
            upwards = Thread(target=_forward, args=(self.request, there), daemon=True)
            upwards.start()
            there.settimeout(60)
            while data := there.recv(65536):
                if self.server.network.loses():
                    return
                self.request.sendall(data)


def _forward(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)


class LossyNetwork:
    """Listens on a port of this machine; a share of the replies is swallowed and the connection cut."""

    def __init__(self, target: int, share: float, seed: int = 1) -> None:
        """Forward to this port, and lose this share of what comes back."""
        self.target = target
        self.lost = 0
        self._share = share
        self._dice = random.Random(seed)
        self._lock = Lock()
        self._server = _Server(("127.0.0.1", 0), _Forwarding)
        self._server.network = self
        self.port: int = self._server.server_address[1]
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    def __enter__(self) -> Self:
        """Start forwarding."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop listening; what is under way ends with its connection."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def loses(self) -> bool:
        """Decide about one reply."""
        with self._lock:
            lost = self._dice.random() < self._share
            self.lost += lost
            return lost
