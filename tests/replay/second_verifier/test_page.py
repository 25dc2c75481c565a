"""The page that the service serves: a record is chosen, verified in the browser, and sent nowhere."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from flask import Flask
from werkzeug.serving import make_server

from events.log.disclosure import ALL
from service.http.resources import pages
from tests.replay.second_verifier.genuine import signed_game
from tests.support.browser import Browser
from tests.support.second_verifier import FOLDER
from tests.support.servers import eventually

GENUINE = signed_game("the-duel")
RECORD = b"".join(GENUINE.record(ALL))
KEY = str(GENUINE.trust.keys[0])


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Serve the pages of the service and yield the address of the one that verifies."""
    app = Flask("pages", static_folder=None)
    app.register_blueprint(pages.blueprint)
    server = make_server("127.0.0.1", 0, app)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}/verify"
    server.shutdown()
    thread.join()


def verdict(browser: Browser, file: Path, key: str = "") -> str:
    """What the page says of a file."""
    browser.type("#record", str(file))
    if key:
        browser.type("#key", key)
    browser.click("#verify")
    eventually(lambda: not browser.run("return document.getElementById('result').hidden"), 60)
    text: str = browser.run("return document.getElementById('result').innerText")
    return text


def test_a_genuine_record_holds(browser: Browser, address: str, tmp_path: Path) -> None:
    """With the key pasted; plain and gzipped; and nothing that the page needs is refused by its policy."""
    plain, packed = tmp_path / "record.ndjson", tmp_path / "record.ndjson.gz"
    plain.write_bytes(RECORD)
    packed.write_bytes(gzip.compress(RECORD))

    for file in (plain, packed):
        browser.open(address)
        said = verdict(browser, file, KEY)
        assert "This record holds" in said
        assert "the key you gave" in said
        assert GENUINE.game.table.hash in said

    assert browser.complaints() == []


def test_a_changed_record_does_not_hold(browser: Browser, address: str, tmp_path: Path) -> None:
    """The finding names the version; markup in a record stays text."""
    file = tmp_path / "record.ndjson"
    file.write_bytes(RECORD.replace(b'"game":"game-23"', b'"game":"<img src=x onerror=alert(1)>"', 1))
    browser.open(address)

    said = verdict(browser, file, KEY)

    assert "This record does not hold" in said
    assert "<img src=x" in said
    assert browser.run("return document.images.length") == 0


def test_a_key_that_is_none_is_said(browser: Browser, address: str, tmp_path: Path) -> None:
    """That is the reader's mistake, not the record's."""
    file = tmp_path / "record.ndjson"
    file.write_bytes(RECORD)
    browser.open(address)

    assert "cannot be read" in verdict(browser, file, "fieldbook")


def test_the_page_can_be_used_with_the_keyboard_and_on_a_narrow_screen(
    browser: Browser, address: str
) -> None:
    """Every control has a name, can be reached, and nothing is wider than a telephone."""
    browser.devtools(
        "Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=1, mobile=True
    )
    browser.open(address)

    unnamed = browser.run(
        "return [...document.querySelectorAll('input, textarea')].filter(each => !each.labels.length).length"
    )
    assert unnamed == 0
    assert browser.run("return document.querySelectorAll('[tabindex]:not([tabindex=\"-1\"])').length") == 0
    assert browser.run("return document.documentElement.scrollWidth") == 360


def test_opened_as_a_file_the_page_says_how_to_use_it(browser: Browser) -> None:
    """Browsers load no modules from files."""
    browser.open((FOLDER / "index.html").as_uri())

    eventually(
        lambda: "python -m http.server" in browser.run("return document.getElementById('busy').innerText")
    )


def test_the_page_knows_no_other_place() -> None:
    """No address but its own: nothing is loaded from elsewhere, and nothing could be sent."""
    text = (FOLDER / "index.html").read_text(encoding="utf-8")

    assert text.count("://") == text.count("http://127.0.0.1:8001") == 1
    assert "fetch(" not in text
    assert "innerHTML" not in text


def test_the_policy_allows_only_what_is_on_the_page() -> None:
    """Scripts and styles by their hashes, the verifier from the same service, and nothing else."""
    app = Flask("pages", static_folder=None)
    app.register_blueprint(pages.blueprint)
    answer = app.test_client().get("/verify")
    policy = answer.headers["Content-Security-Policy"]

    assert policy.startswith("default-src 'none'; script-src 'self' 'sha256-")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    for module in ("verifier", "unknown"):
        assert app.test_client().get(f"/{module}.mjs").content_type == "text/javascript; charset=utf-8"
