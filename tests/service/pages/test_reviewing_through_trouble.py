"""Reviewing where answers are late or lost: nothing is written twice, and what is asked for comes at last."""

import re
from typing import Any

from playwright.sync_api import Browser, Dialog, Page, Route, expect

from tests.service.pages.reviewed import Reviewed, panel, write
from tests.service.pages.test_pages_in_trouble import let_time_pass
from tests.service.pages.windows import lose_answers
from tests.support.chromium import reader

BUSY = {"status": 503, "code": "too_many_pages", "detail": "Many long pages are being made here."}
BROKEN = {"status": 500, "code": "internal_error", "detail": "It broke."}


def comments(reviewed: Reviewed, seat: int) -> list[str]:
    """What a seat has written about the game, as it stands."""
    path = f"/v1/games/{reviewed.game}/annotations"
    answer = reviewed.service.api.call("GET", path, token=reviewed.party.tokens[seat]).json
    mine = {each["set"] for each in answer["sets"] if each["owner"] == answer["writes_as"]}
    return [each["says"]["comment"] for each in answer["annotations"] if each["set"] in mine]


def branch_at(reviewed: Reviewed, version: int) -> dict[str, Any]:
    """A branch in which nothing was played yet."""
    answer: dict[str, Any] = reviewed.ask("/branches", {"version": version, "text": "en"})
    return answer


def press_publish(page: Page) -> None:
    """Publish what is written, with the keyboard."""
    page.get_by_role("button", name="Publish", exact=True).focus()
    page.keyboard.press("Enter")


def test_a_note_whose_answer_was_lost_is_written_once(reviewed: Reviewed, chromium: Browser) -> None:
    """Also where it says something else by the next try, and where its publication is refused once more."""
    keys: list[str] = []
    refused: list[str] = []

    with reader(chromium) as someone:
        page = reviewed.open(someone, f"#v=40&token={reviewed.party.tokens[0]}")
        page.clock.install()
        write(page, "One thought.")
        page.route("**/annotations", lose_answers(keys))
        press_publish(page)
        alert = page.locator("form.editor [role=alert]:not(:empty)")
        let_time_pass(page, alert.is_visible)
        expect(page.get_by_role("button", name="Publish", exact=True)).to_be_focused()
        page.unroute("**/annotations")

        page.route("**/annotations", lambda route: _refuse(route, refused))
        page.get_by_label("Your note").fill("Another thought.")
        press_publish(page)
        expect(alert).to_contain_text("It broke.")
        press_publish(page)
        expect(page.locator("form.editor")).to_have_count(0)
        expect(page.locator(".note")).to_have_count(1)
        expect(page.locator(".note .badge.waits")).to_have_count(0)
        someone.complaints().clear()
    assert len({*keys}) == 1
    assert comments(reviewed, 0) == ["Another thought."]


def _refuse(route: Route, refused: list[str]) -> None:
    """Refuse the first publication, and nothing else."""
    body = route.request.post_data or ""
    if '"publication"' in body and not refused:
        refused.append(body)
        route.fulfill(status=500, json=BROKEN)
    else:
        route.continue_()


def test_notes_and_a_branch_come_though_the_service_was_busy(reviewed: Reviewed, chromium: Browser) -> None:
    """Whoever comes by a link is told what keeps them, and the page asks again by itself."""
    token = branch_at(reviewed, 90)["token"]
    asked: dict[str, int] = {}

    def refuse_at_first(route: Route) -> None:
        name = "branches" if "/branches" in route.request.url else "annotations"
        asked[name] = asked.get(name, 0) + 1
        if asked[name] < 3:
            route.fulfill(status=503, headers={"Retry-After": "9"}, json=BUSY)
        else:
            route.continue_()

    with reader(chromium) as someone:
        page = someone.page
        page.clock.install()
        page.route(re.compile(r"/v1/games/.*/(annotations|branches)\b"), refuse_at_first)
        page.goto(reviewed.address(f"#v=90&as=all&branch={token}"))
        banner, broken = page.locator("#branch-banner"), page.locator("#broken")
        let_time_pass(page, broken.is_visible)
        let_time_pass(page, banner.filter(has_text="A branch from version").is_visible)
        let_time_pass(page, broken.is_hidden)
        let_time_pass(page, page.locator("#verified summary").is_visible)
        assert asked == {"annotations": 3, "branches": 3}
        assert f"branch={token}" in page.evaluate("decodeURIComponent(location.hash)")


def test_the_branch_that_is_shown_is_the_one_that_was_asked_for_last(
    reviewed: Reviewed, chromium: Browser
) -> None:
    """However late the answer about an earlier one comes."""
    first, second = (branch_at(reviewed, version) for version in (60, 100))
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if first["token"] in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    with reader(chromium) as someone:
        page = reviewed.open(someone, "#v=60&as=all")
        page.route("**/branches?*", hold_the_first)
        page.route("**/branches", hold_the_first)
        for branch in (first, second):
            page.evaluate("(token) => { location.hash = `#as=all&branch=${token}`; }", branch["token"])
            page.wait_for_timeout(100)
        banner = page.locator("#branch-banner")
        expect(banner).to_contain_text(f"A branch from version {second['origin']['version']}")
        assert len(held) == 1
        held.pop().continue_()
        page.wait_for_timeout(600)
        expect(banner).to_contain_text(f"A branch from version {second['origin']['version']}")
        assert second["token"] in page.evaluate("decodeURIComponent(location.hash)")


def test_the_title_of_a_draft_is_not_lost_unasked(reviewed: Reviewed, chromium: Browser) -> None:
    """Neither where the page is left, nor where another draft is saved."""
    path, token = f"/v1/games/{reviewed.game}/annotations", reviewed.party.tokens[1]
    note = {"kind": "note", "version": 50, "comment": "Here."}
    assert reviewed.service.api.call("POST", path, note, token=token).status == 201
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    with reader(chromium) as someone:
        page = reviewed.open(someone, f"#v=50&panel=notes&token={token}")
        page.get_by_label("Title").fill("Half a ti")
        page.once("dialog", stay)
        page.get_by_role("link", name="Deutsch").click()
        expect(page.get_by_label("Title")).to_have_value("Half a ti")
        assert asked == ["beforeunload"]
        write(page, "Another one.")
        page.get_by_role("button", name="Save as a draft").click()
        expect(page.locator("#drafts")).to_contain_text("2")
        expect(page.get_by_label("Title")).to_have_value("Half a ti")
        page.get_by_role("button", name="Publish all").click()
        expect(page.locator("#drafts")).to_be_empty()


def test_a_withdrawal_that_is_not_published_says_so(reviewed: Reviewed, chromium: Browser) -> None:
    """Beneath the note; pressed again only what is missing is sent."""
    path, token = f"/v1/games/{reviewed.game}/annotations", reviewed.party.tokens[2]
    note = {"kind": "note", "version": 70, "comment": "A mistake of mine."}
    written = reviewed.service.api.call("POST", path, note, token=token).json
    published = {"kind": "publication", "set": written["set"]}
    assert reviewed.service.api.call("POST", path, published, token=token).status == 201
    refused: list[str] = []
    with reader(chromium) as someone:
        page = reviewed.open(someone, f"#v=70&panel=notes&token={token}")
        page.on("dialog", lambda dialog: dialog.accept())
        page.route("**/annotations", lambda route: _refuse(route, refused))
        page.locator(".note").get_by_role("button", name="Withdraw").click()
        expect(page.locator(".note [role=alert]")).to_contain_text("It broke.")
        page.locator(".note").get_by_role("button", name="Withdraw").click()
        expect(page.locator(".note")).to_have_count(0)
        panel(page, "notes")
        expect(page.locator("#drafts")).to_be_empty()
    left = reviewed.service.api.call("GET", f"{path}?version=70").json["annotations"]
    assert left == []
