"""An endpoint of webhooks: it keeps which games it was told to be finished, so that the webhooks have work too."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

import msgspec

from tests.benchmarks.own_service import HOST

FINISHED = "game.finished"


class Doorbell:
    """What was told so far; `url` is where."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._lock = Lock()
        self._told: set[str] = set()
        self.url = ""

    @property
    def told(self) -> frozenset[str]:
        """The games that it was told to be finished."""
        with self._lock:
            return frozenset(self._told)

    def ring(self, body: bytes) -> bytes:
        """Take what was sent; the answer's body, which agrees to be told."""
        told: Any = msgspec.json.decode(body)
        if told["type"] == FINISHED:
            with self._lock:
                self._told.add(told["data"]["game"])
        return str(told["data"].get("challenge", "")).encode()


class _Handler(BaseHTTPRequestHandler):
    doorbell: Doorbell

    def do_POST(self) -> None:
        answer = self.doorbell.ring(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Whoever rings may be killed while it does."""


@contextmanager
def doorbell() -> Iterator[Doorbell]:
    """An endpoint on loopback, for a while."""
    kept = Doorbell()
    server = _Server((HOST, 0), type("Handler", (_Handler,), {"doorbell": kept}))
    kept.url = f"http://{HOST}:{server.server_address[1]}/"
    thread = Thread(target=server.serve_forever, args=(0.1,), daemon=True)
    thread.start()
    try:
        yield kept
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
