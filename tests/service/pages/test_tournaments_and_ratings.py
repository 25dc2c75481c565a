"""The pages of tournaments and ratings: they come up to date by themselves, and hide what a round must hide."""

import random
import re
from typing import Any, Final

from playwright.sync_api import Browser, Page, expect

from service.ratings.rating_run import RatingRun
from tests.support.chromium import LAPTOP, PHONE, Reader, reader
from tests.support.http_play import Party
from tests.support.processes import Service
from tests.support.servers import eventually

NAME: Final = "<img src=x onerror=window.ran=1>"
PATIENCE: Final = 90_000
"""Milliseconds for which a page is waited for that follows bots at play."""


def ask(service: Service, method: str, path: str, body: Any = None, *, token: str) -> Any:
    """A request that has to be answered well."""
    answer = service.api.call(method, f"/v1{path}", body, token=token)
    assert answer.status < 400, answer.body
    return answer.json


def announce(service: Service, key: str) -> tuple[str, dict[str, str]]:
    """Announce a duplicate tournament of bots and a person; returns its id, and the person with their token."""
    wanted = {"name": NAME, "system": "bean-duel", "format": "duplicate", "rounds": 1, "sizes": [2]}
    made = ask(service, "POST", "/tournaments", wanted, token=key)
    players = [{"player": f"b{each}", "name": f"Bot {each}", "bot": "random"} for each in range(5)]
    players[0]["name"] = NAME
    registered = [
        ask(service, "POST", f"/tournaments/{made['tournament']}/players", player, token=key)
        for player in [*players, {"player": "zoe", "name": "Zoe"}]
    ]
    return made["tournament"], {name: registered[-1][name] for name in ("player", "token")}


def is_usable(someone: Reader, where: str) -> None:
    """On a phone and on a desk: nothing keeps anybody from it, it is not too wide, and no name has done anything."""
    for width, height in (PHONE, LAPTOP):
        someone.page.set_viewport_size({"width": width, "height": height})
        assert someone.violations() == [], (where, width)
        assert not someone.is_too_wide(), (where, width)
    assert someone.page.evaluate("window.ran") is None, where
    assert someone.page.locator("main img").count() == 0, where


def open_page(someone: Reader, service: Service, path: str) -> Page:
    """Open a page of the service."""
    someone.page.goto(f"http://127.0.0.1:{service.port}{path}")
    return someone.page


def test_a_duplicate_tournament_is_followed_to_the_end_and_checked(
    service: Service, chromium: Browser
) -> None:
    """Registration, a round that hides what it must, results by seat, and the records that prove the deal."""
    key = service.key(("create_games",))
    tournament, zoe = announce(service, key)
    with reader(chromium) as someone, reader(chromium) as other:
        page = open_page(someone, service, "/")
        page.get_by_role("link", name="Tournaments").click()
        page.get_by_role("link", name=NAME).click()
        expect(page.locator("#state")).to_contain_text("Registration is open: 6 players so far.")
        someone.answers.clear()
        ask(service, "POST", f"/tournaments/{tournament}/start", token=key)
        expect(page.locator(".hint")).to_contain_text(
            "Nobody can watch these tables before the round has ended"
        )
        expect(page.locator(".badge.being_played")).to_have_count(3)
        assert page.locator(".tables a").count() == 0
        while_open = b"".join(someone.received())
        assert while_open.count(b'"schedule"') > 0
        listed = open_page(other, service, "/tournaments").locator("#all li", has_text=NAME)
        expect(listed).to_contain_text("Round 1")

        seat = ask(service, "POST", f"/tournaments/{tournament}/seat", zoe, token=key)
        leave = {"type": "resign"}
        ask(service, "POST", f"/games/{seat['game']}/commands", leave, token=seat["token"])
        expect(page.locator("#state")).to_contain_text("Won by", timeout=PATIENCE)
        expect(page.locator(".tables > li", has_text="Zoe")).to_contain_text("left the game")
        expect(page.locator(".seats-compared table")).to_have_count(2)
        expect(page.locator("#standings tbody tr")).to_have_count(6)
        page.locator(".round details summary").focus()
        page.keyboard.press("Enter")
        secret = page.locator(".round details dd").nth(1).inner_text()
        assert re.fullmatch("[0-9a-f]{64}", secret)
        assert secret.encode() not in while_open
        played = page.locator(".tables > li", has=page.locator(".outcome_played")).first
        game = str(played.locator("a").get_attribute("href")).removeprefix("/games/")
        record = page.request.get(f"http://127.0.0.1:{service.port}/v1/games/{game}/record")
        assert secret in record.text()
        expect(page.locator(".round .commands")).to_contain_text("fieldbook replay deals")
        is_usable(someone, "a tournament")

        page.get_by_role("link", name="All tournaments").click()
        expect(page.locator("#all li", has_text=NAME)).to_contain_text("1 round")
        is_usable(someone, "the list")
        open_page(someone, service, "/tournaments/none?lang=it")
        expect(page.locator("#trouble-said")).to_contain_text("un torneo con questo identificativo")
        page.get_by_role("link", name="Tutti i tornei").click()
        expect(page.locator("#list")).to_be_visible()


def test_boards_lead_to_players_and_to_the_games_that_have_made_it_so(
    service: Service, chromium: Browser
) -> None:
    """By name as long as one is shown, by the id once it is forgotten; what does not exist is said to."""
    key = service.key(("create_games",))
    own = ask(service, "GET", "/keys/self", token=key)["players"]
    for player, name in (("ada", NAME), ("bob", "Bob")):
        ask(service, "PUT", f"/players/{player}", {"name": name}, token=key)
    seats = [{"player": "ada"}, {"player": "bob"}]
    made = ask(service, "POST", "/games", {"system": "bean-duel", "seats": seats}, token=key)
    tokens = [each["token"] for each in made["seats"]]
    assert Party(service.api, made["game"], tokens, random.Random(4)).play()
    store = service.open_store()
    assert RatingRun(store).run()
    store.close()
    with reader(chromium) as someone:
        page = open_page(someone, service, "/ratings")
        expect(page.locator("#system")).to_be_enabled()
        page.locator("#system").select_option("bean-duel")
        expect(page.locator("#players tbody tr")).to_have_count(2)
        page.locator("#time").select_option("Without a clock")
        expect(page.locator("#time")).to_have_value("untimed")
        expect(page.locator("#players tbody tr")).to_have_count(2)
        page.locator("#time").select_option(index=2)
        expect(page).to_have_url(re.compile(r"time=[0-9]{4}-[0-9]{2}$"))
        expect(page.locator("#players tbody tr")).to_have_count(2)
        is_usable(someone, "a board")
        page.get_by_role("link", name=NAME).click()
        expect(page.locator("#boards [aria-current]")).to_contain_text("People")
        expect(page.locator(f"#history a[href='/games/{made['game']}']")).to_be_visible()
        is_usable(someone, "a player")
        ask(service, "DELETE", "/players/ada", token=key)
        path = f"/ratings/{own}:ada/boards"
        eventually(lambda: ask(service, "GET", path, token=key)["name"] is None, seconds=30)
        page.reload()
        expect(page.locator("#player-name")).to_have_text(f"{own}:ada")
        expect(page.locator("#no-name")).to_be_visible()
        page.get_by_role("link", name="To the board").click()
        expect(page.locator("#players")).to_contain_text("Bob")

        open_page(someone, service, "/ratings/nobody%2E?lang=de")
        expect(page.locator("#not-rated")).to_contain_text("Niemand mit dieser Kennung")
        is_usable(someone, "nobody")
        open_page(someone, service, "/ratings?system=none&pool=bots")
        expect(page.locator("#no-board")).to_be_visible()
        page.locator("#pool").select_option("bots")
        expect(page.locator("#no-board")).to_be_hidden()
