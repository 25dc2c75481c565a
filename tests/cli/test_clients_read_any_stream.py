"""Both clients against a small HTTP server: how lines end, where chunks end, and answers that no Fieldbook gives.

The source for event streams is the HTML Living Standard, section 9.2.6 "Interpreting an event stream"; in NDJSON
only LF ends a line. U+2028, NEL (U+0085) and VT end no line in either, though `str.splitlines` splits at them.
"""

import json
import subprocess
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import pytest

from replay.client import Fieldbook, NotTheService
from tests.support.commands import fieldbook
from tests.support.second_verifier import node_program
from tests.support.servers import ROOT

ODD: Final = "a\u2028b\u2029c\u0085d\x0be\x0cf \N{SEEDLING} \N{LATIN SMALL LETTER E WITH ACUTE}"
"""A text with all characters that some languages take for the end of a line, and with characters of several bytes."""
PROXY_PAGE: Final = "<!doctype html><title>Please sign in</title>"
FOLLOW: Final = """
const { follow, Fieldbook } = await import(process.argv[2]);
const fieldbook = new Fieldbook(process.argv[1], "", { patience: 0 });
const frames = [];
try {
  for await (const frame of follow(fieldbook, "g")) frames.push(frame);
  console.log(JSON.stringify({ frames }));
} catch ({ name, message }) {
  console.log(JSON.stringify({ frames, name, message }));
}
process.exit(0);
"""
OPEN: Final = """
const { Fieldbook, linesOf } = await import(process.argv[2]);
const fieldbook = new Fieldbook(process.argv[1], "", { patience: 0 });
const lines = [];
try {
  for await (const line of linesOf(await fieldbook.open("/lines", "application/x-ndjson"))) lines.push(line);
  console.log(JSON.stringify({ lines }));
} catch ({ name, message }) {
  console.log(JSON.stringify({ lines, name, message }));
}
"""


@contextmanager
def answering(chunks: Iterable[bytes], content_type: str | None) -> Iterator[str]:
    """Yield the address of a server that answers every request with status 200 and these chunks."""
    pieces = list(chunks)

    class Handler(BaseHTTPRequestHandler):
        """Answers one request."""

        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            """Send the chunks, each by itself: a client gets each of them as a piece of its own."""
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.close_connection = True
            self.send_response(200)
            if content_type is not None:
                self.send_header("Content-Type", content_type)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for piece in pieces:
                self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
                self.wfile.flush()
            self.wfile.write(b"0\r\n\r\n")

        do_GET = do_POST = answer  # noqa: N815 - the names that the base class looks up

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def in_node(script: str, address: str) -> Any:
    """Return what a script prints that uses the JavaScript client."""
    package = (ROOT / "replay" / "javascript_client" / "index.js").as_uri()
    run = subprocess.run(
        [node_program(), "--input-type=module", "-e", script, address, package],
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stderr.decode()
    return json.loads(run.stdout)


def stream(end: str) -> str:
    """Return an event stream whose lines end like this."""
    data = json.dumps({"text": ODD}, ensure_ascii=False)
    lines = [
        *(": a comment", "", "retry: 10", "unknown: field", ""),
        *("id: 7-abcdef01", f"event:{ODD}", f"data: {data}", ""),
        *('data: {"two":', "data:  [1,", "data", "data:2]}", ""),
        *("event: nothing", ""),
        *("data", "data: 3", ""),
        *("event: end", "data: {}", ""),
        "data: [0]",
    ]
    return end.join(lines)


FRAMES: Final = [
    {"event": ODD, "id": "7-abcdef01", "data": {"text": ODD}},
    {"event": "message", "data": {"two": [1, 2]}},
    {"event": "message", "data": 3},
    {"event": "end", "data": {}},
]


@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "BOM"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("size", [1, 2, 3, 100_000])
def test_the_javascript_client_reads_every_event_stream_of_the_standard(
    end: str, size: int, mark: str
) -> None:
    """Lines end with LF, CRLF or CR and nothing else, wherever the chunks end, also within a CRLF or a character."""
    content = (mark + stream(end)).encode()
    chunks = [content[place : place + size] for place in range(0, len(content), size)]
    with answering(chunks, "text/event-stream; charset=utf-8") as address:
        assert in_node(FOLLOW, address) == {"frames": FRAMES}


@pytest.mark.parametrize(
    ("content_type", "named"),
    [
        ("text/html; charset=utf-8", "text/html"),
        ("application/json", "application/json"),
        (None, "no Content-Type"),
    ],
)
def test_the_javascript_client_says_that_an_answer_is_no_stream(content_type: str | None, named: str) -> None:
    """A page of a proxy ends it with an error that names what came and what to check, and is not asked for again."""
    with answering([PROXY_PAGE.encode()], content_type) as address:
        found = in_node(FOLLOW, address)
    assert found["name"] == "Unreachable"
    assert named in found["message"]
    assert "text/event-stream" in found["message"]
    assert address in found["message"]
    assert "proxy" in found["message"]


def test_the_javascript_client_says_that_the_data_of_an_event_is_not_json() -> None:
    """It does not ask again and again for a stream that it cannot read."""
    with answering([b"data: {}\n\ndata: <html>\n\n"], "text/event-stream") as address:
        found = in_node(FOLLOW, address)
    assert found["frames"] == [{"event": "message", "data": {}}]
    assert found["name"] == "Unreachable"
    assert "not JSON" in found["message"]


@pytest.mark.parametrize("size", [1, 2, 100_000])
def test_the_javascript_client_splits_ndjson_at_line_feeds_only(size: int) -> None:
    """A text with U+2028 stays in its line."""
    lines = [json.dumps({"text": ODD, "number": number}, ensure_ascii=False) for number in range(3)]
    content = "\n".join(lines).encode()
    chunks = [content[place : place + size] for place in range(0, len(content), size)]
    with answering(chunks, "application/x-ndjson") as address:
        assert in_node(OPEN, address) == {"lines": lines}
    with answering([PROXY_PAGE.encode()], "text/html") as address:
        found = in_node(OPEN, address)
    assert (found["lines"], found["name"]) == ([], "Unreachable")
    assert "text/html came instead of application/x-ndjson" in found["message"]


def test_the_python_client_keeps_odd_characters_in_their_texts() -> None:
    """Answers are JSON: no character in a text ends anything, wherever the chunks end."""
    body = json.dumps({"games": [], "next": None, "note": ODD}, ensure_ascii=False).encode()
    with answering([body[place : place + 1] for place in range(len(body))], "application/json") as address:
        assert list(Fieldbook(address, patience=0).games()) == []


def test_the_python_client_says_that_an_answer_is_no_answer_of_a_service() -> None:
    """A page of a proxy is a `NotTheService` that names the address and what came, no error of the JSON decoder."""
    for content in (PROXY_PAGE.encode(), b"\xff\xfe", b"[" * 100_000, b"{}"):
        with (
            answering([content], "text/html") as address,
            pytest.raises(NotTheService, match="bytes of text/html") as error,
        ):
            list(Fieldbook(address, patience=0).games())
        assert error.value.address == address


@pytest.mark.parametrize(
    "command",
    [
        ("replay", "log", "{address}/v1/games/g"),
        ("replay", "verify", "{address}/v1/games/g"),
        ("replay", "branch", "{address}/v1/games/g", "--at", "3"),
        ("replay", "annotate", "export", "{address}/v1/games/g", "-"),
        ("disputes", "--service", "{address}", "list"),
        ("disputes", "--service", "{address}", "show", "7f3c9a1e5b/1"),
    ],
    ids=" ".join,
)
def test_a_command_says_that_an_answer_is_no_answer_of_a_service(command: tuple[str, ...]) -> None:
    """It ends with an error in a sentence and without a traceback."""
    with answering([PROXY_PAGE.encode()], "text/html") as address:
        key = {"FIELDBOOK_KEY": "fbk_" + "0" * 48}
        run = fieldbook(*(each.format(address=address) for each in command), environment=key)
    assert run.returncode in {1, 2}, run.stdout
    assert "Traceback" not in run.stderr
    assert "No such" not in run.stderr
    assert run.stderr or "DOES NOT VERIFY" in run.stdout, run.stdout
