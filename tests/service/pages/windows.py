"""Browser windows in which people play: what each of them received, and what was refused to it."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Response, sync_playwright

from tests.support.browser import BROWSER_REQUIRED, CHROMIUM
from tests.support.processes import Service

ARGUMENTS: Final = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage")
LAPTOP: Final = (1280, 900)
PHONE: Final = (360, 800)
PATIENCE: Final = 30_000
"""Milliseconds for which a window is waited for."""


class Window:
    """The page of a game, as one seat has it open."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        """Open it and wait until one can play."""
        self.context = context
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.complaints: list[str] = []
        self.refusals: list[tuple[int, str]] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("response", self._note_refusal)
        self.page.goto(address)
        self.page.wait_for_selector("#play-title")

    def _note_refusal(self, response: Response) -> None:
        if response.status >= httpx.codes.BAD_REQUEST:
            self.refusals.append((response.status, f"{response.url} {response.request.post_data}"))

    def settle(self) -> None:
        """Wait until nothing is on its way."""
        self.page.wait_for_selector("#playing:not([aria-busy=true])", state="attached")

    def is_awaited(self) -> bool:
        """Whether the page says that the table waits for this seat."""
        return self.page.locator("#playing.is-awaited").count() > 0

    def is_over(self) -> bool:
        """Whether the page shows how the game has ended."""
        return self.page.locator("#result").count() > 0

    def version(self) -> int:
        """The version that the window shows."""
        return int(self.page.locator("#version").input_value())


class Windows:
    """One browser and the windows of one game in it."""

    def __init__(self, browser: Browser, service: Service) -> None:
        """Nothing is open yet."""
        self._browser, self.service = browser, service
        self._contexts: list[BrowserContext] = []

    def game(self, system: str, people: Sequence[str], bots: int = 0, **settings: Any) -> dict[str, Any]:
        """Set a game up: people first, then bots. The answer to it."""
        seats: list[dict[str, Any]] = [{"name": name} for name in people]
        seats += [{"name": f"Bot {number}", "kind": "bot", "bot": "greedy"} for number in range(bots)]
        body = {"system": system, "seats": seats, **settings}
        made: dict[str, Any] = self.service.api.call(
            "POST", "/v1/games", body, token=self.service.key()
        ).json
        return made

    def open(self, game: dict[str, Any], seat: int, *, size: tuple[int, int] = LAPTOP, **more: Any) -> Window:
        """A window of a seat, in a browser of its own."""
        width, height = size
        context = self._browser.new_context(viewport={"width": width, "height": height}, **more)
        self._contexts.append(context)
        return Window(context, self.address(game, seat))

    def address(self, game: dict[str, Any], seat: int) -> str:
        """The link of a seat."""
        return f"http://127.0.0.1:{self.service.port}/games/{game['game']}#token={game['seats'][seat]['token']}"

    def close(self) -> None:
        """Close all windows."""
        for context in self._contexts:
            context.close()


@contextmanager
def open_chromium() -> Iterator[Browser]:
    """Run a browser; without one the test fails where one is required, and else is left out with the reason."""
    if CHROMIUM is None:
        if BROWSER_REQUIRED:
            pytest.fail("FIELDBOOK_REQUIRE_BROWSER=1, and there is no chromium on the path")
        pytest.skip("no chromium on the path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS])
        yield browser
        browser.close()


@contextmanager
def open_windows(folder: Path) -> Iterator[Windows]:
    """Run the whole service on this folder, and a browser."""
    with Service(folder) as service, open_chromium() as browser:
        service.environment["FIELDBOOK_LIMITS"] = "off"
        service.start("up")
        service.await_ready()
        windows = Windows(browser, service)
        yield windows
        windows.close()


def numbers_in(text: str) -> list[int]:
    """The numbers in a text."""
    return [int(each) for each in re.findall(r"\d+", text)]
