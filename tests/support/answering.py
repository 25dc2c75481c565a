"""An HTTP server of a test, on a port of its own on loopback, for what the service sends something to."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Protocol


class Kept(Protocol):
    """What such a server keeps of what it got."""

    port: int
    leaving: Event


@contextmanager
def answering(kept: Kept, handler: type[BaseHTTPRequestHandler]) -> Iterator[None]:
    """Answer for a while; the handler finds what it keeps things in as `kept`, and that where it answers."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Answering", (handler,), {"kept": kept}))
    server.daemon_threads = True
    kept.port = server.server_address[1]
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        kept.leaving.set()
        server.shutdown()
        server.server_close()
        thread.join()
