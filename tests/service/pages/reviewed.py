"""A finished game of people whose names try to be something else than text, for tests of the pages that review it."""

import random
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from playwright.sync_api import Page, expect

from events.game.record import read_record
from events.log.disclosure import ALL
from replay.timeline.timeline import Timeline, read_timeline
from tests.support.chromium import Reader
from tests.support.hostile_game import HOSTILE
from tests.support.http_play import Party
from tests.support.processes import Service

NAMES: Final = HOSTILE
"""Those of the players."""


@dataclass(frozen=True)
class Reviewed:
    """A finished game.

    Attributes:
        service: where it was played.
        party: its players.
    """

    service: Service
    party: Party

    @property
    def game(self) -> str:
        """Its id."""
        return self.party.game

    def address(self, fragment: str = "") -> str:
        """Where its page is."""
        return f"http://127.0.0.1:{self.service.port}/games/{self.game}{fragment}"

    def open(self, someone: Reader, fragment: str = "") -> Page:
        """Open its page and wait for all that belongs to reviewing."""
        someone.page.goto(self.address(fragment))
        expect(someone.page.locator("#panels button")).to_have_count(6)
        expect(someone.page.locator("#verified summary")).to_have_text("✓ The whole game is verified")
        return someone.page

    def ask(self, path: str, body: Any = None) -> Any:
        """What the service answers somebody without a token."""
        method = "GET" if body is None else "POST"
        answer = self.service.api.call(method, f"/v1/games/{self.game}{path}", body)
        assert answer.status == 200, answer.body
        return answer.json

    @cached_property
    def timeline(self) -> Timeline:
        """Its record, read by whoever trusts nobody."""
        answer = self.service.api.call("GET", f"/v1/games/{self.game}/record?as=all")
        timeline = read_timeline(*read_record(iter(answer.body.splitlines(keepends=True))), ALL)
        assert timeline.broken is None
        return timeline


def play_whole_game(service: Service) -> Reviewed:
    """Three people play at random, to the end."""
    body = {"system": "classic", "seats": [{"name": name} for name in NAMES]}
    made = service.api.call("POST", "/v1/games", body, token=service.key())
    assert made.status == 201, made.body
    tokens = [seat["token"] for seat in made.json["seats"]]
    party = Party(service.api, made.json["game"], tokens, random.Random(24))
    assert party.play()
    return Reviewed(service, party)


def panel(page: Page, name: str) -> None:
    """Open a panel."""
    page.locator(f"#panels [data-panel={name}]").click()
    expect(page.locator(f"#panels [data-panel={name}]")).to_have_attribute("aria-pressed", "true")


def write(page: Page, comment: str) -> None:
    """Open the form for a note about where one stands, and say something in it."""
    panel(page, "notes")
    page.get_by_role("button", name="Write a note about this moment").click()
    page.get_by_label("Your note").fill(comment)


def table(page: Page) -> str:
    """What stands on the table, as text."""
    return page.locator("#table").inner_text()


def link_from(page: Page) -> str:
    """What the button copies."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#copy-link").click()
    expect(page.locator("#copied")).to_have_text("Copied")
    return str(page.evaluate("navigator.clipboard.readText()"))
