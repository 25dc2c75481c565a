"""An endpoint for webhooks: checks that a request is from Fieldbook, and prints what happened.

Run it as `WEBHOOK_SECRET=whsec_... python webhook.py 9000`, behind a proxy that speaks HTTPS. The secret is in the
answer to `POST /v1/webhooks`. It needs Python and nothing else.
"""

import base64
import hmac
import json
import os
import re
import sys
import time
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE = 5 * 60
"""Seconds by which a request's time may differ from ours: an older request may be a copy of a genuine one."""
MAX_BODY = 1_000_000
NUMBER = re.compile(r"[0-9]{1,15}")
"""`str.isdigit` also takes digits that `int` refuses, such as a superscript two."""


def is_genuine(key: bytes, headers: Message, body: bytes, now: float) -> bool:
    """Return whether a request was signed with our key, just now."""
    message, seconds = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not message or not NUMBER.fullmatch(seconds) or abs(now - int(seconds)) > TOLERANCE:
        return False
    digest = hmac.digest(key, f"{message}.{seconds}.".encode() + body, "sha256")
    expected = "v1," + base64.b64encode(digest).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(each.encode(), expected.encode()) for each in signatures)


class Endpoint(BaseHTTPRequestHandler):
    """Answers at once; slow work is done later, because Fieldbook waits five seconds."""

    timeout = 5  # seconds for which a client may send nothing
    key = b""
    seen: set[str] = set()  # noqa: RUF012 - a real endpoint keeps them in its database

    def do_POST(self) -> None:
        """Take one request."""
        length = self.headers.get("Content-Length", "")
        if not length or "Transfer-Encoding" in self.headers:
            self.answer(411)
            return
        if not NUMBER.fullmatch(length):
            self.answer(400)
            return
        if int(length) > MAX_BODY:
            self.answer(413)
            return
        body = self.rfile.read(int(length))
        if len(body) < int(length) or not is_genuine(self.key, self.headers, body, time.time()):
            self.answer(401)
            return
        event = json.loads(body)
        if event["type"] == "webhook.verify":
            self.answer(200, event["data"]["challenge"].encode())
            return
        if self.headers["webhook-id"] not in self.seen:  # the same may come twice
            self.seen.add(self.headers["webhook-id"])
            data = event["data"]
            sys.stdout.write(f"{event['type']} {data['game']} {data['waiting_for']}\n")
            sys.stdout.flush()
        self.answer(200)

    def answer(self, status: int, body: bytes = b"") -> None:
        """Send an answer."""
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    Endpoint.key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"), validate=True)
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Endpoint).serve_forever()
