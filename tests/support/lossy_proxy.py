"""A proxy that fails as a network does: it loses replies, holds everything back, leads to another server."""

import contextlib
import random
import socket
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Self
from urllib.parse import unquote, urlsplit

CHUNK = 65536
NO_LOSS = 0.0


class LossyProxy:
    """Listens on a loopback port and forwards to a server's address, unharmed until told otherwise.

    Attributes:
        lost: how many replies were swallowed so far.
        passed: how many bytes of replies were passed on so far.
        delay: how many seconds each reply takes longer.
        target: the address of the server that new connections are led to; it may be changed at any time.
    """

    def __init__(self, url: str, seed: int = 1) -> None:
        """Prepare for the server at a `unix://` or `redis://` address; the seed decides which replies get lost."""
        self.target = url
        self.lost = 0
        self.passed = 0
        self.delay = 0.0
        self._dice = random.Random(seed)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._lock = threading.Lock()
        self._to_pass, self._to_lose = 0, 0
        self._share = NO_LOSS
        self._open = threading.Event()
        self._open.set()
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self.port: int = self._listener.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        """Start forwarding."""
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        """Close every connection and wait for the threads."""
        self._open.set()
        _close(self._listener)
        self.cut()
        for thread in self._threads:
            thread.join(5)

    def lose_next_reply(self, count: int = 1, *, after: int = 0) -> None:
        """Swallow so many of the replies of the server that come after some, and cut the connection of each."""
        with self._lock:
            self._to_pass, self._to_lose = after, count

    def lose_replies(self, share: float) -> None:
        """From now on swallow each reply with this probability, and cut its connection; 0 ends it."""
        with self._lock:
            self._share = share

    def pause(self) -> None:
        """Pass nothing on, in neither direction, until `resume`; connections stay open."""
        self._open.clear()

    def resume(self) -> None:
        """Pass on what was held back and all that follows."""
        self._open.set()

    def cut(self) -> None:
        """Cut every connection, so that clients come again, to the target of now."""
        with self._lock:
            sockets, self._sockets = self._sockets, []
        for one in sockets:
            _close(one)

    def _start(self, run: Callable[[], None]) -> None:
        thread = threading.Thread(target=run, daemon=True)
        self._threads = [each for each in self._threads if each.is_alive()]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                server = _connected(self.target)
            except OSError:
                # As where nobody listens: the client loses its connection at once.
                _close(client)
                continue
            with self._lock:
                self._sockets = [each for each in self._sockets if each.fileno() >= 0]
                self._sockets += [client, server]
            self._start(partial(self._forward, client, server, _is_kept))
            self._start(partial(self._forward, server, client, self._is_lost))

    def _forward(self, source: socket.socket, sink: socket.socket, is_lost: Callable[[int], bool]) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(CHUNK):
                self._open.wait()
                if is_lost(len(data)):
                    break
                sink.sendall(data)
        for one in (source, sink):
            _close(one)

    def _is_lost(self, size: int) -> bool:
        with self._lock:
            self.passed += size
            delay = self.delay
        if delay:
            time.sleep(delay)
        with self._lock:
            if self._to_pass > 0:
                self._to_pass -= 1
                return False
            lost = self._to_lose > 0 or (self._share > NO_LOSS and self._dice.random() < self._share)
            self._to_lose = max(0, self._to_lose - 1)
            self.lost += lost
            return lost


def _is_kept(_size: int) -> bool:
    """What is asked about requests: none is swallowed."""
    return False


def _connected(url: str) -> socket.socket:
    parts = urlsplit(url)
    if parts.scheme == "unix":
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(unquote(parts.path))
        except OSError:
            server.close()
            raise
        return server
    return socket.create_connection((parts.hostname, parts.port), timeout=None)


def _close(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
