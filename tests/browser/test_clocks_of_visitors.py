"""The time left in a game with a clock: counted by the service's clock, whatever happens to the visitor's.

A browser has two clocks: `Date.now()`, which users and NTP set, and `performance.now()`, which nobody sets,
but which may stand still while the machine sleeps (W3C High Resolution Time).
"""

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.chromium import reader
from tests.support.processes import Service

HOUR: Final = 3_600_000
SHIFT: Final = """
([name, milliseconds]) => {
  const clock = name === "Date" ? Date : performance;
  const real = clock.now.bind(clock);
  clock.now = () => real() + milliseconds;
}
"""
"""Sets a clock of the browser while its page is open."""
BANK_SECONDS: Final = 1800
NEARLY_ALL: Final = re.compile(r"^(30:00|29:\d\d)$")


def open_seat(page: Page, service: Service) -> None:
    """Open a seat of a new game in which a player has half an hour."""
    seats: list[dict[str, Any]] = [{"name": name} for name in ("Ada", "Bo", "Cy")]
    clock = {"bank": BANK_SECONDS, "increment": 0, "cap": BANK_SECONDS, "answer": 600, "grace": 1}
    body = {"system": "classic", "seats": seats, "clock": clock}
    answer = service.api.call("POST", "/v1/games", body, token=service.key())
    assert answer.status == 201, answer.body
    made = answer.json
    page.goto(f"http://127.0.0.1:{service.port}/games/{made['game']}#token={made['seats'][0]['token']}")
    expect(page.locator("#play-clocks .time")).to_have_text(NEARLY_ALL)


@pytest.mark.parametrize("milliseconds", [-24 * HOUR, -2 * HOUR, 2 * HOUR, 24 * HOUR])
@pytest.mark.parametrize("name", ["Date", "performance"])
def test_the_time_left_stays_right_when_a_clock_of_the_visitor_jumps(
    service: Service, chromium: Browser, name: str, milliseconds: int
) -> None:
    """It is right again after the next answer of the service: no player gives up at a false 0:00."""
    with reader(chromium) as someone:
        page = someone.page
        open_seat(page, service)
        with page.expect_request(lambda asked: asked.method == "HEAD"):
            page.evaluate(SHIFT, [name, milliseconds])
        expect(page.locator("#play-clocks .time")).to_have_text(NEARLY_ALL)
        page.wait_for_timeout(1_500)  # three times the interval in which the page counts down
        expect(page.locator("#play-clocks .time")).to_have_text(NEARLY_ALL)


def test_the_time_left_is_right_where_the_visitor_s_clock_is_wrong_from_the_beginning(
    service: Service, chromium: Browser
) -> None:
    """The service's clock counts."""
    for milliseconds in (-24 * HOUR, 24 * HOUR):
        with reader(chromium) as someone:
            someone.page.add_init_script(f"({SHIFT})(['Date', {milliseconds}])")
            open_seat(someone.page, service)


def test_a_service_that_does_not_say_the_time_changes_nothing(service: Service, chromium: Browser) -> None:
    """The page counts on from what it knows, and asks again."""
    with reader(chromium) as someone:
        page = someone.page
        open_seat(page, service)
        lost: list[str] = []

        def lose(route: Route) -> None:
            lost.append(route.request.method)
            route.abort()

        page.route(lambda address: "/games/" in address and "/v1/" not in address, lose)
        with page.expect_event("requestfailed"):
            page.evaluate(SHIFT, ["Date", 24 * HOUR])
        expect(page.locator("#play-clocks .time")).to_have_text(NEARLY_ALL)
        assert lost[0] == "HEAD"
        someone.complaints().clear()
