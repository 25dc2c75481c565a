"""What a case at the desk says to whoever looks: until when what, when a ruling takes effect, what comes next."""

import re

from playwright.sync_api import Browser, Page, expect

from tests.service.pages.test_judging import dispute, newest, open_desk
from tests.service.pages.test_judging_through_trouble import claim, open_case, parties_with_cases
from tests.service.pages.test_judging_together import act, rule
from tests.support.chromium import LAPTOP, PHONE, Reader, reader
from tests.support.http_play import Party
from tests.support.processes import Service


def open_as_party(someone: Reader, service: Service, party: Party, case: str, seat: int = 1) -> Page:
    """Open a case as somebody at the table, whose seat's link the browser has."""
    page = someone.page
    page.goto(f"http://127.0.0.1:{service.port}/games/{party.game}#token={party.tokens[seat]}")
    expect(page.locator("#seats article").first).to_be_visible()
    open_desk(someone, service, case)
    expect(page.locator("#case-title")).to_be_visible()
    return page


def rule_to_go_back(service: Service, party: Party, key: str) -> int:
    """Claim the first case of a game and rule that it goes back as little as it can; the version to which it does."""
    act(service, party, "claim", key)
    path = f"/v1/games/{party.game}/disputes/1"
    ruling = {"kind": "rewound", "scope": "the end", "reason": "A slip.", "seen_confirmed": True}
    for version in range(newest(party) - 1, 0, -1):
        body = ruling | {"to_version": version}
        if service.api.call("POST", f"{path}/previews", body, token=key).status == 200:
            act(service, party, "rulings", key, body)
            return version
    raise AssertionError("there is no version to go back to")


def test_each_status_says_until_when_what(service: Service, chromium: Browser) -> None:
    """In the case and in the queue; and since a ruling was given, when it takes effect."""
    ((party, case),) = parties_with_cases(service, 61)
    key, other = service.key(("arbitrate",)), service.key(("arbitrate",))
    ruling = {"kind": "dismissed", "scope": "the talk", "reason": "It was said openly."}

    with reader(chromium) as someone:
        page = open_desk(someone, service, case, key)
        row = page.get_by_role("link").filter(has_text=case)
        effect = page.locator("#case .effect")

        def says(label: str) -> None:
            page.reload()
            expect(page.locator("#case dt").filter(has_text=label)).to_have_count(1)
            expect(row).to_contain_text(label)

        says("to be claimed by")
        act(service, party, "claim", key)
        says("to be ruled on by")
        expect(page.locator("#case dl")).to_contain_text("Arbiter")
        act(service, party, "rulings", key, ruling)
        says("appeal possible until")
        expect(effect).to_contain_text("as soon as all parties have accepted it, and without an appeal on ")
        expect(page.locator("#case dl")).to_contain_text(re.compile("Arbiter.*tests"))
        expect(page.locator("#case dl")).to_contain_text("Still to acceptAda, Bob, and Cleo")
        act(service, party, "acceptance", party.tokens[2])
        act(service, party, "appeal", party.tokens[1], {"text": "I did not hear it."})
        says("appeal to be claimed by")
        expect(effect).to_contain_text("If no other arbiter claims the appeal by ")
        expect(page.locator("#case dl")).not_to_contain_text("Arbiter")
        act(service, party, "claim", other)
        says("appeal to be ruled on by")
        expect(effect).to_contain_text("takes effect at once")
        act(service, party, "rulings", other, ruling)
        page.reload()
        expect(effect).to_contain_text("Final since ")
        expect(page.locator("#case .ruling")).to_have_count(2)


def test_a_case_says_how_long_the_game_waits_for_it(service: Service, chromium: Browser) -> None:
    """A day at most; once there is a ruling until that is final, and then no more."""
    party = service.people(62)
    party.play(6)
    case = dispute(party, pause=True)
    key = service.key(("arbitrate",))
    with reader(chromium) as someone:
        page = open_desk(someone, service, case, key)
        facts = page.locator("#case dl")
        expect(facts).to_contain_text("The game waits until")
        rule(service, party, key)
        expect(facts).to_contain_text("waits until a ruling is final")
        for token in party.tokens:
            act(service, party, "acceptance", token)
        expect(page.locator("#case-title")).to_contain_text("final")
        expect(facts).not_to_contain_text("waits")


def test_a_party_sees_who_ruled_and_to_where_the_game_goes_back(service: Service, chromium: Browser) -> None:
    """Before it accepts, which is the main thing; it needs no key, and nothing is asked for that it may not see."""
    party = service.people(63)
    party.play(12)
    case, key = dispute(party), service.key(("arbitrate",))
    back = rule_to_go_back(service, party, key)
    with reader(chromium) as someone:
        page = open_as_party(someone, service, party, case)
        box = page.locator("#case .ruling")
        expect(box).to_contain_text("tests")
        expect(box).to_contain_text("20")
        expect(box).to_contain_text("As it was after this:")
        box.get_by_role("button", name=f"version {back}").click()
        expect(page.locator("#version")).to_have_value(str(back))
        expect(page.get_by_role("button", name="Open the desk")).to_be_hidden()
        expect(page.locator(":is(nav, #case) button.main:visible")).to_have_text(["Accept the ruling"])
        page.locator("#holding summary").click()
        expect(page.get_by_label("Key", exact=True)).to_be_visible()
        page.get_by_role("button", name="Accept the ruling").click()
        expect(page.get_by_role("button", name="Accept the ruling")).to_have_count(0)
        assert [each.url for each in someone.answers if each.status == 403] == []


def test_a_ruling_that_names_winners_says_who(service: Service, chromium: Browser) -> None:
    """And with which scores, where it gives any."""
    ((party, case),) = parties_with_cases(service, 64)
    result = {"kind": "replaced", "winners": [1], "scores": [3, 9, 4]}
    rule(service, party, service.key(("arbitrate",)), **result)
    with reader(chromium) as someone:
        page = open_as_party(someone, service, party, case)
        box = page.locator("#case .ruling")
        expect(box).to_contain_text("Who has won: Bob")
        expect(box).to_contain_text("Ada 3, Bob 9, Cleo 4")


def test_a_ruling_that_comes_with_new_moments_says_to_which(service: Service, chromium: Browser) -> None:
    """The game has gone on, and an arbiter rules that it goes back to a moment that the page has not read yet."""
    ((party, case),) = parties_with_cases(service, 68)
    key = service.key(("arbitrate",))
    with reader(chromium) as someone:
        page = open_desk(someone, service, case, key)
        expect(page.locator("#case-title")).to_be_visible()
        before = newest(party)
        party.play(8)
        back = rule_to_go_back(service, party, key)
        assert back > before
        box = page.locator("#case .ruling")
        expect(box).to_contain_text(f"version {back}")
        expect(box).to_contain_text("As it was after this:")


def test_a_ruling_proposes_the_scores_of_now(service: Service, chromium: Browser) -> None:
    """Of the table as the game has gone on; not where the arbiter has written another one."""
    ((party, case),) = parties_with_cases(service, 69)
    with reader(chromium) as someone:
        page = open_desk(someone, service, case, service.key(("arbitrate",)))
        claim(page)
        page.locator("#ruling-kind").select_option("replaced")
        page.locator("#ruling-score-2").fill("77")
        page.locator("#ruling-kind").select_option("annulled")
        coins, is_over = [0, 0], False
        while not any(coins) and not is_over:  # a game may end without a coin for these two
            is_over = party.play(20)
            seats = party.api.call("GET", f"/v1/games/{party.game}", token=party.tokens[0]).json["seats"]
            coins = [len(each["coins"]) for each in seats[:2]]
        expect(page.locator("#of-last")).to_contain_text(str(newest(party)))
        page.locator("#ruling-kind").select_option("replaced")
        for seat, score in enumerate([*coins, 77]):
            expect(page.locator(f"#ruling-score-{seat}")).to_have_value(str(score))


def test_the_desk_says_what_comes_first(service: Service, chromium: Browser) -> None:
    """A key; then a case, unless none waits, which is not the filters' doing where none is set."""
    with reader(chromium) as someone:
        page = open_desk(someone, service)
        expect(page.locator("#no-case")).to_contain_text("Give a key first")
        page.route("**/v1/disputes?*", lambda route: route.fulfill(json={"disputes": [], "next": None}))
        open_desk(someone, service, key=service.key(("arbitrate",)))
        expect(page.locator("#queue-said")).to_have_text("No case waits.")
        expect(page.locator("#no-case")).to_contain_text("Choose a case")
        page.locator("#by-status").select_option("ruled")
        expect(page.locator("#queue-said")).to_have_text("No case waits that the filters let through.")


def test_what_a_kind_of_ruling_asks_for_stands_below_it(service: Service, chromium: Browser) -> None:
    """In sight of whoever chooses it, and not below the edge of the panel."""
    ((_, case),) = parties_with_cases(service, 65)
    with reader(chromium, LAPTOP) as someone:
        page = open_desk(someone, service, case, service.key(("arbitrate",)))
        claim(page)
        scope = page.locator("#ruling-scope")
        for kind, asks in (("rewound", "#ruling-back_to"), ("awarded", "#ruling-winner-0")):
            page.locator("#ruling-kind").select_option(kind)
            expect(page.locator(asks)).to_be_in_viewport()
            assert top(page, "#ruling-kind") < top(page, asks) < top(page, "#ruling-scope"), kind
        expect(scope).to_be_visible()


def top(page: Page, selector: str) -> float:
    """How far below the upper edge of the window something stands."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["y"]


def test_on_a_phone_the_case_comes_into_sight(service: Service, chromium: Browser) -> None:
    """From the list one is led to it; the filters before the list are folded."""
    ((party, case), _) = parties_with_cases(service, 66, 67)
    with reader(chromium, PHONE) as someone:
        page = open_desk(someone, service, key=service.key(("arbitrate",)))
        expect(page.get_by_role("link").filter(has_text=case)).to_be_visible()
        expect(page.locator("#by-status")).to_be_hidden()
        open_case(page, case)
        expect(page.locator("#case")).to_be_focused()
        expect(page.locator("#case-title")).to_be_in_viewport(ratio=1)
        assert 0 <= top(page, "#case-title") < PHONE[1] / 3
        page.get_by_text("Filters", exact=True).click()
        page.locator("#by-status").select_option("ruled")
        expect(page.get_by_role("link").filter(has_text=case)).to_have_count(0)
    assert party.game in case
