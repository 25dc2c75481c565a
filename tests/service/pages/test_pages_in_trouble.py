"""What a page does where the service is busy or away, and where the browser is too old: a sentence, and a way on."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.service.pages.test_judging import dispute
from tests.support.chromium import PHONE, reader
from tests.support.processes import Service

PAUSES = ("1", "8")
"""Seconds after which a busy service wants to be asked again; for the second one nobody waits without a word."""
GIVE_UP_SECONDS = 60.0
PAGES = ("/", "/games/nosuchgame00000x", "/compare", "/desk", "/tournaments", "/ratings")


def let_time_pass(page: Page, is_so: Callable[[], bool]) -> None:
    """Let a page's clock run, half a second at a time, until something is so."""
    end = time.monotonic() + GIVE_UP_SECONDS
    while not is_so():
        assert time.monotonic() < end, page.locator("body").inner_text()
        page.clock.fast_forward(500)


@pytest.mark.parametrize("asked_for", ["history", "scene"])
def test_a_page_that_comes_at_a_busy_moment_asks_again(
    service: Service, chromium: Browser, asked_for: str
) -> None:
    """As soon as the service says that it may (`Retry-After`); whoever has to wait long is told what for.

    So does the page of a seat, which asks for a table to play on once it has the history.
    """
    party = service.people(1)
    token = f"#token={party.tokens[0]}" if asked_for == "scene" else ""
    busy = {"status": 503, "code": "too_many_pages", "detail": "Many long pages are being made here."}
    asked: list[str] = []

    def refuse_at_first(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) <= len(PAUSES):
            route.fulfill(status=503, headers={"Retry-After": PAUSES[len(asked) - 1]}, json=busy)
        else:
            route.continue_()

    with reader(chromium, language="de") as someone:
        page = someone.page
        page.clock.install()
        page.route(f"**/{asked_for}?*", refuse_at_first)
        page.goto(f"http://127.0.0.1:{service.port}/games/{party.game}{token}")
        broken = page.locator("#broken")
        let_time_pass(page, broken.is_visible)
        expect(broken).to_contain_text("Gerade werden zu viele lange Spiele gezeichnet")
        assert len(asked) == len(PAUSES)
        let_time_pass(page, lambda: len(asked) > len(PAUSES))
        expect(page.locator("#seats article").first).to_be_visible()
        expect(broken).to_be_hidden()
        expect(page.locator("#play-title")).to_be_visible(visible=asked_for == "scene")


def test_a_service_that_is_away_is_said_to_be_and_comes_back(service: Service, chromium: Browser) -> None:
    """On the first page and on the desk, by themselves; the queue is there then, and the case that was opened."""
    party = service.people(2)
    case, key = dispute(party), service.key(("arbitrate",))
    with reader(chromium) as player, reader(chromium, PHONE) as arbiter:
        lobby, desk = player.page, arbiter.page
        lobby.goto(f"http://127.0.0.1:{service.port}/")
        desk.goto(f"http://127.0.0.1:{service.port}/desk#case={case}")
        for page in (lobby, desk):
            page.clock.install()
            page.route("**/v1/**", lambda route: route.abort())
        desk.get_by_label("Key", exact=True).fill(key)
        desk.get_by_role("button", name="Open the desk").click()
        for page, said, sentence in (
            (lobby, "#lists-trouble", "answer"),
            (desk, "#queue-said", "asks again by itself"),
        ):
            let_time_pass(page, page.locator(said).filter(has_text=sentence).is_visible)
            expect(page.locator(said)).to_contain_text(sentence)
            page.unroute("**/v1/**")
        let_time_pass(desk, desk.locator("#case").is_visible)
        let_time_pass(lobby, lambda: not lobby.locator("#lists-trouble").text_content())
        expect(desk.get_by_role("link").filter(has_text=case)).to_be_visible()
        expect(desk.locator("#queue-said")).to_be_empty()
        for someone in (player, arbiter):
            someone.complaints().clear()


def test_a_browser_that_is_too_old_is_told_so(service: Service, chromium: Browser) -> None:
    """At once where it lacks something that the page needs, and after a while where it knows no modules."""
    with reader(chromium, language="fr") as without_modules, reader(chromium, PHONE, "it") as old:
        without_modules.page.route("**/assets/**/*.js", lambda route: route.abort())
        old.page.add_init_script("delete AbortSignal.any")
        for address in PAGES:
            place = f"http://127.0.0.1:{service.port}{address}"
            page = without_modules.page
            page.goto(place)
            expect(page.locator("#needs-browser")).to_be_hidden()
            page.evaluate("document.getAnimations().forEach((each) => each.finish())")
            expect(page.get_by_role("alert").filter(has_text="Cette page ne démarre pas")).to_be_visible()

            old.page.goto(place)
            sentence = old.page.get_by_role("alert").filter(has_text="2024")
            expect(sentence).to_have_class("banner is-needed")
            assert not old.is_too_wide()
            assert len(old.complaints()) == 1
            old.complaints().clear()
        without_modules.complaints().clear()
