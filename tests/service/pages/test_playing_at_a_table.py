"""What a seat in a browser is besides its buttons: taps, drafts, two windows, lost connections, questions."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.service.pages.windows import PHONE, Window, Windows, open_windows

TWICE = "\N{MULTIPLICATION SIGN} 2"
HOSTILE = "<img src=x onerror=document.title='hit'>"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Windows]:
    """One service and one browser for all of these tests."""
    with open_windows(tmp_path_factory.mktemp("table")) as windows:
        yield windows


@pytest.fixture
def windows(shared: Windows) -> Iterator[Windows]:
    """Without the windows of the test before."""
    yield shared
    shared.close()


def to_trading(window: Window) -> None:
    """Plant and reveal, with the buttons."""
    window.press("plant")
    window.press("reveal")
    expect(window.page.get_by_role("button", name="Make an offer")).to_be_visible()


def own_cards(window: Window) -> int:
    """How many cards lie in the hand of seat 0, as the window shows it."""
    return window.page.locator("[data-place^='hand:0:']").count()


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
    assert own_cards(ada) == 4

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
    to_trading(ada)
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


def test_a_draft_stays_while_others_play_and_loses_only_what_is_gone(windows: Windows) -> None:
    """Neither choice nor focus is lost to an event; a card that a trade has taken is, and that is said."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    ada = windows.open(game, 0)
    to_trading(ada)
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


def test_two_windows_of_a_seat_agree(windows: Windows) -> None:
    """What one does the other shows; and what one asks for that the other has done already is not done twice.

    Planting names no card: for a table that has changed it would plant the next one.
    """
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    one, other = windows.open(game, 0), windows.open(game, 0, size=PHONE)
    one.press("plant")
    expect(other.page.locator("[data-place^='hand:0:']")).to_have_count(4)

    # The other one hears of nothing for a while.
    other.page.route("**/events*", lambda route: route.abort())
    other.page.route("**/scene*", lambda route: route.abort())
    other.page.reload()
    other.page.unroute("**/scene*")
    other.page.goto("about:blank")
    other.page.goto(windows.address(game, 0))
    expect(other.act("plant")).to_be_visible()
    other.page.route("**/scene*", lambda route: route.abort())
    one.press("plant")
    other.page.unroute("**/scene*")
    other.act("plant").click()
    expect(other.page.locator("#refusal")).to_contain_text("the table has changed")
    assert own_cards(one) == own_cards(other) == 3
    assert [status for status, _ in other.refusals] == [412]


def test_a_command_counts_once_though_its_answer_was_lost(windows: Windows) -> None:
    """It arrives, its answer does not; the page sends it again by itself, with the same key (Idempotency-Key)."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    ada = windows.open(game, 0)
    keys = []

    def lose_the_first(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    ada.page.route("**/commands?*", lose_the_first)
    ada.press("plant")
    expect(ada.page.locator("[data-place^='hand:0:']")).to_have_count(4)
    assert len(keys) == 2
    assert len(set(keys)) == 1


def test_a_connection_that_is_cut_in_the_middle_of_a_trade_comes_back(windows: Windows) -> None:
    """What was composed is still there, what happened meanwhile too, and the offer is made once."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    ada = windows.open(game, 0)
    to_trading(ada)
    page = ada.page
    page.get_by_role("button", name="Make an offer").click()
    page.locator("#composer .toggle.card").nth(2).click()

    ada.context.set_offline(True)
    windows.send(game, 2, {"type": "offer", "to": 0, "want_revealed": [1]})
    page.get_by_role("button", name="Send the offer").click()
    again = page.get_by_role("button", name="Send again")
    expect(again).to_be_visible(timeout=30_000)
    expect(page.locator("#refusal")).to_contain_text("There is no connection")
    ada.context.set_offline(False)
    expect(page.locator("#offer-list .offer")).to_have_count(1, timeout=30_000)
    expect(page.locator("#composer [aria-pressed=true]")).to_have_count(1)

    again.click()
    ada.settle()
    expect(page.locator("#offer-list .offer.is-mine")).to_have_count(1)
    assert [offer["seat"] for offer in windows.ask(game)["offers"]] == [2, 0]


def test_an_offer_that_has_just_gone_is_refused_with_a_reason(windows: Windows) -> None:
    """Somebody is quicker: the page says that it is too late, what the service says, and the booklet's section."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    ada = windows.open(game, 0)
    to_trading(ada)
    windows.send(game, 1, {"type": "offer", "to": 0, "want_revealed": [1]})
    expect(ada.act("accept")).to_be_visible()
    ada.page.route("**/scene*", lambda route: route.abort())
    windows.send(game, 1, {"type": "withdraw", "offer": 1})
    ada.act("accept").click()
    ada.page.wait_for_timeout(200)
    ada.page.unroute("**/scene*")
    ada.settle()
    refusal = ada.page.locator("#refusal")
    expect(refusal).to_contain_text("Too late: the table has changed meanwhile.")
    expect(refusal).to_contain_text("No open offer has the number 1")
    expect(refusal).to_contain_text("Rule: ")
    expect(ada.page.locator("#offer-list .offer")).to_have_count(0)


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
    to_trading(ada)
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
    to_trading(ada)
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


def test_taking_back_and_ending_together_are_asked_and_answered(windows: Windows) -> None:
    """Behind a word of their own, each with a question first; the other side sees what is asked, and answers."""
    game = windows.game("bean-duel", ("Ada", "Bob"))
    ada, bob = windows.open(game, 0), windows.open(game, 1)
    ada.press("plant")
    ada.page.locator("#more > summary").click()
    ada.act("ask_take_back").click()
    ada.page.get_by_role("dialog").get_by_role("button", name=re.compile("^To event")).first.click()
    expect(bob.page.locator("#questions")).to_contain_text("asked by Ada")
    bob.press("decline_take_back")
    expect(ada.page.locator("#questions")).to_be_hidden()

    ada.page.locator("[data-act=offer_end]").last.click()
    ada.page.get_by_role("dialog").locator(".act.main").click()
    expect(bob.page.locator("#questions")).to_contain_text("proposed by Ada")
    bob.press("accept_end")
    for window in (ada, bob):
        expect(window.page.locator("#result-title")).to_have_text("The game has ended without a winner")
        assert (window.refusals, window.complaints) == ([], [])


def test_a_player_opens_a_dispute_and_the_game_waits(windows: Windows) -> None:
    """Until the case is settled one can only talk, and the page says so."""
    game = windows.game("bean-duel", ("Ada", "Bob"))
    ada, bob = windows.open(game, 0), windows.open(game, 1)
    ada.press("plant")
    bob.page.locator("#more > summary").click()
    bob.act("dispute").click()
    dialog = bob.page.get_by_role("dialog")
    dialog.get_by_label("What it is about").select_option("mistake")
    dialog.get_by_label("In your own words").fill("That was not the card you named.")
    dialog.get_by_label("The game waits for the ruling").check()
    dialog.get_by_role("button", name="Open a dispute").click()
    expect(dialog.get_by_role("status")).to_have_text("Dispute 1 is open.")
    dialog.get_by_role("button", name="Close").click()
    expect(ada.page.locator("#questions")).to_contain_text("waits for dispute 1")
    assert ada.page.locator("#turn-acts [data-act]").count() == 0
    ada.page.get_by_role("textbox", name="Say something").fill("It was.")
    ada.page.keyboard.press("Enter")
    expect(bob.page.locator("#talk-list")).to_contain_text("Ada: It was.")

    bob.act("go-on").click()
    for window in (ada, bob):
        expect(window.page.locator("#questions")).to_be_hidden()
    expect(ada.act("plant")).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, (1280, 900)], ids=["phone", "laptop"])
def test_everybody_can_use_it(windows: Windows, size: tuple[int, int]) -> None:
    """axe-core finds nothing while planting, composing, choosing, or in the past; and nothing is too wide."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    ada = windows.open(game, 0, size=size, reduced_motion="reduce")
    page = ada.page
    found = {"planting": ada.violations()}
    to_trading(ada)
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
    assert {state: violations for state, violations in found.items() if violations} == {}
