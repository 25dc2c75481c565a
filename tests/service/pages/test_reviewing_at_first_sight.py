"""What somebody sees who reviews for the first time: how to write, as whom, and how to share it; on a phone, too."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from events.rules.catalogues.card_names import LANGUAGES
from tests.service.pages.reviewed import NAMES, Reviewed, panel
from tests.support.chromium import PHONE, reader

NO_CLIPBOARD = "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('not here')); }"
ADDRESS = "Address"
WITH_ALL_CARDS = "The link opens the table with all cards, for whoever may see the game."


def open_to_write(reviewed: Reviewed, page: Page, fragment: str) -> None:
    """Open the form for a note as the first player, who stands there."""
    page.goto(reviewed.address(f"{fragment}&panel=notes&token={reviewed.party.tokens[0]}"))
    page.locator("#write").click()


def publish(page: Page, comment: str) -> Locator:
    """Publish a note with the form that is open."""
    page.get_by_label("Your note").fill(comment)
    page.get_by_role("button", name="Publish", exact=True).click()
    note = page.locator(".note", has_text=comment)
    expect(note).to_be_visible()
    return note


def edges(place: Locator) -> tuple[float, float]:
    """Where something begins and ends in the window, from above."""
    box = place.bounding_box()
    assert box is not None
    return box["y"], box["y"] + box["height"]


def test_a_published_note_offers_a_link_to_it(reviewed: Reviewed, chromium: Browser) -> None:
    """On a phone, where the header is out of sight: to its moment as the writer sees it, and to the notes."""
    with reader(chromium, PHONE) as someone, reader(chromium, PHONE) as other:
        page = someone.page
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        open_to_write(reviewed, page, "#v=101&as=seat:1")
        note = publish(page, "Look here.")
        copy = note.get_by_role("button", name="Copy link")
        expect(copy).to_be_in_viewport(ratio=1)
        copy.click()
        expect(note.get_by_role("status")).to_have_text("Copied")
        link = page.evaluate("navigator.clipboard.readText()")
        assert link == reviewed.address("#v=101&as=seat:1&panel=notes")
        other.page.goto(link)
        expect(other.page.locator(".note", has_text="Look here.")).to_be_in_viewport()

        page.evaluate(NO_CLIPBOARD)
        copy.click()
        expect(page.get_by_label(ADDRESS)).to_have_value(link)
        expect(page.locator("#panel-share")).to_contain_text("Copy the link by hand, please.")


def test_a_link_to_a_note_is_not_said_to_open_everything(reviewed: Reviewed, chromium: Browser) -> None:
    """Where nothing can be copied it stands in the panel, whose switch was for another link."""
    with reader(chromium) as someone:
        page = someone.page
        open_to_write(reviewed, page, "#v=107&as=seat:1")
        note = publish(page, "As I saw it.")
        panel(page, "share")
        page.get_by_label("With everything open").check()
        page.evaluate(NO_CLIPBOARD)
        own = page.get_by_label(ADDRESS).input_value()
        page.locator("#panel-share").get_by_role("button", name="Copy link").click()
        expect(page.locator("#panel-share")).to_contain_text("Copy the link by hand, please.")
        expect(page.get_by_label("With everything open")).to_be_checked()
        expect(page.get_by_label(ADDRESS)).to_have_value(own)

        panel(page, "notes")
        note.get_by_role("button", name="Copy link").click()
        link = reviewed.address("#v=107&as=seat:1&panel=notes")
        expect(page.get_by_label(ADDRESS)).to_have_value(link)
        expect(page.get_by_label("With everything open")).not_to_be_checked()
        expect(page.locator("#link-seen")).to_contain_text(f"as {NAMES[1]} saw it")


def test_a_draft_offers_no_link(reviewed: Reviewed, chromium: Browser) -> None:
    """Nobody else would find it there."""
    with reader(chromium) as someone:
        open_to_write(reviewed, someone.page, "#v=102")
        someone.page.get_by_label("Your note").fill("Not yet.")
        someone.page.get_by_role("button", name="Save as a draft").click()
        note = someone.page.locator(".note", has_text="Not yet.")
        expect(note.get_by_role("button", name="Reply")).to_be_visible()
        expect(note.get_by_role("button", name="Copy link")).to_have_count(0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_panels_and_who_sees_are_in_sight_on_a_phone(
    reviewed: Reviewed, chromium: Browser, language: str
) -> None:
    """Nothing has to be pushed aside to find out that there is more."""
    with reader(chromium, PHONE) as someone:
        page = someone.page
        page.goto(reviewed.address(f"?lang={language}"))
        expect(page.locator("#panels button")).to_have_count(6)
        for place in (*page.locator("#panels button").all(), page.locator(".perspective span")):
            expect(place).to_be_in_viewport(ratio=1)
            assert place.evaluate("(each) => each.scrollWidth <= each.clientWidth || each.matches('span')")
        assert not someone.is_too_wide()


def test_the_form_for_a_note_has_a_phone_to_itself(reviewed: Reviewed, chromium: Browser) -> None:
    """From what it is about to *Publish*, between the tabs and the end of the window; then the controls are back."""
    with reader(chromium, PHONE) as someone:
        page = someone.page
        open_to_write(reviewed, page, "#v=100")
        expect(page.get_by_label("Your note")).to_be_focused()
        (_, tabs), (controls, _) = edges(page.locator("#panels")), edges(page.locator("footer"))
        begin, _ = edges(page.locator(".editor h3"))
        _, end = edges(page.get_by_role("button", name="Publish", exact=True))
        assert tabs <= begin < end <= min(controls, PHONE[1])
        publish(page, "Written on a phone.")
        expect(page.locator("footer")).to_be_in_viewport(ratio=1)


def test_the_form_says_what_a_note_is_about(reviewed: Reviewed, chromium: Browser) -> None:
    """The event in words, as the reader sees it; judging is up to them."""
    with reader(chromium) as someone:
        page = someone.page
        open_to_write(reviewed, page, "#v=103")
        expect(page.locator(".editor h3")).to_have_text("A note about event 103")
        expect(page.locator(".editor .told")).to_have_text(page.locator("#sentence").inner_text())
        expect(page.get_by_label("Judge the move (optional)")).to_be_visible()
        expect(page.locator("#panel-notes")).to_contain_text(f"You write as {NAMES[0]} (seat 0).")


def test_notes_are_called_notes_and_counted_by_their_moments(reviewed: Reviewed, chromium: Browser) -> None:
    """Where there is none nothing is counted; two at one moment are at one moment."""
    with reader(chromium) as someone:
        page = someone.page
        page.route("**/annotations?*", lambda route: route.fulfill(json=without_notes(route.fetch().json())))
        page.goto(reviewed.address("#v=104&panel=notes"))
        heading = page.locator("#notes h2")
        expect(page.locator("#notes-here")).to_have_text("Nothing was said about this moment.")
        expect(heading).to_have_text(re.compile(r"^\s*Notes\s*$"), use_inner_text=True)
        page.unroute_all(behavior="ignoreErrors")
        path, token = f"/v1/games/{reviewed.game}/annotations", reviewed.party.tokens[0]
        for comment in ("One.", "Two."):
            note = {"kind": "note", "version": 104, "comment": comment}
            assert reviewed.service.api.call("POST", path, note, token=token).status == 201
        page.goto(reviewed.address(f"?lang=en#v=104&panel=notes&token={token}"))
        expect(page.locator(".note")).to_have_count(2)
        expect(page.locator("#note-count")).to_have_text(re.compile(r"^moment (\d+) of \d+$"))
        page.evaluate("location.hash = '#v=300'")
        expect(page.locator("#note-count")).to_have_text(re.compile(r"^moment \D of \d+$"))


def without_notes(answer: dict[str, object]) -> dict[str, object]:
    """The answer about a game of which nothing is said."""
    return answer | {"sets": [], "annotations": [], "next": None}


def test_who_writes_with_a_key_is_told_its_name(reviewed: Reviewed, chromium: Browser) -> None:
    """As soon as anything tells it; before, that it is shown."""
    with reader(chromium) as someone:
        page = reviewed.open(someone, "#v=105&panel=notes")
        page.get_by_label("Key", exact=True).fill(reviewed.service.key())
        page.get_by_role("button", name="Use it").click()
        expect(page.locator("#access")).to_contain_text("readers see the name of the key")
        page.locator("#write").click()
        name = publish(page, "By a key.").locator(".author").inner_text()
        expect(page.locator("#access")).to_contain_text(f"You write as {name}, with the key")


def test_a_link_is_shared_with_everything_open_where_one_wants_to(
    reviewed: Reviewed, chromium: Browser
) -> None:
    """The panel says how the link opens the table; who sees everything already has no choice."""
    with reader(chromium) as someone, reader(chromium) as other:
        page = reviewed.open(someone, "#v=106&as=seat:0")
        panel(page, "share")
        expect(page.locator("#link-seen")).to_contain_text(
            f"The link opens the table as {NAMES[0]} saw it; whoever may see the game"
        )
        page.get_by_label("With everything open").check()
        expect(page.locator("#link-seen")).to_have_text(WITH_ALL_CARDS)
        link = page.get_by_label(ADDRESS).input_value()
        assert link == reviewed.address("#v=106&as=all")
        other.page.goto(link)
        expect(other.page.locator("#perspective")).to_have_value("all")
        page.locator("#perspective").select_option("public")
        expect(page.locator("#link-seen")).to_have_text(WITH_ALL_CARDS)
        page.get_by_label("With everything open").uncheck()
        expect(page.locator("#link-seen")).to_contain_text("as a spectator saw it")
        assert page.get_by_label(ADDRESS).input_value() == reviewed.address("#v=106&as=public")
        page.locator("#perspective").select_option("all")
        expect(page.get_by_label("With everything open")).to_be_hidden()


def test_the_headline_cuts_hashes_short(reviewed: Reviewed, chromium: Browser) -> None:
    """The log has them whole."""
    last = reviewed.timeline.last
    with reader(chromium) as someone:
        page = reviewed.open(someone, f"#v={last}")
        expect(page.locator("#sentence")).to_have_text(re.compile(r": [0-9a-f]{8}…$"))
        expect(page.locator(f"#sentences [data-version='{last}'] .told")).to_have_text(
            re.compile(r": [0-9a-f]{64}\.$")
        )
