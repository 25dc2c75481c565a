"""The JavaScript client reads the same `trust` in the same way, whether it checks a record or a live game.

Source: docs/verifying.md: in what a reader brings, one byte order mark, CR LF line ends, and blanks and blank lines
count for nothing, and a file of keys has one a line; docs/clients.md: `CheckedGame` and `checkRecord` take a `trust`.
"""

import json
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import pytest

from tests.support.record_files import recorded
from tests.support.second_verifier import node_program
from tests.support.servers import ROOT
from tests.support.signed_files import SigningKey, head_text, signed

KEY: Final = SigningKey(1)
LINES: Final = recorded("ladybohn/ended-replaced")
RECORD: Final = signed(LINES, KEY)
KEYS: Final = f"{SigningKey(2).published}\n{KEY.published}\n"
RECEIPT: Final = KEY.note(head_text(LINES, 30))
BOM: Final = "\ufeff"
TRUST: Final = {
    "keys on lines of one text": {"keys": [KEYS]},
    "keys with a byte order mark, CR LF and blanks": {"keys": [BOM + KEYS.replace("\n", " \r\n") + "\r\n"]},
    "a receipt with a byte order mark and CR LF": {"receipts": [BOM + RECEIPT.replace("\n", "\r\n")]},
    "a receipt with blanks at the end": {"keys": [KEYS], "receipts": [RECEIPT + " \t\n\n"]},
}
CHECK: Final = """
const { CheckedGame, checkRecord, Fieldbook } = await import(process.argv[2]);
const fieldbook = new Fieldbook(process.argv[1], "", { patience: 0 });
const trust = JSON.parse(process.argv[3]);
const said = (work) => work.then(() => "holds", ({ message }) => message);
const live = said(new CheckedGame(fieldbook, "g", trust).begin());
console.log(JSON.stringify({ live: await live, record: await said(checkRecord(fieldbook, "g", trust)) }));
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Serve the record and the key, as a service does."""
    keys = json.dumps({"keys": [{"key": KEY.published}]}).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """Send the keys or the record."""
            is_keys = self.path == "/v1/signing-keys"
            body = keys if is_keys else RECORD
            self.send_response(200)
            self.send_header("Content-Type", "application/json" if is_keys else "application/x-ndjson")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def checked(address: str, trust: dict[str, Any]) -> dict[str, str]:
    """Return what the live check and that of the record say."""
    package = (ROOT / "replay" / "javascript_client" / "index.js").as_uri()
    run = subprocess.run(
        [node_program(), "--input-type=module", "-e", CHECK, address, package, json.dumps(trust)],
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stderr.decode()
    found: dict[str, str] = json.loads(run.stdout)
    return found


@pytest.mark.parametrize("written", TRUST)
def test_both_checks_accept_the_same_trust(address: str, written: str) -> None:
    """An editor or another operating system may have changed the text."""
    assert checked(address, TRUST[written]) == {"live": "holds", "record": "holds"}


@pytest.mark.parametrize("trust", [{"keys": ["x"]}, {"keys": [" \n"]}, {"receipts": ["hello"]}])
def test_both_checks_refuse_the_same_trust(address: str, trust: dict[str, Any]) -> None:
    """With the same message."""
    said = checked(address, trust)
    assert said["live"] == said["record"] != "holds"
