"""A server that answers as it is told, one answer after the other, and keeps what it was asked."""

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple, Self


class Told(NamedTuple):
    """An answer; without a status the connection is closed."""

    status: int = 0
    body: str = ""
    headers: Mapping[str, str] = {}


class CurtServer:
    """Listens on a loopback port; the last answer is given again and again.

    Attributes:
        asked: method, path and Idempotency-Key of each request so far.
    """

    def __init__(self, *answers: Told) -> None:
        """Prepare these answers."""
        self.asked: list[tuple[str, str, str | None]] = []
        left = list(answers)
        asked = self.asked

        class Handler(BaseHTTPRequestHandler):
            """Answers one connection."""

            def answer(self) -> None:
                """Say the next thing."""
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                asked.append((self.command, self.path, self.headers.get("Idempotency-Key")))
                status, body, headers = left.pop(0) if len(left) > 1 else left[0]
                self.close_connection = True
                if not status:
                    return
                self.send_response(status)
                for name, value in {"Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body.encode())

            do_GET = do_POST = answer  # noqa: N815 - the names that the base class looks up

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        """Start answering."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)
