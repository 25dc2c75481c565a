"""Commands that take an address, where something other than a Fieldbook service answers.

Source: issue 43, item 16: a redirect or an HTML page ended in a traceback with status 1. Status 1 means that
a service refuses; here nothing of the service has answered, so the status is 2 and the message says what did.
"""

import gzip
import re
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.commands import fieldbook

LOGIN = "https://login.example.org/start"
PAGE = b"<!doctype html><html><head><title>Sign in \x1b[2J</title></head><body>please</body></html>"
COMMANDS = {
    "disputes list": "disputes --service {0} list",
    "disputes show": "disputes --service {0} show 7f3c9a1e5b/1",
    "disputes evidence": "disputes --service {0} show 7f3c9a1e5b/1 --evidence markdown",
    "disputes open": "disputes --service {0} open 7f3c9a1e5b --version 3 --reason not_agreed --text x",
    "replay show": "replay show {0}/v1/games/7f3c9a1e5b",
    "replay log --follow": "replay log {0}/v1/games/7f3c9a1e5b --follow",
    "annotate export": "replay annotate export {0}/v1/games/7f3c9a1e5b --file {1}/notes.ndjson",
    "annotate import": "replay annotate import {0}/v1/games/7f3c9a1e5b --file docs/examples/notes.ndjson",
}
"""Every command that asks a service; {0} is the address, {1} a folder."""


def http(
    status: str, content_type: str = "", body: bytes = b"", *lines: str, length: int | None = None
) -> bytes:
    """Return the bytes of an answer."""
    head = [f"HTTP/1.1 {status}", *lines, f"Content-Length: {len(body) if length is None else length}"]
    if content_type:
        head.append(f"Content-Type: {content_type}")
    return "\r\n".join([*head, "Connection: close", "", ""]).encode() + body


ANSWERS = {
    "redirect": (http("302 Found", "text/html", b"moved", f"Location: {LOGIN}"), LOGIN),
    "permanent redirect": (http("308 Permanent Redirect", "", b"", f"Location: {LOGIN}"), LOGIN),
    "redirect without a place": (http("301 Moved Permanently"), "301"),
    "page": (http("200 OK", "text/html; charset=utf-8", PAGE), "Sign in"),
    "page that is refused": (http("403 Forbidden", "text/html", PAGE), "Sign in"),
    "page that is not found": (http("404 Not Found", "text/html", PAGE), "Sign in"),
    "page of a proxy": (http("500 Internal Server Error", "text/html", PAGE), "Sign in"),
    "busy proxy": (http("502 Bad Gateway", "text/html", PAGE, "Retry-After: 3600"), "Sign in"),
    "empty": (http("200 OK", "application/json"), "no content"),
    "no content": (http("204 No Content"), "204"),
    "truncated JSON": (http("200 OK", "application/json", b'{"disputes":['), "cannot be read"),
    "other JSON": (http("200 OK", "application/json", b'{"hello":"world"}'), "hello"),
    "deep JSON": (http("200 OK", "application/json", b"[" * 100_000), "cannot be read"),
    "UTF-16": (http("200 OK", "application/json", '{"disputes":[]}'.encode("utf-16")), "cannot be read"),
    "compressed": (
        http("200 OK", "application/json", gzip.compress(b"{}", mtime=0), "Content-Encoding: gzip"),
        "compressed with gzip",
    ),
    "no HTTP": (b"220 mail.example.org ESMTP\r\n", "does not answer"),
    "TLS": (b"\x15\x03\x01\x00\x02\x02\x16", "does not answer"),
}
"""What answers, and a part of the message."""


@contextmanager
def answering(answer: bytes) -> Iterator[str]:
    """Answer every connection with these bytes; yields the address."""

    class Handler(socketserver.StreamRequestHandler):
        """Answers one connection."""

        def handle(self) -> None:
            """Read the request to its end, and answer."""
            length = 0
            while line := self.rfile.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.partition(b":")[2])
            self.rfile.read(length)
            self.wfile.write(answer)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join(10)


@pytest.mark.parametrize("answer", ANSWERS)
def test_disputes_say_what_answered(answer: str) -> None:
    """Status 2, one line with what answered, and nothing in it that restyles the terminal."""
    content, message = ANSWERS[answer]
    with answering(content) as address:
        ended = fieldbook("disputes", "--service", address, "list")

    assert ended.returncode == 2, ended.stderr
    assert message in ended.stderr
    assert address in ended.stderr
    assert "Traceback" not in ended.stderr
    assert "\x1b" not in ended.stderr


@pytest.mark.parametrize("command", [command for command in COMMANDS if command != "disputes list"])
@pytest.mark.parametrize("answer", ["redirect", "page"])
def test_every_command_says_what_answered(command: str, answer: str, tmp_path: Path) -> None:
    """The same for every command with an address; nothing is written."""
    content, message = ANSWERS[answer]
    with answering(content) as address:
        ended = fieldbook(*COMMANDS[command].format(address, tmp_path).split())

    assert ended.returncode == 2, ended.stderr
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_answer_that_is_cut_off_is_no_answer() -> None:
    """A connection that breaks in the middle of every answer is retried, and then named."""
    with answering(http("200 OK", "application/json", b'{"disputes":[]}', length=900)) as address:
        ended = fieldbook("disputes", "--service", address, "list")

    assert ended.returncode == 2, ended.stderr
    assert "does not answer" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    "address", ["https://{}", "http://a..b", "http://[::1", "http://127.0.0.1:99999", "ftp://x"]
)
def test_an_address_that_cannot_be_asked_is_named(address: str) -> None:
    """TLS on a plain port, and addresses that are none."""
    with answering(http("200 OK")) as plain:
        ended = fieldbook("disputes", "--service", address.format(re.sub("^http://", "", plain)), "list")

    assert ended.returncode == 2, ended.stderr
    assert "Traceback" not in ended.stderr
    assert len(ended.stderr.strip().splitlines()) <= 4


@pytest.mark.parametrize(("answer", "message"), [("redirect", LOGIN), ("page", "text/html")])
def test_a_page_is_not_taken_for_a_service_that_is_ready(answer: str, message: str) -> None:
    """`ready` asks for whoever restarts the service: a sign-in page with 200 is not the service."""
    with answering(ANSWERS[answer][0]) as address:
        ended = fieldbook("ready", "--at", address)

    assert ended.returncode == 1, ended.stdout
    assert message in ended.stdout


def test_a_refusal_of_the_service_is_still_a_finding() -> None:
    """A problem document is the service's own answer: status 1 with its code."""
    body = b'{"status":403,"code":"not_permitted","detail":"This key may not arbitrate."}'
    with answering(http("403 Forbidden", "application/problem+json", body)) as address:
        ended = fieldbook("disputes", "--service", address, "list")

    assert ended.returncode == 1, ended.stderr
    assert "not_permitted" in ended.stderr
