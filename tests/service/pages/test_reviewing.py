"""Reviewing a finished game in a browser: what one writes others read, and a link leads to exactly what one sees."""

import re

import pytest
from playwright.sync_api import Browser, Dialog, Page, Route, expect

from service.http.pages.assets import address_of
from tests.service.pages.reviewed import NAMES, Reviewed, link_from, panel, write
from tests.support.chromium import LAPTOP, PHONE, SCREEN, Reader, reader

ACTIVE = "<img src=x onerror=document.title='hit'><script>document.title='hit'</script>"
MARKED = re.compile(r"\bmarked-green\b")
PANELS = ("log", "notes", "figures", "known", "branch", "share")


def test_a_reviewer_annotates_a_moment_and_shares_it(reviewed: Reviewed, chromium: Browser) -> None:
    """With a glyph and a mark, made by a tap on the table; whoever follows the link sees it, and text stays text."""
    with reader(chromium) as someone, reader(chromium) as other:
        page = reviewed.open(someone, f"#v=100&token={reviewed.party.tokens[0]}")
        write(page, f"Why *not* harvest? {ACTIVE}")
        page.get_by_label("Judge the move").select_option("dubious")
        page.get_by_role("button", name="Mark", exact=True).click()
        page.locator("[data-place='field:1:0']").click()
        expect(page.locator("#marking")).to_contain_text("Tap a card")
        expect(page.locator(".marks li")).to_contain_text("field 0 (green)")
        page.get_by_role("button", name="Publish", exact=True).click()
        expect(page.locator(".note")).to_have_count(1)
        link = link_from(page)
        assert reviewed.party.tokens[0] not in link
        panel(page, "share")
        assert page.get_by_label("Address").input_value() == link, (
            "the panel of the link is not what is shared"
        )

        other.page.goto(link)
        note = other.page.locator(".note")
        expect(note).to_contain_text(ACTIVE)
        expect(note).to_contain_text("?!a dubious move")
        expect(note.locator(".comment em")).to_have_text("not")
        expect(note.locator(".author")).to_have_text(f"{NAMES[0]} (seat 0)")
        expect(other.page.locator("[data-place='field:1:0']")).to_have_class(MARKED)
        expect(other.page.locator("#version")).to_have_value("100")
        for each in (page, other.page):
            assert each.evaluate("[document.images.length, document.title]") == [0, "Fieldbook"]
            assert [*each.locator(".who").all_inner_texts()] == [*NAMES]
        other.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        other.page.reload()
        expect(note).to_be_in_viewport()


def test_that_a_link_was_copied_is_said_until_one_goes_elsewhere(
    reviewed: Reviewed, chromium: Browser
) -> None:
    """Not only until the table is drawn anew, as when notes are read again."""
    draw_anew = (
        "async (module) => { const { go, place } = await import(module); go({ ...place, anew: true }); }"
    )
    with reader(chromium) as someone:
        page = reviewed.open(someone, "#v=100&as=all")
        link_from(page)
        page.evaluate(draw_anew, address_of("table/place.js"))
        expect(page.locator("#copied")).to_have_text("Copied")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#version")).to_have_value("101")
        expect(page.locator("#copied")).to_be_empty()


def test_an_arrow_leads_from_place_to_place(reviewed: Reviewed, chromium: Browser) -> None:
    """It is seen while it is drawn, and by whoever reads the note; in a narrow window it ends at its place, too."""
    with reader(chromium) as someone, reader(chromium, PHONE) as other:
        page = reviewed.open(someone, f"#v=150&as=all&token={reviewed.party.tokens[0]}")
        write(page, "From here to there.")
        page.get_by_role("button", name="Arrow", exact=True).click()
        page.locator("[data-place='field:2:0']").click()
        expect(page.locator("#marking")).to_contain_text("field 0")
        page.locator("[data-place='pile:discard']").click()
        expect(page.locator("#arrows path")).to_have_count(1)
        page.get_by_role("button", name="Publish", exact=True).click()
        expect(page.locator(".note")).to_contain_text("From here to there.")
        for each in (page, reviewed.open(other, "#v=150&as=all")):
            expect(each.locator("#arrows path")).to_have_count(1)
            start, end = (_middle(each, place) for place in ("field:2:0", "pile:discard"))
            assert _ends(each) == pytest.approx([*start, *end], abs=2)
        page.keyboard.press("ArrowRight")
        expect(page.locator("#arrows path")).to_have_count(0)


def _middle(page: Page, place: str) -> tuple[float, float]:
    """Where the middle of a place is on the table."""
    box, frame = (page.locator(each).bounding_box() for each in (f"[data-place='{place}']", "#table"))
    assert box is not None
    assert frame is not None
    return box["x"] + box["width"] / 2 - frame["x"], box["y"] + box["height"] / 2 - frame["y"]


def _ends(page: Page) -> list[float]:
    """Where the arrow begins, and where its head points."""
    path = page.locator("#arrows path").get_attribute("d") or ""
    numbers = [float(each) for each in re.findall(r"-?[\d.]+", path)]
    return [*numbers[:2], *numbers[6:8]]


def test_every_page_leads_home(reviewed: Reviewed, chromium: Browser) -> None:
    """By the name at its top."""
    with reader(chromium) as someone:
        page = someone.page
        for path in (f"/games/{reviewed.game}", "/desk", "/compare"):
            page.goto(f"http://127.0.0.1:{reviewed.service.port}{path}")
            page.get_by_role("link", name="Fieldbook", exact=True).first.click()
            expect(page.locator("#play-bots")).to_be_visible()


def test_a_draft_is_its_authors_until_it_is_published(reviewed: Reviewed, chromium: Browser) -> None:
    """Then it is everybody's; it is changed, replied to, and withdrawn."""
    with reader(chromium) as someone, reader(chromium) as other:
        page = reviewed.open(someone, f"#v=120&panel=notes&token={reviewed.party.tokens[1]}")
        write(page, "Only an idea.")
        page.get_by_role("button", name="Save as a draft").click()
        expect(page.locator(".note")).to_contain_text("Draft: only you see it")
        theirs = reviewed.open(other, "#v=120&panel=notes")
        expect(theirs.locator(".note")).to_have_count(0)

        page.get_by_role("button", name="Publish all").click()
        expect(page.locator("#drafts")).to_be_empty()
        theirs.reload()
        expect(theirs.locator(".note")).to_contain_text("Only an idea.")

        page.locator(".note").get_by_role("button", name="Change").click()
        expect(page.get_by_label("Your note")).to_have_value("Only an idea.")
        page.get_by_label("Your note").fill("A better idea.")
        page.get_by_role("button", name="Publish", exact=True).click()
        expect(page.locator(".note")).to_contain_text("A better idea.")
        page.locator(".note").get_by_role("button", name="Reply").click()
        page.get_by_label("Your note").fill("Is it?")
        page.get_by_role("button", name="Publish", exact=True).click()
        expect(page.locator(".note.depth-1")).to_contain_text("Is it?")
        theirs.reload()
        expect(theirs.locator(".note")).to_have_count(2)

        page.on("dialog", lambda dialog: dialog.accept())
        page.locator(".note.depth-1").get_by_role("button", name="Withdraw").click()
        expect(page.locator(".note")).to_have_count(1)
        theirs.reload()
        expect(theirs.locator(".note")).to_have_count(1)


def test_a_draft_is_replied_to_in_its_own_set(reviewed: Reviewed, chromium: Browser) -> None:
    """Also by one who has begun several: in another one nothing is known of it."""
    path, token = f"/v1/games/{reviewed.game}/annotations", reviewed.party.tokens[2]
    for comment in ("One.", "Two."):
        note = {"kind": "note", "version": 160, "comment": comment}
        assert reviewed.service.api.call("POST", path, note, token=token).status == 201
    with reader(chromium) as someone:
        page = reviewed.open(someone, f"#v=160&panel=notes&token={token}")
        for comment in ("One.", "Two."):
            page.locator(".note", has_text=comment).get_by_role("button", name="Reply").first.click()
            page.get_by_label("Your note").fill(f"About {comment}")
            page.get_by_role("button", name="Save as a draft").click()
            expect(page.locator(".note.depth-1", has_text=f"About {comment}")).to_be_visible()


def test_what_somebody_is_writing_is_not_lost_to_another_form(reviewed: Reviewed, chromium: Browser) -> None:
    """Neither to one that they ask for by mistake, nor where what they sent before is not answered yet."""
    path, token = f"/v1/games/{reviewed.game}/annotations", reviewed.party.tokens[1]
    note = {"kind": "note", "version": 125, "comment": "Here."}
    assert reviewed.service.api.call("POST", path, note, token=token).status == 201
    held: list[Route] = []
    asked: list[str] = []

    def hold_publications(route: Route) -> None:
        if '"publication"' in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    with reader(chromium) as someone:
        page = reviewed.open(someone, f"#v=125&panel=notes&token={token}")
        page.get_by_label("Title").fill("Half a ti")
        write(page, "A long thought.")
        reply = page.locator(".note").get_by_role("button", name="Reply")
        page.once("dialog", stay)
        reply.click()
        assert asked == ["Discard what you have written? It is not saved yet."]
        expect(page.get_by_label("Your note")).to_have_value("A long thought.")
        expect(page.get_by_label("Your note")).to_be_focused()
        page.locator("[data-go=event-on]").click()
        page.locator("[data-go=event-back]").click()
        expect(page.get_by_label("Title")).to_have_value("Half a ti")

        page.once("dialog", stay)
        page.get_by_role("link", name="Deutsch").click()
        expect(page.get_by_label("Your note")).to_have_value("A long thought.")
        assert len(asked) == 2

        page.route("**/annotations", hold_publications)
        page.get_by_role("button", name="Publish", exact=True).click()
        expect(page.locator(".note")).to_have_count(2)
        first = reply.first.bounding_box()
        assert first is not None
        page.mouse.click(first["x"] + 5, first["y"] + 5)
        expect(page.get_by_label("Your note")).to_have_value("A long thought.")
        held.pop().continue_()
        reply.first.click()
        page.get_by_label("Your note").fill("Another one.")
        page.get_by_role("button", name="Save as a draft").click()
        expect(page.locator(".note.depth-1")).to_contain_text("Another one.")


def test_who_may_not_write_is_told_how_one_may(reviewed: Reviewed, chromium: Browser) -> None:
    """By a seat's link or a key, which is typed in, stays in this window, and is given up again."""
    with reader(chromium) as someone:
        page = reviewed.open(someone, "#v=130&panel=notes")
        expect(page.locator("#write")).to_have_count(0)
        expect(page.locator("#access")).to_contain_text("type in a key of this service")
        page.get_by_label("Key", exact=True).fill("fbk_0000")
        page.get_by_role("button", name="Use it").click()
        expect(page.locator("#access [role=alert]")).not_to_be_empty()
        page.get_by_label("Key", exact=True).fill(reviewed.service.key())
        page.get_by_role("button", name="Use it").click()
        expect(page.locator("#write")).to_be_focused()
        expect(page.locator("#access")).to_contain_text("with the key that you typed in")
        assert page.evaluate("Object.keys(localStorage).some((each) => each.includes('key'))") is False
        page.get_by_role("button", name="Stop using the key").click()
        expect(page.locator("#write")).to_have_count(0)


def test_a_note_is_written_with_the_keyboard_alone(reviewed: Reviewed, chromium: Browser) -> None:
    """From the panel to the mark on the table and back; keys that step are letters while one writes."""
    with reader(chromium) as someone:
        page = reviewed.open(someone, f"#v=140&token={reviewed.party.tokens[0]}")
        page.locator("#panels [data-panel=notes]").focus()
        page.keyboard.press("Enter")
        page.locator("#write").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_label("Your note")).to_be_focused()
        page.keyboard.type("ent")
        expect(page.locator("#version")).to_have_value("140")
        page.get_by_role("button", name="Mark", exact=True).focus()
        page.keyboard.press("Space")
        page.locator("[data-place='pile:draw']").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".marks li")).to_have_count(1)
        page.get_by_role("button", name="Done").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Mark", exact=True)).to_be_focused()
        page.get_by_role("button", name="Publish", exact=True).focus()
        page.keyboard.press("Enter")
        expect(page.locator(".note")).to_contain_text("ent")
        expect(page.locator("#write")).to_be_focused()


def test_a_page_shows_no_other_site_in_a_frame(reviewed: Reviewed, chromium: Browser) -> None:
    """Its policy lets in what is of the same service only, by the same name."""
    with reader(chromium) as someone:
        page = someone.page
        page.goto(f"http://localhost:{reviewed.service.port}/compare#a={reviewed.game}")
        expect(page.frame_locator("iframe[title='Game A']").locator("#seats article").first).to_be_visible()
        with page.expect_console_message(lambda message: "frame-src" in message.text):
            page.evaluate(
                "(address) => { document.querySelector('iframe').src = address; }", reviewed.address()
            )
        someone.complaints().clear()


@pytest.mark.parametrize("size", [PHONE, LAPTOP, SCREEN], ids=["phone", "laptop", "screen"])
def test_everybody_can_review(reviewed: Reviewed, chromium: Browser, size: tuple[int, int]) -> None:
    """Each panel, as far as axe-core finds out, with nothing wider than the window."""
    with reader(chromium, size) as someone:
        page = reviewed.open(someone, f"#v=100&as=seat:0&token={reviewed.party.tokens[0]}")
        for name in PANELS:
            panel(page, name)
            if name == "known":
                expect(page.locator("#panel-known table")).to_be_visible()
            if name == "notes":
                page.locator("#write").click()
            _holds(someone, name)
        panel(page, "branch")
        page.get_by_role("button", name="Try another move here").click()
        expect(page.locator(".legal")).to_be_visible()
        _holds(someone, "a branch")
        panel(page, "notes")
        page.get_by_role("button", name="Mark", exact=True).click()
        page.locator("[data-place='pile:draw']").click()
        _holds(someone, "marking")
        page.get_by_role("button", name="Done").click()
        page.locator("#help-open").click()
        _holds(someone, "the keys")
        page.goto(f"http://127.0.0.1:{reviewed.service.port}/compare#a={reviewed.game}&b={reviewed.game}")
        expect(page.frame_locator("iframe[title='Game B']").locator("#seats article")).to_have_count(3)
        _holds(someone, "side by side")


def _holds(someone: Reader, where: str) -> None:
    assert someone.violations() == [], where
    assert not someone.is_too_wide(), where
