"""docs/examples/webhook.py as a running process: genuine requests, and those of strangers.

The signature is that of Standard Webhooks; lengths are those of RFC 9112, section 6.
"""

import base64
import hmac
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.support.processes import free_port
from tests.support.servers import ROOT, eventually

KEY: Final = b"k" * 24
BODY: Final = json.dumps({"type": "game.turn", "data": {"game": "g", "waiting_for": [1]}}).encode()
TIMEOUT_SECONDS: Final = 20


@dataclass(frozen=True)
class Running:
    """The example as a process, with everything that it printed in a file."""

    port: int
    printed: Path

    def send(self, request: bytes) -> str:
        """Send bytes and return the status of the answer; "" where the connection is closed without one."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT_SECONDS) as connection:
            connection.sendall(request)
            answer = b""
            while b"\r\n" not in answer and (more := connection.recv(4096)):
                answer += more
        found = re.match(rb"HTTP/1\.[01] ([0-9]{3}) ", answer)
        return found[1].decode() if found else ""

    def post(self, body: bytes = BODY, **headers: str | None) -> str:
        """Send a genuine request with some of its headers replaced, or left out where they are None."""
        seconds = str(int(time.time()))
        given = {"webhook_id": "msg-1", "webhook_timestamp": seconds, "content_length": str(len(body))}
        given |= {name: value for name, value in headers.items() if value is not None}
        signed = f"{given['webhook_id']}.{given['webhook_timestamp']}.".encode() + body
        given.setdefault("webhook_signature", signature(signed))
        left = {name: value for name, value in given.items() if headers.get(name, "") is not None}
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in left.items())
        return self.send(b"POST / HTTP/1.1\r\nHost: localhost\r\n" + lines.encode() + b"\r\n" + body)


def signature(signed: bytes) -> str:
    """Return the signature of a request."""
    return "v1," + base64.b64encode(hmac.digest(KEY, signed, "sha256")).decode()


@pytest.fixture
def example(tmp_path: Path) -> Iterator[Running]:
    """Run the example; it is alive at the end, and has printed no traceback."""
    port = free_port()
    printed = tmp_path / "printed"
    with printed.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "docs" / "examples" / "webhook.py"), str(port)],
            env={**os.environ, "WEBHOOK_SECRET": f"whsec_{base64.b64encode(KEY).decode()}"},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        eventually(lambda: accepts(port))
        running = Running(port, printed)
        yield running
        assert running.post() == "200", "it still answers"
        assert process.poll() is None
        assert "Traceback" not in printed.read_text("utf-8")
    finally:
        process.terminate()
        process.wait(TIMEOUT_SECONDS)


def accepts(port: int) -> bool:
    """Return whether a server listens."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_SECONDS).close()
    except ConnectionRefusedError:
        return False
    return True


def test_a_genuine_request_is_taken_once(example: Running) -> None:
    """The same message may come twice; a challenge is answered."""
    assert [example.post(), example.post(), example.post(webhook_id="msg-2")] == ["200"] * 3
    assert example.printed.read_text("utf-8").count("game.turn g [1]\n") == 2
    assert (
        example.post(webhook_signature=f"v1,old v2,other {'x' * 500}", content_length=str(len(BODY))) == "401"
    )
    challenge = json.dumps({"type": "webhook.verify", "data": {"challenge": "c"}}).encode()
    assert example.post(challenge) == "200"


@pytest.mark.parametrize(
    "seconds",
    [
        *(
            "\N{SUPERSCRIPT TWO}",
            "\N{ARABIC-INDIC DIGIT FOUR}" * 10,
            "9" * 5000,
            "-1",
            "1e9",
            "1_000",
            "+1",
            " ",
            "now",
        ),
        *("0", "1", str(int(time.time()) - 301), str(int(time.time()) + 1_000_000), None),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_a_wrong_or_old_timestamp_is_refused(example: Running, seconds: str | None) -> None:
    """A signature over it does not help: the time has passed, or is no time."""
    assert example.post(webhook_timestamp=seconds) == "401"


@pytest.mark.parametrize(
    "signed",
    [
        *(
            None,
            "",
            " ",
            "v1,",
            "v1",
            "v1,AAAA",
            "v1," + "A" * 5000,
            "v1,\N{SUPERSCRIPT TWO}",
            "v2," + "A" * 44,
        )
    ],
    ids=lambda value: repr(value)[:20],
)
def test_a_wrong_signature_is_refused(example: Running, signed: str | None) -> None:
    """Whatever its length and its characters are; so is a request without an id."""
    assert example.post(webhook_signature=signed) == "401"
    assert example.post(webhook_id=None) == "401"


@pytest.mark.parametrize(
    ("length", "status"),
    [
        *[(each, "400") for each in ("-1", "+5", "1_0", "\N{SUPERSCRIPT TWO}", "0x10", "many", "9" * 5000)],
        *[(each, "413") for each in ("1000001", "9" * 15)],
        (None, "411"),
        ("", "411"),
        ("0", "401"),
        ("10", "401"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_a_wrong_length_is_answered_at_once(example: Running, length: str | None, status: str) -> None:
    """Nothing is read without an end: a negative length would be read until the client closes."""
    assert example.post(content_length=length) == status


def test_a_body_in_chunks_is_refused_and_a_short_one_is_no_hang(example: Running) -> None:
    """Fieldbook sends a length. A client that stops in the middle does not keep others waiting."""
    assert example.post(transfer_encoding="chunked") == "411"
    with socket.create_connection(("127.0.0.1", example.port), timeout=TIMEOUT_SECONDS) as stalled:
        stalled.sendall(b"POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\nshort")
        assert example.post() == "200"
        assert stalled.recv(100) == b"", "it is closed after a while"
    assert example.send(b"GET / HTTP/1.1\r\n\r\n") == "501"
