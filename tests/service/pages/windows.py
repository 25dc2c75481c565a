"""Browser windows in which people play: what each of them received, and what was refused to it."""

import json
from collections.abc import Callable, Iterator, Sequence, Sized
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import httpx
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Response, Route, expect

from tests.support.chromium import violations_on
from tests.support.processes import Service

LAPTOP: Final = (1280, 900)
PHONE: Final = (360, 800)
PATIENCE: Final = 30_000
"""Milliseconds for which a window is waited for."""
IN_SIGHT: Final = """
(element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2) === element;
}
"""
"""Whether nothing lies over the middle of an element."""
RECORDER: Final = """
window.received = [];
const real = window.fetch;
window.fetch = async (...asked) => {
  const response = await real(...asked);
  const copy = response.clone().body?.pipeThrough(new TextDecoderStream()).getReader();
  const note = async () => {
    for (let part = await copy.read(); !part.done; part = await copy.read()) window.received.push(part.value);
  };
  if (copy) note().catch(() => undefined);
  return response;
};
"""
"""Notes everything that the page's own requests are answered, streams too, before the page reads it."""


def await_so_many(page: Page, noted: Sized, count: int) -> None:
    """Wait until routes of a page have noted so much: they are heard while the page is waited for."""
    for _ in range(PATIENCE // 50):
        if len(noted) >= count:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"Only {len(noted)} of {count} were asked for.")


def lose_answers(keys: list[str]) -> Callable[[Route], None]:
    """Let the first request arrive and no other, and answer none; the keys of all are noted."""

    def lose(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()
        route.abort()

    return lose


class Window:
    """The page of a game, as one seat has it open.

    Attributes:
        refusals: the status and request of whatever the service refused this window.
        postponed: requests that it had no time for just then, and which the page sends again by itself.
        complaints: the errors of its scripts.
    """

    def __init__(self, context: BrowserContext, address: str) -> None:
        """Open it and wait until one can play."""
        self.context = context
        context.add_init_script(RECORDER)
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.complaints: list[str] = []
        self.refusals: list[tuple[int, str]] = []
        self.postponed: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("response", self._note_refusal)
        self.page.goto(address)
        self.page.wait_for_selector("#play-title")

    def _note_refusal(self, response: Response) -> None:
        if response.status == httpx.codes.SERVICE_UNAVAILABLE and "retry-after" in response.headers:
            self.postponed.append(response.url)
        elif response.status >= httpx.codes.BAD_REQUEST:
            self.refusals.append((response.status, f"{response.url} {response.request.post_data}"))

    def received(self) -> str:
        """Everything that the service has answered this window so far."""
        return "".join(self.page.evaluate("window.received"))

    def tables(self) -> list[dict[str, Any]]:
        """Every whole answer so far that is about the table, as JSON."""
        parts = self.page.evaluate("window.received")
        found = []
        for part in parts:
            # What comes in two parts may be cut anywhere, behind a brace too.
            with suppress(json.JSONDecodeError):
                found += [json.loads(part)] if part.startswith('{"game":') else []
        return found

    def settle(self) -> None:
        """Wait until nothing is on its way."""
        self.page.wait_for_selector("#playing:not([aria-busy=true])", state="attached")

    def act(self, kind: str) -> Locator:
        """The button of the first act of this kind."""
        return self.page.locator(f"[data-act={kind}]:visible").first

    def press(self, kind: str) -> None:
        """Do the first act of this kind."""
        self.act(kind).click()
        self.settle()

    def begin_trading(self) -> None:
        """Plant and reveal, with the buttons."""
        self.press("plant")
        self.press("reveal")
        expect(self.page.get_by_role("button", name="Make an offer")).to_be_visible()

    def own_cards(self) -> int:
        """How many cards lie in the hand of seat 0, as the window shows it."""
        return self.page.locator("[data-place^='hand:0:']").count()

    def is_awaited(self) -> bool:
        """Whether the page says that the table waits for this seat."""
        return self.page.locator("#playing.is-awaited").count() > 0

    def is_over(self) -> bool:
        """Whether the page shows how the game has ended."""
        return self.page.locator("#result").count() > 0

    def version(self) -> int:
        """The version that the window shows."""
        return int(self.page.locator("#version").input_value())

    def violations(self) -> list[str]:
        """What keeps people from using the page as it is now."""
        return violations_on(self.page)


class Windows:
    """One browser, and the windows of games in it."""

    def __init__(self, browser: Browser, service: Service) -> None:
        """Nothing is open yet."""
        self._browser, self.service = browser, service
        self._contexts: list[BrowserContext] = []
        self.key = service.key()

    def game(self, system: str, people: Sequence[str], bots: int = 0, **settings: Any) -> dict[str, Any]:
        """Set a game up, people first and then bots, and return the answer."""
        seats: list[dict[str, Any]] = [{"name": name} for name in people]
        seats += [{"name": f"Bot {number}", "kind": "bot", "bot": "greedy"} for number in range(bots)]
        body = {"system": system, "seats": seats, **settings}
        made: dict[str, Any] = self.service.api.call("POST", "/v1/games", body, token=self.key).json
        return made

    def open(self, game: dict[str, Any], seat: int, *, size: tuple[int, int] = LAPTOP, **more: Any) -> Window:
        """A window of a seat, in a browser of its own."""
        width, height = size
        context = self._browser.new_context(viewport={"width": width, "height": height}, **more)
        self._contexts.append(context)
        return Window(context, self.address(game, seat))

    def address(self, game: dict[str, Any], seat: int) -> str:
        """The link of a seat."""
        fragment = f"#token={game['seats'][seat]['token']}"
        return f"http://127.0.0.1:{self.service.port}/games/{game['game']}{fragment}"

    def send(self, game: dict[str, Any], seat: int, command: dict[str, Any]) -> None:
        """What a seat does that has no window."""
        token = game["seats"][seat]["token"]
        answer = self.service.api.call("POST", f"/v1/games/{game['game']}/commands", command, token=token)
        assert answer.status == httpx.codes.OK, answer.body

    def ask(self, game: dict[str, Any], path: str = "", *, token: str = "") -> Any:
        """What the service answers about a game; to the key that set it up, unless a token is named."""
        return self.service.api.call("GET", f"/v1/games/{game['game']}{path}", token=token or self.key).json

    def close(self) -> None:
        """Close all windows."""
        while self._contexts:
            self._contexts.pop().close()


@contextmanager
def open_windows(browser: Browser, folder: Path) -> Iterator[Windows]:
    """Run the whole service on this folder, for windows of this browser."""
    with Service(folder) as service:
        service.start("up", FIELDBOOK_LIMITS="off", WEB_PROCESSES="1")
        service.await_ready()
        windows = Windows(browser, service)
        yield windows
        windows.close()
