"""What a seat in a browser is besides its buttons: taps, drafts, clocks; and who can use it."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.service.pages.windows import IN_SIGHT, LAPTOP, PATIENCE, PHONE, Windows
from tests.support.chromium import SCREEN

TWICE = "\N{MULTIPLICATION SIGN} 2"
HOSTILE = "<img src=x onerror=document.title='hit'>"


def test_a_card_is_tapped_and_then_where_it_goes(windows: Windows) -> None:
    """The front card, then a field; a field that grows something, and what to do with it; the draw pile at once."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    ada = windows.open(game, 0, size=PHONE)
    page = ada.page

    front = page.locator("[data-place^='hand:0:'][role=button]")
    expect(front).to_have_count(1)
    front.click()
    expect(front).to_have_attribute("aria-pressed", "true")
    page.locator("[data-place='field:0:1'].is-target").click()
    ada.settle()
    expect(page.locator("[data-place='field:0:1'] .chip")).to_have_count(1)
    assert ada.own_cards() == 4

    page.locator("[data-place='field:0:1'][role=button]").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name=re.compile("^Harvest"))).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    page.locator("[data-place='pile:draw'][role=button]").click()
    ada.settle()
    expect(page.locator("[data-place^='revealed:']")).to_have_count(2)
    assert (ada.refusals, ada.complaints) == ([], [])


def test_cards_are_tapped_into_an_offer(windows: Windows) -> None:
    """In a trading each tap on an own card puts it into the offer, or takes it out again."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    ada = windows.open(game, 0)
    ada.begin_trading()
    page = ada.page

    card = page.locator("[data-place^='hand:0:']").first
    card.click()
    expect(page.locator("#composer")).to_be_visible()
    expect(card).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#composer .toggle.card[aria-pressed=true]")).to_have_count(1)
    expect(page.locator(".draft-sentence")).to_contain_text("A gift")
    card.click()
    expect(page.locator("#composer .toggle.card[aria-pressed=true]")).to_have_count(0)
    expect(page.get_by_role("button", name="Send the offer")).to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Make an offer").click()
    assert page.get_by_role("radio").last.evaluate(IN_SIGHT), "the end of the form lies over its recipients"


def test_a_draft_stays_while_others_play_and_loses_only_what_is_gone(windows: Windows) -> None:
    """Neither choice nor focus is lost to an event; a card that a trade has taken is, and that is said."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    ada = windows.open(game, 0)
    ada.begin_trading()
    page = ada.page
    page.get_by_role("button", name="Make an offer").click()
    cards = page.locator("#composer fieldset:nth-of-type(1) .toggle.card")
    cards.nth(0).click()
    cards.nth(3).click()
    wanted = page.locator("#composer .variety .more").nth(2)
    wanted.click()
    wanted.click()
    wanted.focus()
    page.evaluate("window.kept = document.activeElement")

    windows.send(game, 1, {"type": "say", "text": "Well?"})
    windows.send(game, 1, {"type": "offer", "to": 0, "want_revealed": [2]})
    expect(page.locator("#offer-list .offer")).to_have_count(1)
    expect(page.locator("#talk-list li")).to_have_text("Bob: Well?")

    assert page.evaluate("window.kept === document.activeElement")
    expect(wanted).to_contain_text(TWICE)
    expect(page.locator("#composer [aria-pressed=true]")).to_have_count(2)

    windows.send(game, 0, {"type": "accept", "offer": 1, "revealed": [2]})
    expect(page.locator("[data-place^='revealed:']")).to_have_count(1)
    expect(page.locator("#composer [aria-pressed=true]")).to_have_count(2)
    windows.send(game, 1, {"type": "offer", "to": 0, "want_revealed": [1]})
    windows.send(game, 0, {"type": "accept", "offer": 2, "revealed": [1]})
    expect(page.locator("#composer .notice")).to_have_text(
        "Cards that are gone were taken out of your offer."
    )
    expect(page.locator("#composer [aria-pressed=true]")).to_have_count(1)
    expect(wanted).to_contain_text(TWICE)

    windows.send(game, 0, {"type": "end_trading"})
    expect(page.locator("#dropped")).to_contain_text("The trading is over")
    assert (ada.refusals, ada.complaints) == ([], [])


def game_with_a_pair(windows: Windows) -> tuple[dict[str, Any], str]:
    """A game in which seat 0 holds two beans of a variety behind the first card of its hand."""
    while True:
        game = windows.game("classic", ("Ada", "Bob", "Cleo"))
        hand = [card["card"] for card in windows.ask(game, "?as=seat:0")["seats"][0]["hand"]["cards"][1:]]
        pairs = [card for card in hand if hand.count(card) > 1]
        if pairs:
            return game, pairs[0]


def test_a_choice_of_cards_is_chosen_for_an_acceptance(windows: Windows) -> None:
    """As many as are wanted, from the hand or the revealed cards, and no other number."""
    game, variety = game_with_a_pair(windows)
    ada = windows.open(game, 0)
    ada.begin_trading()
    windows.send(game, 1, {"type": "offer", "to": 0, "want": {variety: 1}})
    ada.act("accept").click()
    dialog = ada.page.get_by_role("dialog")
    expect(dialog).to_contain_text("1 of 1 chosen")
    pressed = dialog.locator("[aria-pressed=true]")
    proposed = pressed.get_attribute("aria-label")
    dialog.locator("[aria-pressed=false]").first.click()
    expect(pressed).to_have_count(1)
    label = pressed.get_attribute("aria-label") or ""
    assert label != proposed
    ada.act("accept-with").click()
    ada.settle()
    expect(ada.page.locator("[data-place^='aside:1:']")).to_have_count(1)
    gone = f"{'hand:0' if 'hand' in label else 'revealed'}:{re.findall('[0-9]+', label)[0]}"
    expect(ada.page.locator(f"[data-place='{gone}']")).to_have_count(0)
    assert (ada.refusals, ada.complaints) == ([], [])


def test_names_and_texts_of_others_do_nothing(windows: Windows) -> None:
    """They are shown as they are written."""
    game = windows.game("classic", ("Ada", HOSTILE[:40], "Cleo"))
    ada = windows.open(game, 0)
    ada.begin_trading()
    windows.send(game, 1, {"type": "say", "text": HOSTILE})
    windows.send(game, 1, {"type": "offer", "to": 0, "want_revealed": [1]})
    expect(ada.page.locator("#talk-list li")).to_have_text(f"{HOSTILE[:40]}: {HOSTILE}")
    expect(ada.page.locator("#offer-list h3")).to_contain_text(HOSTILE[:40])
    assert ada.page.locator("#playing img, #table img").count() == 0
    assert ada.page.title() != "hit"


def test_time_is_counted_down_and_said_when_it_is_short(windows: Windows) -> None:
    """To the deadline of the log; that it is short is written, not only coloured, and read out."""
    clock = {"bank": 10, "increment": 0, "cap": 10, "answer": 10}
    game = windows.game("classic", ("Ada", "Bob", "Cleo"), clock=clock)
    ada = windows.open(game, 0)
    left = ada.page.locator("#play-clocks .time")
    expect(left).to_have_text(re.compile(r"^0:(10|0\d)$"))
    expect(ada.page.locator("#play-clocks .is-short .hurry")).to_be_visible(timeout=15_000)
    expect(left).to_have_text(re.compile(r"^0:0[0-2]$"))
    expect(ada.page.locator("#playing > .unseen[role=status]")).to_have_text(
        re.compile(r"^You have 0:0\d left\.$")
    )


def test_the_table_tells_who_leaves_and_comes_back(windows: Windows) -> None:
    """The clock moves for somebody silent, then a bot plays on; they come back, and leave again."""
    clock = {"bank": 0, "increment": 0, "cap": 12, "answer": 12, "grace": 0, "strikes": 1, "bot": "greedy"}
    game = windows.game("classic", ("Ada", "Bob", "Cleo"), clock=clock, options={"start_seat": 1})
    ada, bob = windows.open(game, 0, size=PHONE), windows.open(game, 1)
    log, seat = ada.page.locator("#log"), ada.page.locator("#seats")
    viewer = bob.page.locator("#perspective option:checked")
    expect(log).to_contain_text(
        "Bob ran out of time: the clock made the move (in one turn so far).", timeout=PATIENCE
    )
    expect(log).to_contain_text("The bot greedy plays on for Bob.", timeout=PATIENCE)
    expect(seat).to_contain_text("Bob (away; greedy bot)", timeout=PATIENCE)
    expect(bob.page.locator("#playing")).to_contain_text("A bot plays for you.", timeout=PATIENCE)
    expect(viewer).to_have_text("1: Bob (away; greedy bot)", timeout=PATIENCE)

    bob.page.get_by_role("button", name="Come back into the game").click()

    expect(log).to_contain_text("Bob came back.", timeout=PATIENCE)
    expect(seat).not_to_contain_text("Bob (away", timeout=PATIENCE)
    expect(viewer).to_have_text("1: Bob", timeout=PATIENCE)

    bob.page.get_by_text("More: take back, dispute, leave").click()
    bob.act("resign").click()
    bob.page.get_by_role("dialog").get_by_role("button", name="Leave the game").click()

    expect(log).to_contain_text("Bob left the game", timeout=PATIENCE)
    expect(bob.page.locator("#playing")).to_contain_text("A bot plays for you.", timeout=PATIENCE)
    expect(viewer).to_have_text("1: Bob (away; greedy bot)", timeout=PATIENCE)


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_everybody_can_use_it(windows: Windows, size: tuple[int, int]) -> None:
    """axe-core finds nothing while planting, composing, choosing, or in the past; and nothing is too wide."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    ada = windows.open(game, 0, size=size, reduced_motion="reduce")
    page = ada.page
    found = {"planting": ada.violations()}
    ada.begin_trading()
    windows.send(game, 1, {"type": "offer", "to": 0, "want_revealed": [1]})
    expect(ada.act("accept")).to_be_visible()
    page.get_by_role("button", name="Make an offer").click()
    page.locator("#composer .toggle.card").first.click()
    found["composing"] = ada.violations()
    page.locator("#more > summary").click()
    ada.act("offer_end").click()
    found["asking"] = ada.violations()
    page.keyboard.press("Escape")
    assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    page.locator("[data-go=event-back]").click()
    expect(page.locator("#in-the-past")).to_be_visible()
    found["the past"] = ada.violations()
    page.get_by_role("button", name="Back to now").click()
    expect(page.locator("#composer [aria-pressed=true]")).to_have_count(1)
    if size == LAPTOP:
        page.set_viewport_size({"width": SCREEN[0], "height": SCREEN[1]})
        found["a wide screen"] = ada.violations()
        assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    assert {state: violations for state, violations in found.items() if violations} == {}
