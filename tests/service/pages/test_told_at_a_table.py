"""What a table tells whoever plays at it: what small figures mean, what a command did, which cards there are."""

import re

from playwright.sync_api import expect

from tests.service.pages.windows import IN_SIGHT, PHONE, Windows


def test_a_form_for_an_offer_opens_at_its_beginning_on_a_phone(windows: Windows) -> None:
    """There the table lies behind it: the rows of cards say which of them are revealed."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    ada = windows.open(game, 0, size=PHONE)
    ada.begin_trading()
    page = ada.page
    page.get_by_role("button", name="Make an offer").click()

    gives = page.get_by_role("group", name="You give")
    assert gives.locator("legend").evaluate(IN_SIGHT)
    for label in ("revealed", "hand"):
        assert gives.get_by_text(label, exact=True).evaluate(IN_SIGHT)
    page.get_by_role("button", name="Cancel").click()
    assert (ada.refusals, ada.complaints) == ([], [])


def test_what_small_figures_at_the_table_mean_is_said(windows: Windows) -> None:
    """The number of a card, and the beans that are missing: for the mouse, for a screen reader, in the help."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    ada = windows.open(game, 0)
    ada.press("plant")
    page = ada.page

    card = page.locator("[data-place^='hand:0:']").last
    expect(card).to_have_attribute("title", re.compile(", card [0-9]+$"))
    expect(card).to_contain_text(re.compile(", card [0-9]+$"))
    meter = page.locator("[data-place='field:0:0'] .meter")
    expect(meter).to_have_attribute("title", re.compile("beans to the next coin: [0-9]+$"))
    expect(page.locator("[data-place='field:0:0']")).to_have_attribute(
        "aria-label", re.compile("beans to the next")
    )
    page.locator("#help-open").click()
    expect(page.get_by_role("dialog")).to_contain_text("+2 beside a dashed coin")
    assert (ada.refusals, ada.complaints) == ([], [])


def test_a_trade_is_told_and_not_the_offer_that_lapsed_with_it(windows: Windows) -> None:
    """Below the table stands what the command did, for whoever follows; each row of the log stands for itself."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    ada = windows.open(game, 0)
    ada.begin_trading()
    for seat in (1, 2):
        windows.send(game, seat, {"type": "offer", "to": 0, "want_revealed": [1]})
    ada.act("accept").first.click()
    ada.settle()

    last, sentence = ada.page.locator("#sentences li").last, ada.page.locator("#sentence")
    trade = re.compile("Ada gave Bob .* for nothing")
    expect(last).to_contain_text("Offer 2 lapsed.")
    expect(sentence).to_contain_text(trade)

    last.get_by_role("button").click()
    expect(sentence).to_have_text("Offer 2 lapsed.")
    windows.send(game, 1, {"type": "offer", "to": 0, "want_revealed": [2]})
    expect(sentence).to_contain_text("Offer 3")
    windows.send(game, 2, {"type": "offer", "to": 0, "want_revealed": [2]})
    ada.act("accept").first.click()
    ada.settle()
    expect(last).to_contain_text("Offer 4 lapsed.")
    expect(sentence).to_contain_text(trade)

    ada.page.reload()
    expect(last).to_contain_text("Offer 4 lapsed.")
    expect(sentence).to_contain_text(trade)
    ada.page.keyboard.press("ArrowLeft")
    ada.page.keyboard.press("ArrowRight")
    expect(sentence).to_have_text("Offer 4 lapsed.")
    assert (ada.refusals, ada.complaints) == ([], [])
