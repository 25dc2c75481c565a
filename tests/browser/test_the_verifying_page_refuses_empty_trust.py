"""The page that verifies a record: fields for keys, receipts and checkpoints that hold nothing usable."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.support.browser import Browser
from tests.support.record_files import recorded, write
from tests.support.second_verifier import FOLDER
from tests.support.servers import eventually
from tests.support.signed_files import SigningKey, head_text, signed

KEY = SigningKey(1)
LINES = recorded("ladybohn/ended-replaced")
RECORD = signed(LINES, KEY)
RECEIPT = KEY.note(head_text(LINES, 30))


LOADS = Event()
"""Set while the page may load the verifier."""


class Handler(SimpleHTTPRequestHandler):
    """Serve files; the verifier once it may be loaded."""

    def do_GET(self) -> None:
        """Serve a file."""
        if self.path == "/verifier.mjs":
            LOADS.wait(60)
        super().do_GET()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Serve the folder of the page as docs/verifying.md says, and yield the page's address."""
    LOADS.set()
    handler = partial(Handler, directory=str(FOLDER))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def verdict(browser: Browser, address: str, folder: Path, **fields: str) -> str:
    """Return the result that the page shows for the record with these fields filled in."""
    browser.open(address)
    browser.type("#record", str(write(folder / "record.ndjson", RECORD)))
    for name, value in fields.items():
        browser.run(f"document.getElementById({name!r}).value = {value!r}")
    eventually(lambda: not browser.run("return document.getElementById('verify').disabled"), 60)
    browser.click("#verify")
    eventually(lambda: not browser.run("return document.getElementById('result').hidden"), 60)
    return str(browser.run("return document.getElementById('result').innerText"))


@pytest.mark.parametrize("name", ["key", "checkpoint", "receipt"])
def test_a_field_with_nothing_usable_is_refused(
    browser: Browser, address: str, tmp_path: Path, name: str
) -> None:
    """Blanks or a comment are something given that demands nothing; an empty field is not given."""
    for value in (" \n ", "# my keys"):
        assert "cannot be read" in verdict(browser, address, tmp_path, **{name: value})


def test_what_was_pasted_from_a_file_counts(browser: Browser, address: str, tmp_path: Path) -> None:
    """With a byte order mark, line ends of another system, and blanks at the end."""
    key = f"\ufeff\r\n  {KEY.published} \r\n"
    said = verdict(browser, address, tmp_path, key=key, receipt=f"\ufeff{RECEIPT}\r\n ".replace("\n", "\r\n"))
    assert "This record holds" in said
    assert "the key you gave" in said
    assert "whether this is the game that was played: no receipt" not in said


def test_a_record_may_be_chosen_while_the_verifier_is_loading(
    browser: Browser, address: str, tmp_path: Path
) -> None:
    """On a slow connection it is verified as well."""
    LOADS.clear()
    browser.open(address)
    browser.type("#record", str(write(tmp_path / "record.ndjson", RECORD)))
    LOADS.set()
    eventually(lambda: not browser.run("return document.getElementById('verify').disabled"), 60)
