"""A witness of transparency logs in memory (C2SP tlog-witness), and the same over HTTP."""

from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Final, Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.transparency.checkpoint import Checkpoint, parse_checkpoint
from events.transparency.cosignature import cosign, witness_key
from events.transparency.log_proof import decode_hashes
from events.transparency.merkle_tree import check_consistency
from events.transparency.signed_note import VerifierKey, parse_note

SIZE: Final = "text/x.tlog.size"
PLAIN: Final = "text/plain; charset=utf-8"
Answered = tuple[int, bytes, str]
"""Status, body and content type."""


class Witness:
    """Co-signs the checkpoints of one log that it has seen growing."""

    def __init__(self, name: str, log: VerifierKey, now: Callable[[], float]) -> None:
        """Begin with a new key and an empty log."""
        self.private = Ed25519PrivateKey.generate()
        self.key = witness_key(name, self.private)
        self._log = log
        self._now = now
        self._last: Checkpoint | None = None

    def add_checkpoint(self, body: bytes) -> Answered:
        """Answer a request to co-sign."""
        head, _, signed = body.decode().partition("\n\n")
        old, *proof = head.split("\n")
        note = parse_note(signed)
        note.require([self._log])
        checkpoint = parse_checkpoint(note.text)
        size = 0 if self._last is None else self._last.size
        if old != f"old {size}":
            return 409, f"{size}\n".encode(), SIZE
        if self._last is not None and size:
            check_consistency(size, checkpoint.size, self._last.root, checkpoint.root, decode_hashes(proof))
        self._last = checkpoint
        return 200, cosign(note.text, self.key.name, self.private, int(self._now())).encode(), PLAIN


class RunningWitness:
    """A witness that answers over HTTP on loopback until this is left."""

    def __init__(self, witness: Witness, port: int = 0) -> None:
        """Start to listen; a port of 0 is chosen by the system."""

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                status, body, content_type = witness.add_checkpoint(self.rfile.read(length))
                self.send_response(status)
                self.send_header("Content-Type", content_type)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                """Print nothing."""

        self.key = witness.key
        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}"
        self._thread = Thread(target=self._server.serve_forever)
        self._thread.start()

    def __enter__(self) -> Self:
        """Return it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop it."""
        self.stop()

    def stop(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
