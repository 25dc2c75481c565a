"""Chromium without a screen, driven by Playwright as people do; and what its pages complained about and received."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, Response, expect, sync_playwright

from tests.support.browser import BROWSER_REQUIRED, CHROMIUM

PHONE, LAPTOP, SCREEN = (360, 800), (1280, 900), (1920, 1080)
SECONDS: Final = 30
"""For which a page is waited for at most."""
expect.set_options(timeout=SECONDS * 1000)
ROOMS: Final[tuple[Literal["dark", "light"], ...]] = ("dark", "light")
"""The last one is how a page looks that nobody has asked for another."""
_PAINTED: Final = """async ([room, seconds]) => {
  const frame = () => new Promise((painted, refuse) => {
    requestAnimationFrame(painted);
    setTimeout(() => refuse(new Error(`nothing was painted in ${seconds} s`)), seconds * 1000);
  });
  do await frame(); while (!matchMedia(`(prefers-color-scheme: ${room})`).matches);
  await frame();
  const turning = document.getAnimations().filter((each) => each instanceof CSSTransition);
  await Promise.allSettled(turning.map((each) => each.finished));
  await frame();
}"""
"""Waits until a page looks as it does in a room."""
_EXPECTED: Final = re.compile(r"Failed to load resource: the server responded with a status of")
"""What Chromium says by itself where the service refuses; that a page does with it what it should, tests ask."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Start a browser; without one the test fails where one is required, and else is left out with the reason."""
    if CHROMIUM is None:
        if BROWSER_REQUIRED:
            pytest.fail("FIELDBOOK_REQUIRE_BROWSER=1, and there is no chromium on the path")
        pytest.skip("no chromium on the path")
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()


def violations_on(page: Page) -> list[str]:
    """What keeps somebody from using a page as it is now, light and dark (axe-core), each with its element."""
    found = []
    for room in ROOMS:
        page.emulate_media(color_scheme=room)
        page.evaluate(_PAINTED, [room, SECONDS])
        broken = Axe().run(page).response["violations"]
        found += [f"{room}: {each['id']}: {node['html']}" for each in broken for node in each["nodes"]]
    return found


class Reader:
    """Somebody with a browser of their own: nothing in it is another reader's.

    Attributes:
        page: the window.
        answers: all answers of the service, as far as they have come.
    """

    def __init__(self, context: BrowserContext) -> None:
        """Open a window."""
        self.page: Page = context.new_page()
        self.page.set_default_timeout(SECONDS * 1000)
        self.answers: list[Response] = []
        self._complaints: list[str] = []
        self.page.on("console", lambda message: self._hear(message.type, message.text))
        self.page.on("pageerror", lambda error: self._complaints.append(str(error)))
        self.page.on("response", lambda response: self.answers.append(response))  # noqa: PLW0108 - it takes no method

    def received(self) -> list[bytes]:
        """What the page that is open was answered, but for streams; what an earlier page was, the browser forgets."""
        whole = [each for each in self.answers if "event-stream" not in each.headers.get("content-type", "")]
        return [each.body() for each in whole if each.ok]

    def complaints(self) -> list[str]:
        """Errors and warnings that the page has brought about."""
        return self._complaints

    def violations(self) -> list[str]:
        """What keeps somebody from using the page as it is now."""
        return violations_on(self.page)

    def is_too_wide(self) -> bool:
        """Whether one has to scroll sideways."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))

    def _hear(self, kind: str, text: str) -> None:
        if kind in {"error", "warning"} and not _EXPECTED.match(text):
            self._complaints.append(text)


@contextmanager
def reader(browser: Browser, size: tuple[int, int] = LAPTOP, language: str = "en-GB") -> Iterator[Reader]:
    """Somebody with a window of this size, whose browser speaks this language; no page of theirs may complain."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, locale=language)
    try:
        someone = Reader(context)
        yield someone
        assert someone.complaints() == []
    finally:
        context.close()
