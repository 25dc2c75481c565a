"""The reference page: every operation is on it, in a browser, with nothing asked of any other address."""

from collections.abc import Iterator
from threading import Thread
from urllib.parse import urlsplit

import pytest
from werkzeug.serving import make_server

from service.http.app import application_of_resources
from service.http.resources import reference_page
from service.openapi import contract
from tests.support.browser import Browser
from tests.support.servers import eventually

METHODS = {"get", "post", "put", "patch", "delete"}
DESKTOP, PHONE = (1280, 900), (360, 740)


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    """Serve the pages of the service and yield where."""
    server = make_server("127.0.0.1", 0, application_of_resources())
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()


def opened(browser: Browser, address: str, size: tuple[int, int]) -> None:
    """Open the page in a window of this size and wait until the contract is shown."""
    width, height = size
    browser.devtools(
        "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
    )
    browser.open(address)
    eventually(lambda: browser.run("return document.querySelectorAll('.opblock').length") > 0, 120)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_every_operation_is_on_the_page_and_nothing_is_asked_elsewhere(
    browser: Browser, origin: str, size: tuple[int, int]
) -> None:
    """No complaint in the console, so its policy refuses nothing that it needs; no wider than the window."""
    opened(browser, f"{origin}/docs", size)

    shown = browser.run("return document.querySelectorAll('.opblock').length")
    asked = browser.run("return performance.getEntriesByType('resource').map(each => each.name)")
    described = contract()
    places = (*described["paths"].values(), *described["webhooks"].values())
    assert shown == sum(len(METHODS & set(operations)) for operations in places)
    assert {urlsplit(each).netloc for each in asked if not each.startswith("data:")} == {
        urlsplit(origin).netloc
    }
    assert browser.complaints() == []
    assert browser.run("return document.documentElement.scrollWidth") <= size[0]
    assert "Fieldbook" in browser.run("return document.title")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_page_begins_with_the_operations(browser: Browser, origin: str, size: tuple[int, int]) -> None:
    """The first one stands on the first screen; what is said about all of them is folded, and opens."""
    opened(browser, f"{origin}/docs", size)
    eventually(lambda: bool(browser.run("return !!document.querySelector('.info details > summary')")), 60)

    first = "return document.querySelector('.opblock').getBoundingClientRect().bottom"
    assert browser.run(first) <= size[1]
    assert not browser.run("return document.querySelector('.info details').open")
    browser.click(".info details > summary")
    assert "A game in five requests" in browser.run(
        "return document.querySelector('.info details').innerText"
    )
    assert "game_not_found" in browser.run("return document.querySelector('.info details').textContent")
    assert browser.complaints() == []


def test_an_operation_opens_with_what_it_answers(browser: Browser, origin: str) -> None:
    """A link to one operation shows it open."""
    opened(browser, f"{origin}/docs", DESKTOP)

    browser.click(".opblock-summary-control")
    eventually(
        lambda: bool(browser.run("return !!document.querySelector('.opblock.is-open .responses-wrapper')")),
        60,
    )

    assert browser.complaints() == []


def test_the_page_serves_its_own_files_only() -> None:
    """Nothing beyond the list, in whatever way it is asked for; what has not changed is not sent again."""
    client = application_of_resources().test_client()

    page = client.get("/docs")
    assert "script-src 'self';" in page.headers["Content-Security-Policy"]
    assert "<script>" not in page.text
    assert client.get("/docs", headers={"If-None-Match": page.headers["ETag"]}).status_code == 304
    for name in (*reference_page.FILES, "problems.md"):
        assert client.get(f"/docs/{name}").status_code == 200
