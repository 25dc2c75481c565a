"""Another move in a finished game, in a browser: a branch that one tries, keeps with a note, and comes back from."""

import re

from playwright.sync_api import Browser, expect

from tests.service.pages.reviewed import Reviewed, panel, table
from tests.support.chromium import reader


def test_what_was_known_where_a_branch_begins_is_said_in_it(reviewed: Reviewed, chromium: Browser) -> None:
    """A branch adds nothing to it; and what is said of the game stays in its own panel when one comes back."""
    path, token = f"/v1/games/{reviewed.game}/annotations", reviewed.party.tokens[2]
    note = {"kind": "note", "version": 111, "comment": "Here."}
    assert reviewed.service.api.call("POST", path, note, token=token).status == 201
    with reader(chromium) as someone:
        page = reviewed.open(someone, f"#v=110&as=seat:1&panel=branch&token={token}")
        page.get_by_role("button", name="Try another move here").click()
        page.get_by_role("button", name="To the next turn").click()
        expect(page.locator(".tried summary")).to_be_visible()
        panel(page, "known")
        expect(page.locator("#panel-known table")).to_be_visible()
        expect(page.locator("#panel-known")).to_contain_text("A branch adds nothing that anybody knows")
        panel(page, "branch")
        page.locator("#branch-banner").get_by_role("button", name="Back to the game").click()
        expect(page.locator("#branch-banner")).to_be_hidden()
        expect(page.locator("#notes")).to_be_hidden()


def test_another_move_is_tried_and_one_comes_back(reviewed: Reviewed, chromium: Browser) -> None:
    """By hand and by bots, in the same viewer; the link leads to the branch, and the game is what it was."""
    begun = reviewed.ask("/branches", {"version": 100, "text": "en"})
    origin, last = begun["origin"]["version"], reviewed.timeline.last
    first = next(each for each in begun["legal"] if "command" in each)
    with reader(chromium) as someone, reader(chromium) as other:
        page = reviewed.open(someone, f"#v={origin}&as=all&panel=branch")
        before = table(page)
        page.get_by_role("button", name="Try another move here").click()
        expect(page.locator("#branch-banner")).to_contain_text(f"A branch from version {origin}")
        page.locator(".choices").first.get_by_role("button", name=first["text"], exact=True).click()
        expect(page.get_by_text("One move tried")).to_be_visible()
        played = reviewed.ask(
            "/branches",
            {
                "token": begun["token"],
                "play": [{"seat": first["seat"], "command": first["command"]}],
                "text": "en",
            },
        )
        expect(page.locator("#version")).to_have_value(str(played["version"]))
        expect(page.locator("#sentence")).to_have_text(played["events"][-1]["text"])
        page.get_by_role("button", name="To the next turn").click()
        expect(page.locator("#version")).to_have_value(str(played["version"] + 1))
        page.get_by_role("button", name="To the end of the branch").click()
        end = page.locator("#version").get_attribute("max") or ""
        expect(page.locator("#version")).to_have_value(end)
        expect(page).to_have_url(re.compile(rf"#v={end}&as=all&panel=branch&branch=fbb1\."))

        theirs = reviewed.open(other, page.evaluate("location.hash"))
        expect(theirs.locator("#branch-banner")).to_contain_text(f"A branch from version {origin}")
        expect(theirs.locator("#sentence")).to_have_text(page.locator("#sentence").inner_text())
        assert table(theirs) == table(page)

        page.locator("#branch-banner").get_by_role("button", name="Back to the game").click()
        expect(page.locator("#version")).to_have_value(str(origin))
        expect(page.locator("#version")).to_have_attribute("max", str(last))
        expect(page.locator("#branch-banner")).to_be_hidden()
        assert table(page) == before
        expect(page).to_have_url(re.compile(rf"#v={origin}&as=all&panel=branch$"))


def test_a_branch_goes_along_with_a_note(reviewed: Reviewed, chromium: Browser) -> None:
    """One writes about where it parts from the game; whoever reads the note opens it."""
    with reader(chromium) as someone, reader(chromium) as other:
        page = reviewed.open(someone, f"#v=90&panel=branch&token={reviewed.party.tokens[0]}")
        page.get_by_role("button", name="Try another move here").click()
        page.get_by_role("button", name="One move").click()
        page.get_by_role("button", name="Write a note with it").click()
        page.get_by_label("Your note").fill("This was better.")
        page.get_by_role("button", name="Publish", exact=True).click()
        expect(page.locator(".note")).to_contain_text("This was better.")
        theirs = reviewed.open(other, f"#v={page.locator('#version').input_value()}&panel=notes")
        theirs.get_by_role("button", name="Open the branch").click()
        expect(theirs.locator("#branch-banner")).to_contain_text("nothing of it happened")


def test_an_offer_is_made_in_a_branch(reviewed: Reviewed, chromium: Browser) -> None:
    """By a form: what one gives, what one asks for; the branch tells of it."""
    version, offer = next(
        (begun["origin"]["version"], each)
        for version in range(20, reviewed.timeline.last, 10)
        for begun in [reviewed.ask("/branches", {"version": version, "text": "en"})]
        for each in begun["legal"]
        if each.get("form", {}).get("type") == "offer"
    )
    with reader(chromium) as someone:
        page = reviewed.open(someone, f"#v={version}&as=all&panel=branch")
        page.get_by_role("button", name="Try another move here").click()
        page.get_by_role("button", name=offer["text"], exact=True).first.click()
        form = page.locator("form.trade")
        form.get_by_role("spinbutton").first.fill("1")
        form.get_by_role("button", name="Play it").click()
        expect(page.get_by_text("One move tried")).to_be_visible()
        expect(page.locator(".offers li").last).to_be_visible()
        page.get_by_role("button", name="Take back a move").click()
        expect(page.locator("#version")).to_have_value(str(version))
