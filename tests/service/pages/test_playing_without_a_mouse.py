"""Whole games against a bot without a mouse: with the keyboard alone, and by what a screen reader is told alone."""

import random
import re

from playwright.sync_api import Locator, Page, expect

from tests.service.pages.windows import Window, Windows

MOST_ACTS = 600
"""No game takes one of two players so many."""
MOST_STOPS = 200
"""So often the tab key is pressed at most until one is where one wants to be."""
OVER = re.compile("(won|winner|victory)", re.IGNORECASE)
ACTS = re.compile("^(Plant|Discard|Reveal|Draw)")
HARVESTS = re.compile("^Harvest")
PLANTS = re.compile("^Plant")


def reach(page: Page, selector: str) -> int:
    """Go with the tab key to an element that this selects; after how many presses one is there."""
    for stops in range(MOST_STOPS):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return stops
        page.keyboard.press("Tab")
    raise AssertionError(selector)


def wanted(window: Window, chance: random.Random) -> str:
    """A selector of what to do next: what the turn asks for, a harvest where nothing else can be done."""
    page = window.page
    for kind in ("claim_bonus", "plant", "plant_aside", "plant_revealed"):
        if page.locator(f"#playing [data-act={kind}]:visible").count():
            return f"#playing [data-act={kind}]"
    phase = page.locator("#status .badge.phase").text_content() or ""
    others = "#turn-acts [data-act]"
    harvest = "#playing [data-act=harvest]"
    if not page.locator(f"{others}:visible").count() or ("plant" in phase and page.locator(harvest).count()):
        return harvest
    kinds = {each.get_attribute("data-act") for each in page.locator(others).all() if each.is_visible()}
    return f"#turn-acts [data-act={chance.choice(sorted(filter(None, kinds)))}]"


def test_a_game_of_the_duel_is_played_with_the_keyboard_alone(windows: Windows) -> None:
    """Tab and Enter lead through a whole game: after an act one goes on at the heading of what can be done next."""
    game = windows.game("the-duel", ("Ada",), bots=1)
    window = windows.open(game, 0)
    chance, acts, stops = random.Random(3), 0, []
    while not window.is_over():
        assert acts < MOST_ACTS
        if not window.is_awaited():
            window.page.wait_for_timeout(30)
            continue
        stops.append(reach(window.page, wanted(window, chance)))
        window.page.keyboard.press("Enter")
        window.settle()
        acts += 1
    expect(window.page.locator("#result-title")).to_be_focused()
    assert (window.refusals, window.complaints) == ([], [])
    # Where one is after an act, the next one is near: half of them within a dozen presses.
    assert sorted(stops)[len(stops) // 2] <= 12


def test_a_card_is_planted_with_the_keyboard_on_the_table_itself(windows: Windows) -> None:
    """A card is a button with a name that says what it does, and so is the field that it can go to."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    page = windows.open(game, 0).page
    reach(page, "[data-place^='hand:0:']")
    page.keyboard.press("Enter")
    expect(page.locator(":focus")).to_have_attribute("aria-pressed", "true")
    reach(page, "[data-place='field:0:1']")
    page.keyboard.press(" ")
    expect(page.locator("[data-place='field:0:1'] .chip")).to_have_count(1)
    # There is more to do at the field: so one stays there.
    expect(page.locator("[data-place='field:0:1']")).to_be_focused()


def test_a_trade_is_made_with_the_keyboard_alone(windows: Windows) -> None:
    """From the first card to the acceptance, for who offers a gift and for who gets it (base game, "trading")."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    ada, bob = windows.open(game, 0), windows.open(game, 1)

    def press(window: Window, selector: str, key: str = "Enter") -> None:
        reach(window.page, selector)
        window.page.keyboard.press(key)
        window.settle()

    for act in ("plant", "reveal"):
        press(ada, f"#playing [data-act={act}]")
    press(ada, "[data-key=compose] button")
    press(ada, "#composer .toggle.card", " ")
    press(ada, "#composer .act.main:not([aria-disabled=true])")
    expect(bob.page.locator("#offer-list .offer")).to_have_count(1)
    press(bob, "[data-act=accept]")
    expect(ada.page.locator("[data-place^='aside:1:']")).to_have_count(1)
    assert (ada.refusals, ada.complaints, bob.refusals, bob.complaints) == ([], [], [], [])


def test_a_trade_is_made_by_the_accessible_tree_alone(windows: Windows) -> None:
    """What one gives is a group of buttons with names; the offer is answered by a button that says which one."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    ada, bob = windows.open(game, 0), windows.open(game, 1)
    for name in (PLANTS, re.compile("^Reveal")):
        ada.page.get_by_role("region", name="It is your turn").get_by_role("button", name=name).first.click()
        ada.settle()
    ada.page.get_by_role("button", name="Make an offer").click()
    ada.page.get_by_role("group", name="You give").get_by_role("button").first.click()
    ada.page.get_by_role("button", name="Send the offer").click()
    bob.page.get_by_role("button", name=re.compile("^Accept")).click()
    bob.settle()
    assert windows.ask(game)["seats"][1]["aside"], "nothing was traded"
    assert (ada.refusals, ada.complaints, bob.refusals, bob.complaints) == ([], [], [], [])


def test_a_game_of_bean_duel_is_played_by_the_accessible_tree_alone(windows: Windows) -> None:
    """Every act has a role and a name, and who is waited for stands in a heading; no other mark is looked at."""
    game = windows.game("bean-duel", ("Ada",), bots=1)
    window = windows.open(game, 0)
    page, chance, acts = window.page, random.Random(4), 0
    while not page.get_by_role("heading", name=OVER).count():
        assert acts < MOST_ACTS
        region = page.get_by_role("region", name=re.compile("^(It is your turn|The table waits)"))
        pressed = region.count() and press_one(region, chance)
        window.settle()
        acts += bool(pressed)
        page.wait_for_timeout(30)
    assert (window.refusals, window.complaints) == ([], [])


def press_one(region: Locator, chance: random.Random) -> bool:
    """Plant what can be planted, or do what else there is; whether there was anything."""
    for name in (PLANTS, ACTS, HARVESTS):
        buttons = region.get_by_role("button", name=name)
        if buttons.count():
            buttons.nth(chance.randrange(buttons.count())).click()
            return True
    return False
