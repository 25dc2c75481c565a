"""Reviewing in a browser: two places or games side by side, and a link to exactly what one sees."""

import re

from playwright.sync_api import Browser, expect

from tests.service.pages.reviewed import Reviewed, link_from, panel, table
from tests.support.chromium import reader
from tests.support.servers import eventually


def test_a_link_leads_to_exactly_what_one_sees(reviewed: Reviewed, chromium: Browser) -> None:
    """The version, the perspective and the panel; a link that is pasted into the open page, too."""
    with reader(chromium) as someone, reader(chromium) as other:
        page = reviewed.open(someone, "#v=77&as=seat:1")
        panel(page, "known")
        expect(page.locator("#panel-known table")).to_be_visible()
        link = link_from(page)
        assert link == reviewed.address("#v=77&as=seat:1&panel=known")
        theirs = reviewed.open(other, link.partition("/games/")[2].removeprefix(reviewed.game))
        expect(theirs.locator("#panel-known table")).to_be_visible()
        assert theirs.locator("#panel-known").inner_text() == page.locator("#panel-known").inner_text()
        assert table(theirs) == table(page)
        page.evaluate("location.hash = '#v=50&as=public&panel=figures'")
        expect(page.locator("#version")).to_have_value("50")
        expect(page.locator("#panel-figures")).to_be_visible()
        expect(page.locator("#perspective")).to_have_value("public")


def test_two_places_stand_side_by_side(reviewed: Reviewed, chromium: Browser) -> None:
    """Each with its own controls, or both moved together; the link has both."""
    with reader(chromium) as someone, reader(chromium) as other:
        page = reviewed.open(someone, "#v=60&as=seat:0&panel=share")
        page.get_by_label("Link or id of the other game").fill(reviewed.address("#v=80&as=seat:1"))
        page.get_by_role("button", name="Compare").click()
        one, two = (page.frame_locator(f"iframe[title='Game {side}']") for side in "AB")
        expect(one.locator("#version")).to_have_value("60")
        expect(two.locator("#version")).to_have_value("80")
        expect(two.locator("#perspective")).to_have_value("seat:1")
        one.locator("[data-go=event-on]").click()
        expect(one.locator("#version")).to_have_value("61")
        expect(two.locator("#version")).to_have_value("80")
        page.get_by_label("Step both together").check()
        two.locator("[data-go=event-on]").click()
        expect(one.locator("#version")).to_have_value("62")
        expect(two.locator("#version")).to_have_value("81")
        expect(page).to_have_url(re.compile(r"v%3D62.*v%3D81"))

        other.page.goto(page.url)
        theirs = [other.page.frame_locator(f"iframe[title='Game {side}']") for side in "AB"]
        expect(theirs[0].locator("#version")).to_have_value("62")
        expect(theirs[1].locator("#version")).to_have_value("81")
        assert other.violations() == []


def test_two_games_stand_side_by_side(reviewed: Reviewed, chromium: Browser) -> None:
    """Of different rules, people and lengths, each with its own end; a step of both stays within the shorter one."""
    service = reviewed.service
    bots = [{"name": f"Bot {number}", "kind": "bot", "bot": "greedy"} for number in range(2)]
    body = {"system": "the-duel", "seats": bots}
    duel = service.api.call("POST", "/v1/games", body, token=service.key()).json["game"]
    eventually(lambda: service.api.call("GET", f"/v1/games/{duel}").json["status"] == "finished")
    last = service.api.call("GET", f"/v1/games/{duel}").json["version"]
    with reader(chromium) as someone:
        page = someone.page
        page.goto(f"http://127.0.0.1:{service.port}/compare")
        one, two = (page.frame_locator(f"iframe[title='Game {side}']") for side in "AB")
        for side, address in (("A", reviewed.address("#v=40&as=all")), ("B", f"{duel}#v={last - 1}&as=all")):
            pane = page.get_by_role("region", name=f"Game {side}")
            pane.get_by_role("textbox").fill(address)
            pane.get_by_role("button").first.click()
        expect(one.locator("#seats article")).to_have_count(3)
        expect(two.locator("#seats article")).to_have_count(2)
        expect(two.locator("#seats")).to_contain_text("Bot 1")
        expect(one.locator("#seats")).not_to_contain_text("Bot 1")
        expect(one.locator("#languages")).to_have_count(0)
        page.get_by_label("Step both together").check()
        for _ in range(2):
            one.locator("[data-go=event-on]").click()
        expect(one.locator("#version")).to_have_value("42")
        expect(two.locator("#version")).to_have_value(str(last))
        # Both moves are under way at once, and nobody is moved back; what is shown next moves no other side.
        one.locator("[data-go=event-back]").evaluate("(button) => { button.click(); button.click(); }")
        expect(one.locator("#version")).to_have_value("40")
        expect(two.locator("#version")).to_have_value(str(last - 2))
        pane = page.get_by_role("region", name="Game A")
        pane.get_by_role("textbox").fill(f"{duel}#v={last}&as=all")
        pane.get_by_role("button").first.click()
        expect(one.locator("#seats article")).to_have_count(2)
        page.wait_for_url(re.compile(rf"#a={duel}%23.*&b={duel}%23"))
        expect(two.locator("#version")).to_have_value(str(last - 2))
        entries = page.evaluate("history.length")
        pane.get_by_role("textbox").fill(f"{reviewed.game}#v=40&as=all")
        pane.get_by_role("button").first.click()
        expect(one.locator("#seats article")).to_have_count(3)
        assert page.evaluate("history.length") == entries, (
            "nothing that Back would restore behind the page's back"
        )
        for _ in range(2):
            two.locator("[data-go=event-on]").click()
        expect(two.locator("#version")).to_have_value(str(last))
        page.get_by_role("link", name="Deutsch").click()
        expect(page.locator("html")).to_have_attribute("lang", "de")
        expect(page.frame_locator("iframe").last.locator("#version")).to_have_value(str(last))
