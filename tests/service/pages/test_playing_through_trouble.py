"""Two windows of a seat, answers that are lost, connections that are cut, others who are quicker."""

from playwright.sync_api import Route, expect

from tests.service.pages.windows import PHONE, Windows, await_so_many


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

    # The same draft sent as if for the first time is the same offer.
    ada.context.set_offline(True)
    page.get_by_role("button", name="Send the offer").click()
    expect(again).to_be_visible(timeout=30_000)
    ada.context.set_offline(False)
    again.click()
    ada.settle()
    expect(page.locator("#offer-list .offer.is-mine")).to_have_count(1)
    expect(page.locator("#composer")).to_be_hidden()
    assert [offer["seat"] for offer in windows.ask(game)["offers"]] == [2, 0]


def test_an_offer_whose_answer_was_lost_is_made_once(windows: Windows) -> None:
    """Whether one presses *Send again* or the button of the form once more."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    ada = windows.open(game, 0)
    ada.begin_trading()
    page = ada.page
    page.get_by_role("button", name="Make an offer").click()
    page.locator("#composer .toggle.card").nth(2).click()

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/commands?*", lose)
    page.get_by_role("button", name="Send the offer").click()
    expect(page.get_by_role("button", name="Send again")).to_be_visible()
    expect(page.locator("#offer-list .offer.is-mine")).to_have_count(1)
    page.unroute("**/commands?*")
    page.get_by_role("button", name="Send the offer").click()
    ada.settle()
    expect(page.locator("#composer")).to_be_hidden()
    assert [offer["seat"] for offer in windows.ask(game)["offers"]] == [0]


def test_what_is_typed_while_something_is_said_stays(windows: Windows) -> None:
    """The line is emptied of what was said, and of nothing else."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    ada = windows.open(game, 0)
    line = ada.page.get_by_role("textbox", name="Say something")
    held: list[Route] = []
    ada.page.route("**/commands?*", lambda route: held.append(route))  # noqa: PLW0108 - it takes no method
    line.fill("Who wants a blue one?")
    line.press("Enter")
    await_so_many(ada.page, held, 1)
    line.fill("Or two?")
    held[0].continue_()
    ada.settle()
    expect(ada.page.locator("#talk-list li")).to_have_text("Ada: Who wants a blue one?")
    expect(line).to_have_value("Or two?")
    ada.page.unroute("**/commands?*")
    line.press("Enter")
    expect(ada.page.locator("#talk-list li")).to_have_count(2)
    expect(line).to_have_value("")


def test_a_list_of_acts_closes_when_one_of_them_is_gone(windows: Windows) -> None:
    """What stands there would mean something else now; what others say changes nothing in it."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    ada = windows.open(game, 0)
    ada.press("plant")
    ada.page.locator("[data-place='field:0:0'][role=button]").click()
    dialog = ada.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    windows.send(game, 1, {"type": "say", "text": "Well?"})
    expect(ada.page.locator("#talk-list li")).to_have_count(1)
    expect(dialog).to_be_visible()
    windows.send(game, 0, {"type": "harvest", "field": 0})
    expect(dialog).to_have_count(0)
    assert ada.complaints == []


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
