"""Two windows of a seat, answers that are lost, connections that are cut, others who are quicker."""

from playwright.sync_api import Route, expect

from tests.service.pages.windows import PHONE, Windows


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
    other.page.reload()
    expect(other.act("plant")).to_be_visible()
    other.page.route("**/scene*", lambda route: route.abort())
    one.press("plant")
    other.page.unroute("**/scene*")
    other.act("plant").click()
    expect(other.page.locator("#refusal")).to_contain_text("the table has changed")
    assert one.own_cards() == other.own_cards() == 3
    assert [status for status, _ in other.refusals] == [412]


def test_a_page_that_is_loaded_again_is_at_the_table_as_it_is_now(windows: Windows) -> None:
    """Its address names no moment while one follows the game; it does where one looks back."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    bob = windows.open(game, 1)
    bob.page.wait_for_url("**#as=seat:1")
    bob.page.goto("about:blank")
    windows.send(game, 0, {"type": "plant", "field": 0})
    bob.page.go_back()
    expect(bob.page.locator("#in-the-past")).to_be_hidden()
    expect(bob.page.locator("[data-place='field:0:0'] .chip")).to_have_count(1)

    bob.page.locator("[data-go=event-back]").click()
    bob.page.wait_for_url("**#v=*&as=seat:1")
    bob.page.reload()
    expect(bob.page.locator("#in-the-past")).to_be_visible()


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
    ada.begin_trading()
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
    """Somebody is quicker: the page says that it is too late, why, and the rule, in the language of its reader."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    ada, german = windows.open(game, 0), windows.open(game, 0, size=PHONE, locale="de-DE")
    ada.begin_trading()
    windows.send(game, 1, {"type": "offer", "to": 0, "want_revealed": [1]})
    for window in (ada, german):
        expect(window.act("accept")).to_be_visible()
        window.page.route("**/scene*", lambda route: route.abort())
    windows.send(game, 1, {"type": "withdraw", "offer": 1})
    for window in (ada, german):
        window.act("accept").click()
        window.page.wait_for_timeout(200)
        window.page.unroute("**/scene*")
        window.settle()
        expect(window.page.locator("#offer-list .offer")).to_have_count(0)
    refusal = ada.page.locator("#refusal")
    expect(refusal).to_contain_text("Too late: the table has changed meanwhile.")
    expect(refusal).to_contain_text("No open offer has the number 1")
    expect(refusal).to_contain_text("Rule: a house rule of Fieldbook")
    refusal = german.page.locator("#refusal")
    expect(refusal).to_contain_text("Zu spät: Der Tisch hat sich inzwischen geändert.")
    expect(refusal).to_contain_text("Dieses Angebot steht nicht mehr.")
    expect(refusal).to_contain_text("Regel: eine Hausregel von Fieldbook")
    expect(refusal.locator("[lang=en]")).to_have_count(0)
    below = "element => element.getBoundingClientRect().bottom"
    heading = german.page.locator("#playing > header").evaluate(below)
    top = refusal.evaluate("element => element.getBoundingClientRect().top")
    assert top >= heading, "on a phone the heading would stand before it"
