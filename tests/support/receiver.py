"""An integrator's endpoint for webhooks on loopback: it behaves as it is told, and keeps what it was sent."""

import base64
import hashlib
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from threading import Event, Lock
from typing import Any

from tests.support.answering import answering

HANG_SECONDS = 30.0
HUGE = 64 * 1024 * 1024
CHUNK = 65536
BLOCK = 64


@dataclass(frozen=True)
class Received:
    """One request."""

    path: str
    headers: dict[str, str]
    body: bytes
    at: float

    @property
    def id(self) -> str:
        """What names it, in every attempt."""
        return self.headers["webhook-id"]

    @property
    def json(self) -> Any:
        """The body."""
        return json.loads(self.body)

    @property
    def type(self) -> str:
        """What it tells."""
        return str(self.json["type"])


@dataclass
class Receiver:
    """The endpoint, and what it was sent; `ways` says how it answers doorbells, the last way for ever.

    `on_told` is called at each doorbell, before it is answered.
    """

    port: int = 0
    ways: list[str] = field(default_factory=lambda: ["ok"])
    challenges: str = "answer"
    received: list[Received] = field(default_factory=list)
    leaving: Event = field(default_factory=Event)
    redirected: str = ""
    written: int = 0
    on_told: Callable[[], object] | None = None
    _lock: Lock = field(default_factory=Lock)

    def url(self, path: str = "/hook") -> str:
        """The endpoint's address."""
        return f"http://127.0.0.1:{self.port}{path}"

    @property
    def told(self) -> list[Received]:
        """Everything but challenges."""
        return [each for each in list(self.received) if each.type != "webhook.verify"]

    def keep(self, request: Received) -> str:
        """Keep a request; returns the way in which it is answered."""
        with self._lock:
            self.received.append(request)
            if request.type == "webhook.verify":
                return self.challenges
            if self.on_told is not None:
                self.on_told()
            return self.ways.pop(0) if len(self.ways) > 1 else self.ways[0]


def signature_of(secret: str, received: Received) -> str:
    """The signature that a request must have, by the words of the specification and RFC 2104, without `hmac`."""
    key = base64.b64decode(secret.split("_")[1]).ljust(BLOCK, b"\0")
    inner, outer = bytes(each ^ 0x36 for each in key), bytes(each ^ 0x5C for each in key)
    signed = f"{received.id}.{received.headers['webhook-timestamp']}.".encode() + received.body
    digest = hashlib.sha256(outer + hashlib.sha256(inner + signed).digest()).digest()
    return "v1," + base64.b64encode(digest).decode()


class Handler(BaseHTTPRequestHandler):
    """Answers as the endpoint of its server is told to."""

    kept: Receiver

    def do_POST(self) -> None:
        """Keep a request, and answer it in its way."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        names = {name.lower(): value for name, value in self.headers.items()}
        request = Received(self.path, names, body, time.time())
        way = self.kept.keep(request)
        with suppress(OSError):
            if way.isdigit():
                self._send(int(way))
            else:
                getattr(self, f"answer_{way}")(request)

    def answer_answer(self, request: Received) -> None:
        """A challenge with itself."""
        self._send(200, request.json["data"]["challenge"].encode())

    def answer_echo(self, request: Received) -> None:
        """With what was sent."""
        self._send(200, request.body)

    def answer_ok(self, _request: Received) -> None:
        """Without a body."""
        self._send(204)

    def answer_redirect(self, _request: Received) -> None:
        """With another address."""
        self._send(307, Location=self.kept.redirected)

    def answer_busy(self, _request: Received) -> None:
        """With the wish to be left alone for a while."""
        self._send(503, b"", **{"Retry-After": "77"})

    def answer_huge(self, _request: Received) -> None:
        """With much more than anybody wants to read."""
        self.send_response(200)
        self.send_header("Content-Length", str(HUGE))
        self.end_headers()
        for _ in range(HUGE // CHUNK):
            self.wfile.write(b"x" * CHUNK)
            self.kept.written += CHUNK

    def answer_hang(self, _request: Received) -> None:
        """Not at all."""
        self.kept.leaving.wait(HANG_SECONDS)

    def answer_trickle(self, _request: Received) -> None:
        """A byte now and then, without end."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
        while not self.kept.leaving.wait(0.05):
            self.wfile.write(b"x")

    def answer_close(self, _request: Received) -> None:
        """By hanging up."""
        self.close_connection = True

    def answer_nonsense(self, _request: Received) -> None:
        """In another language than HTTP."""
        self.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n")

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def _send(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def receiver() -> Iterator[Receiver]:
    """An endpoint, for a while."""
    kept = Receiver()
    with answering(kept, Handler):
        yield kept
