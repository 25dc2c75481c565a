"""What people ask of each other at a table: to take something back, to end together, to have a case decided."""

import re

from playwright.sync_api import expect

from tests.service.pages.windows import Windows


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

    # A link to the end leads there, and the page that is loaded again stays there.
    bob.page.wait_for_url(f"**#v={bob.version()}&as=*")
    for window in (ada, bob):
        window.act("rematch").click()
        window.page.wait_for_url(lambda url: game["game"] not in url)
    assert ada.page.url.partition("#")[0] == bob.page.url.partition("#")[0]
    expect(bob.act("plant")).to_be_visible()
    assert (bob.refusals, bob.complaints) == ([], [])
    # Who was at both tables by a link finds both on the first page, until everybody finds the one that is over.
    new = bob.page.url.partition("#")[0].rpartition("/")[2]
    bob.page.goto(f"http://127.0.0.1:{windows.service.port}/")
    expect(bob.page.locator(f"#yours a[href='/games/{new}']")).to_be_visible()


def test_a_dispute_is_first_about_what_one_did_last(windows: Windows) -> None:
    """And where one looks at the past, about what one sees there."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    ada = windows.open(game, 0)
    ada.begin_trading()
    windows.send(game, 1, {"type": "offer", "to": 0, "want_revealed": [1]})
    expect(ada.page.locator("#offer-list .offer")).to_have_count(1)
    ada.page.locator("#more > summary").click()
    ada.act("dispute").click()
    dialog = ada.page.get_by_role("dialog")
    expect(dialog.get_by_role("status").first).to_contain_text("Ada revealed")
    assert int(dialog.get_by_label("Which event").input_value()) < ada.version()
    assert (ada.refusals, ada.complaints) == ([], [])


def test_a_draw_is_no_victory_and_equal_places_have_one_number(windows: Windows) -> None:
    """Everybody who agreed to it stands first; nobody is called a winner."""
    game = windows.game("classic", ("Ada", "Bob", "Cleo"))
    ada = windows.open(game, 0)
    windows.send(game, 1, {"type": "offer_end", "kind": "drawn"})
    windows.send(game, 2, {"type": "accept_end"})
    ada.press("accept_end")
    expect(ada.page.locator("#result-title")).to_have_text("A draw")
    places = ada.page.locator("#result ol > li")
    assert places.evaluate_all("(all) => all.map((each) => each.value)") == [1, 1, 1]
    assert places.locator(".badge").all_inner_texts() == ["draw"] * 3


def test_a_player_opens_a_dispute_and_the_game_waits(windows: Windows) -> None:
    """Until the case is settled one can only talk, and the page says so, and when somebody has ruled."""
    game = windows.game("bean-duel", ("Ada", "Bob"))
    ada, bob = windows.open(game, 0), windows.open(game, 1)
    ada.press("plant")
    bob.page.locator("#more > summary").click()
    bob.act("dispute").click()
    dialog = bob.page.get_by_role("dialog")
    reason = dialog.get_by_label("What it is about")
    reason.select_option("mistake")
    expect(reason.locator("option:checked")).to_have_text("A mistake")
    number = dialog.get_by_label("Which event")
    number.fill(str(int(number.input_value()) - 1))
    expect(dialog.get_by_role("status").first).to_contain_text("The turn went on to planting")
    number.fill("99999")
    expect(dialog.get_by_role("status").first).to_be_empty()
    number.fill(str(bob.version()))
    expect(dialog.get_by_role("status").first).to_contain_text("Ada planted")
    dialog.get_by_label("In your own words").fill("That was not the card you named.")
    for _ in range(2):
        bob.page.keyboard.press("Escape")
        expect(bob.page.get_by_text("What you have written was not sent yet.")).to_be_visible()
        bob.page.get_by_role("button", name="No, go back").click()
    expect(dialog.get_by_label("In your own words")).to_have_value("That was not the card you named.")
    dialog.get_by_label("The game waits for the ruling").check()
    dialog.get_by_role("button", name="Open a dispute").click()
    expect(dialog.get_by_role("status").last).to_have_text("Dispute 1 is open. Look at dispute 1")
    expect(dialog.get_by_role("heading")).to_have_text("Dispute 1")
    expect(dialog.get_by_role("button", name="Open a dispute")).to_be_hidden()
    expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    dialog.get_by_role("button", name="Close").click()
    expect(ada.page.locator("#questions")).to_contain_text("waits for dispute 1")
    assert ada.page.locator("#turn-acts [data-act]").count() == 0
    expect(ada.page.locator("#more > summary")).to_have_text("More: dispute")
    expect(ada.act("go-on")).to_have_text("Ask to play on until the ruling")
    ada.page.get_by_role("textbox", name="Say something").fill("It was.")
    ada.page.keyboard.press("Enter")
    expect(bob.page.locator("#talk-list")).to_contain_text("Ada: It was.")

    bob.act("go-on").click()
    for window in (ada, bob):
        expect(window.page.locator("#questions")).to_be_hidden()
    expect(ada.act("plant")).to_be_visible()

    case, key = f"/v1/games/{game['game']}/disputes/1", windows.service.key(("arbitrate",))
    ruling = {"kind": "dismissed", "scope": "the first bean", "reason": "It was named."}
    for path, body in (("claim", None), ("rulings", ruling)):
        assert windows.service.api.call("POST", f"{case}/{path}", body, token=key).status < 300
    expect(ada.page.locator("#questions")).to_contain_text("An arbiter has ruled on dispute 1.")
    ada.page.get_by_role("link", name="Look at dispute 1").click()
    ada.page.get_by_role("button", name="Accept the ruling").click()
    expect(ada.page.get_by_role("button", name="Accept the ruling")).to_have_count(0)
    ada.page.get_by_role("link", name="To the game").click()
    expect(ada.page.locator("#play-title")).to_be_visible()
