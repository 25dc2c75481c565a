"""An endpoint for webhooks: takes Fieldbook's requests, checks that they are Fieldbook's, and prints what happened.

Run it as `WEBHOOK_SECRET=whsec_... python webhook.py 9000`, behind something that speaks HTTPS. The secret is in the
answer to `POST /v1/webhooks`. It needs Python and nothing else.
"""

import base64
import hmac
import json
import os
import sys
import time
from email.message import Message
from http.server import BaseHTTPRequestHandler, HTTPServer

TOLERANCE = 5 * 60
"""Seconds by which a request's time may differ from ours; older ones are somebody's who has kept them."""


def is_genuine(secret: str, headers: Message, body: bytes, now: float) -> bool:
    """Whether a request was signed with our secret, just now."""
    message, seconds = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not seconds.isdigit() or abs(now - int(seconds)) > TOLERANCE:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, f"{message}.{seconds}.".encode() + body, "sha256")
    expected = "v1," + base64.b64encode(digest).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(each.encode(), expected.encode()) for each in signatures)


class Endpoint(BaseHTTPRequestHandler):
    """Answers at once; what takes long is done later, for Fieldbook waits five seconds."""

    seen: set[str] = set()  # noqa: RUF012 - a real one keeps them in its database

    def do_POST(self) -> None:
        """Take one request."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_genuine(os.environ["WEBHOOK_SECRET"], self.headers, body, time.time()):
            self.answer(401)
            return
        told = json.loads(body)
        if told["type"] == "webhook.verify":
            self.answer(200, told["data"]["challenge"].encode())
            return
        if self.headers["webhook-id"] not in self.seen:  # the same may come twice
            self.seen.add(self.headers["webhook-id"])
            data = told["data"]
            sys.stdout.write(f"{told['type']} {data['game']} {data['waiting_for']}\n")
            sys.stdout.flush()
        self.answer(200)

    def answer(self, status: int, body: bytes = b"") -> None:
        """Send an answer."""
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    HTTPServer(("127.0.0.1", int(sys.argv[1])), Endpoint).serve_forever()
