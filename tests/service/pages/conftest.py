"""A service with all its processes and a browser, for the pages of a whole file of tests."""

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.service.pages.windows import Windows, open_windows
from tests.support.browser import BROWSER_REQUIRED, CHROMIUM

ARGUMENTS: Final = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start a browser; without one the test fails where one is required, and else is left out with the reason."""
    if CHROMIUM is None:
        if BROWSER_REQUIRED:
            pytest.fail("FIELDBOOK_REQUIRE_BROWSER=1, and there is no chromium on the path")
        pytest.skip("no chromium on the path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def shared_windows(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Windows]:
    """One service for all tests of a file."""
    with open_windows(chromium, tmp_path_factory.mktemp("playing")) as opened:
        yield opened


@pytest.fixture
def windows(shared_windows: Windows) -> Iterator[Windows]:
    """Without the windows of the test before."""
    yield shared_windows
    shared_windows.close()
