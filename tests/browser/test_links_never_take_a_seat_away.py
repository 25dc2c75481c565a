"""A link with a token: the service confirms it before it is kept, and a kept seat goes only if the player agrees.

The reason is docs/pages.md: a seat is a link, and its token is kept only in the browser of the player.
"""

from typing import Final
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.chromium import PHONE, Reader, reader
from tests.support.http_play import Party
from tests.support.processes import Service

KEPT: Final = "(game) => localStorage.getItem(`fieldbook/seat/${game}`)"
"""The token that the browser keeps for a game."""
UNKNOWN: Final = "fbs_" + "0" * 40


@pytest.fixture
def party(service: Service) -> Party:
    """Return a game of three people that has just begun."""
    return service.people(91)


def open_page(someone: Reader, service: Service, path: str) -> Page:
    """Open a page, also where only the fragment of the address changes."""
    someone.page.goto(f"http://127.0.0.1:{service.port}{path}")
    return someone.page


def sit(someone: Reader, service: Service, party: Party, seat: int = 0) -> Page:
    """Open the link of a seat and wait until its player can play."""
    page = open_page(someone, service, f"/games/{party.game}#token={party.tokens[seat]}")
    expect(page.locator("#play-title")).to_be_visible()
    return page


def spectator_token(party: Party) -> str:
    """Return a new token for a spectator of a game."""
    answer = party.api.call(
        "POST", f"/v1/games/{party.game}/spectators", {"name": "Eve"}, token=party.tokens[0]
    )
    assert answer.status == 201, answer.body
    return str(answer.json["token"])


def foreign_tokens(service: Service) -> dict[str, str]:
    """Return tokens that open nothing of another game."""
    return {
        "a token that the service does not know": UNKNOWN,
        "text that is no token": "nonsense",
        "the seat of another game": service.people(92).tokens[0],
        "a key": service.key(),
    }


def test_a_link_with_an_invalid_token_leaves_the_kept_seat_in_place(
    service: Service, chromium: Browser, party: Party
) -> None:
    """The player stays at the seat and is told that the link is not valid, in a new page and in an open one."""
    with reader(chromium) as someone:
        page = sit(someone, service, party)
        for name, token in foreign_tokens(service).items():
            for is_open in (True, False):
                if not is_open:
                    page.goto("about:blank")
                open_page(someone, service, f"/games/{party.game}#token={token}")
                expect(page.locator("#link-refused")).to_contain_text("is not valid for this game")
                expect(page.locator("#play-title")).to_be_visible()
                assert page.evaluate(KEPT, party.game) == party.tokens[0], name
                assert "token" not in page.url
        page.reload()
        expect(page.locator("#play-title")).to_be_visible()
        expect(page.locator("#link-refused")).to_have_count(0)


def test_a_link_with_an_invalid_token_is_not_kept(service: Service, chromium: Browser, party: Party) -> None:
    """A visitor without a seat is told so and can watch; nothing stays in the browser."""
    with reader(chromium) as someone:
        for name, token in foreign_tokens(service).items():
            page = open_page(someone, service, f"/games/{party.game}#token={token}")
            expect(page.locator("#broken")).to_contain_text("This link is no longer good")
            assert page.evaluate(KEPT, party.game) is None, name
            page.get_by_role("link", name="Watch without a seat").click()
            expect(page.locator("#seats article").first).to_be_visible()
            assert page.evaluate(KEPT, party.game) is None, name
        page = open_page(someone, service, "/")
        expect(page.locator("#lists-trouble")).to_have_text("")
        expect(page.locator("#yours")).to_be_hidden()


@pytest.mark.parametrize("kind", ["seat", "spectator"])
def test_another_valid_link_asks_before_it_replaces_the_kept_seat(
    service: Service, chromium: Browser, party: Party, kind: str
) -> None:
    """Staying keeps the seat, as does closing the question; agreeing replaces it."""
    other = party.tokens[1] if kind == "seat" else spectator_token(party)
    names = [each["name"] for each in party.api.call("GET", f"/v1/games/{party.game}").json["seats"]]
    use = f"Sit as {names[1]}" if kind == "seat" else "Watch instead"
    with reader(chromium, PHONE) as someone:
        page = sit(someone, service, party)
        question = page.get_by_role("dialog", name="You already sit at this table")
        for leave in ("button", "Escape", "reload"):
            open_page(someone, service, f"/games/{party.game}#token={other}")
            expect(question).to_contain_text(f"You sit here as {names[0]}.")
            assert "token" not in page.url
            assert page.evaluate(KEPT, party.game) == party.tokens[0]
            if leave == "reload":
                page.reload()
                expect(question).to_be_visible()
            if leave == "Escape":
                page.keyboard.press("Escape")
            else:
                page.get_by_role("button", name=f"Stay as {names[0]}").click()
            expect(page.locator("#play-title")).to_be_visible()
            assert page.evaluate(KEPT, party.game) == party.tokens[0]
        open_page(someone, service, f"/games/{party.game}#token={other}")
        expect(question).to_be_visible()
        assert someone.violations() == []
        page.get_by_role("button", name=use).click()
        expect(page.locator("#seats article").first).to_be_visible()
        expect(page.locator("#play-title")).to_have_count(1 if kind == "seat" else 0)
        assert page.evaluate(KEPT, party.game) == other


def test_a_link_replaces_a_token_that_is_no_seat_without_a_question(
    service: Service, chromium: Browser, party: Party
) -> None:
    """A spectator who gets a seat loses nothing, and neither does a browser whose token is no longer valid."""
    with reader(chromium) as someone:
        page = open_page(someone, service, f"/games/{party.game}#token={spectator_token(party)}")
        expect(page.locator("#seats article").first).to_be_visible()
        sit(someone, service, party, 1)
        page.evaluate(
            "([game, token]) => localStorage.setItem(`fieldbook/seat/${game}`, token)", [party.game, UNKNOWN]
        )
        sit(someone, service, party, 2)
        assert page.evaluate(KEPT, party.game) == party.tokens[2]


def test_a_link_survives_a_service_that_does_not_answer(
    service: Service, chromium: Browser, party: Party
) -> None:
    """The page asks again, also after it is loaded again; nothing is kept before there is an answer."""

    def refuse(route: Route) -> None:
        route.fulfill(status=503, json={"status": 503, "code": "store_unavailable", "detail": "Not now."})

    with reader(chromium) as someone:
        someone.page.route(f"**/v1/games/{party.game}", refuse)
        page = open_page(someone, service, f"/games/{party.game}#token={party.tokens[0]}")
        expect(page.locator("#broken")).to_be_visible()
        assert page.evaluate(KEPT, party.game) is None
        page.reload()
        expect(page.locator("#broken")).to_be_visible()
        assert "token" not in page.url
        page.unroute_all(behavior="ignoreErrors")
        expect(page.locator("#play-title")).to_be_visible()
        assert page.evaluate(KEPT, party.game) == party.tokens[0]


def test_frames_take_no_token_from_an_address(service: Service, chromium: Browser, party: Party) -> None:
    """Neither from the address of /compare, whose own link then has no token, nor from an address of their own."""
    other = service.people(93)
    with reader(chromium) as someone:
        page = sit(someone, service, party)
        sides = [f"{party.game}#token={party.tokens[1]}&v=3", f"{other.game}#v=3&token={other.tokens[0]}"]
        query = "&".join(f"{side}={quote(shown, safe='')}" for side, shown in zip("ab", sides, strict=True))
        open_page(someone, service, f"/compare#{query}")
        for title in ("Game A", "Game B"):
            expect(page.frame_locator(f"iframe[title='{title}']").locator("#version")).to_have_value("3")
        assert "token" not in page.url
        assert "token" not in str(page.locator("a.alone").first.get_attribute("href"))
        assert page.evaluate(KEPT, party.game) == party.tokens[0]
        assert page.evaluate(KEPT, other.game) is None

        page.evaluate(
            "(address) => { document.querySelector('iframe').src = address; }",
            f"/games/{other.game}?framed#token={other.tokens[0]}&v=2",
        )
        expect(page.frame_locator("iframe[title='Game A']").locator("#version")).to_have_value("2")
        assert page.evaluate(KEPT, other.game) is None


def test_the_desk_takes_no_token_from_an_address(service: Service, chromium: Browser, party: Party) -> None:
    """A party opens its case with the seat that its browser keeps; the token leaves the address."""
    with reader(chromium) as someone:
        page = sit(someone, service, party)
        open_page(someone, service, f"/desk#game={party.game}&token={party.tokens[1]}")
        page.wait_for_url("**/desk#game=*")
        expect(page.locator("#seats article").first).to_be_visible()
        assert "token" not in page.url
        assert page.evaluate(KEPT, party.game) == party.tokens[0]


def test_a_player_does_not_take_a_second_seat_by_an_invitation(service: Service, chromium: Browser) -> None:
    """The browser keeps one seat of a game: a second one would replace the first."""
    made = service.api.call(
        "POST",
        "/v1/games",
        {"system": "classic", "seats": [{"name": "Ada"}, None, None]},
        token=service.key(),
    ).json
    with reader(chromium) as someone:
        open_page(someone, service, f"/games/{made['game']}#token={made['seats'][0]['token']}")
        expect(someone.page.locator("#play-title")).to_be_visible()
        page = open_page(someone, service, f"/#sit={made['game']}")
        expect(page.locator("#sit-table")).to_contain_text("You sit at this table already.")
        expect(page.locator("#sitting button.main")).to_be_disabled()
        page.locator("#sit-watch").click()
        expect(page.locator("#play-title")).to_be_visible()
        assert page.evaluate(KEPT, made["game"]) == made["seats"][0]["token"]
