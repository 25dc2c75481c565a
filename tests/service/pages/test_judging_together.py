"""A case that is open at the desk while others act in it: it follows them, and loses nothing that is half written."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, Page, Route, expect

from tests.service.pages.test_judging import dispute, newest, open_desk
from tests.service.pages.test_judging_through_trouble import claim, fill_in, hold, parties_with_cases
from tests.service.pages.windows import await_so_many
from tests.support.chromium import reader
from tests.support.http_play import Party
from tests.support.processes import Service


def act(service: Service, party: Party, act: str, token: str, body: Any = None) -> None:
    """Do something in the first case of a game."""
    answer = service.api.call("POST", f"/v1/games/{party.game}/disputes/1/{act}", body, token=token)
    assert answer.status == 200, answer.body


def rule(service: Service, party: Party, key: str, **ruling: Any) -> None:
    """Claim the first case of a game and rule in it."""
    act(service, party, "claim", key)
    act(service, party, "rulings", key, {"kind": "dismissed", "scope": "all", "reason": "So be it."} | ruling)


def seconds_pass(page: Page) -> None:
    """Wait as long as an open case waits before it looks again, and a little longer."""
    page.wait_for_timeout(6_500)


def test_an_open_case_follows_what_others_do(service: Service, chromium: Browser) -> None:
    """A party accepts, then all have: the desk says so by itself, in the case and in the queue."""
    ((party, case),) = parties_with_cases(service, 41)
    key = service.key(("arbitrate",))
    rule(service, party, key)
    with reader(chromium) as someone:
        page = open_desk(someone, service, case, key)
        expect(page.locator("#case-title")).to_contain_text("ruled")
        page.get_by_text("What has happened in this case").click()
        act(service, party, "acceptance", party.tokens[1])
        expect(page.locator(".history")).to_contain_text("accepted by")
        for token in (party.tokens[0], party.tokens[2]):
            act(service, party, "acceptance", token)
        expect(page.locator("#case-title")).to_contain_text("final")
        expect(page.get_by_role("link").filter(has_text=case)).to_have_count(0)


def test_the_table_of_an_open_case_follows_the_game(service: Service, chromium: Browser) -> None:
    """There are more versions to go to; the moment that one looks at stays."""
    ((party, case),) = parties_with_cases(service, 42)
    here = newest(party)
    with reader(chromium) as someone:
        page = open_desk(someone, service, case, service.key(("arbitrate",)))
        expect(page.locator("#of-last")).to_contain_text(str(here))
        party.play(5)
        assert newest(party) > here
        expect(page.locator("#of-last")).to_contain_text(str(newest(party)))
        expect(page.locator("#version")).to_have_value(str(here))
        page.keyboard.press("End")
        expect(page.locator("#version")).to_have_value(str(newest(party)))


def test_a_game_without_a_case_is_watched_as_it_goes_on(service: Service, chromium: Browser) -> None:
    """Whoever looks at its last moment sees the next one."""
    party = service.people(43)
    party.play(4)
    with reader(chromium) as someone:
        page = open_desk(someone, service, key=service.key(("arbitrate",)))
        page.get_by_label("Any game: link or id").fill(party.game)
        page.get_by_role("button", name="Open the game").click()
        expect(page.locator("#version")).to_have_value(str(newest(party)))
        party.play(4)
        expect(page.locator("#version")).to_have_value(str(newest(party)))
        expect(page.locator("#case")).to_contain_text(f"as far as version {newest(party)}")


def test_who_writes_is_not_disturbed_by_what_others_do(service: Service, chromium: Browser) -> None:
    """A party adds evidence while a ruling is looked at: that stays as it is, ready to be given, and the focus."""
    ((party, case),) = parties_with_cases(service, 44)
    with reader(chromium) as someone:
        page = open_desk(someone, service, case, service.key(("arbitrate",)))
        claim(page)
        fill_in(page)
        page.get_by_role("button", name="Show what it would change").click()
        give = page.get_by_role("button", name="Give this ruling")
        expect(give).to_be_focused()
        act(service, party, "evidence", party.tokens[1], {"text": "He did not see it.", "versions": []})
        expect(page.locator("#case .comment").last).to_have_text("He did not see it.")
        expect(page.locator("#ruling-scope")).to_have_value("the whole game")
        expect(give).to_be_focused()
        give.click()
        expect(page.locator("#case-title")).to_contain_text("ruled")


def test_what_is_half_written_stays_where_it_may_not_be_sent_any_more(
    service: Service, chromium: Browser
) -> None:
    """A party writes evidence when the ruling is given: its words are there, and so is what it may do now."""
    ((party, case),) = parties_with_cases(service, 45)
    with reader(chromium) as someone:
        page = someone.page
        page.goto(f"http://127.0.0.1:{service.port}/games/{party.game}#token={party.tokens[1]}")
        expect(page.locator("#seats article").first).to_be_visible()
        open_desk(someone, service, case)
        page.get_by_text("Add evidence").first.click()
        page.get_by_role("textbox", name="Add evidence").fill("half a sentence")
        rule(service, party, service.key(("arbitrate",)))
        expect(page.get_by_role("button", name="Accept the ruling")).to_be_visible()
        expect(page.get_by_role("textbox", name="Add evidence")).to_have_value("half a sentence")
        expect(page.get_by_role("textbox", name="Add evidence")).to_be_focused()
        page.get_by_role("button", name="Add evidence").click()
        expect(page.locator("#acts .refused:not(:empty)")).to_contain_text("ruled")


def test_nothing_is_asked_where_nothing_can_change(service: Service, chromium: Browser) -> None:
    """Neither of a case that is closed, nor of one that has ended in a game that has."""
    ((party, case),) = parties_with_cases(service, 46)
    key = service.key(("arbitrate",))
    rule(service, party, key, kind="annulled")
    with reader(chromium) as someone:
        page = open_desk(someone, service, case, key)
        expect(page.locator("#case-title")).to_contain_text("ruled")
        for token in party.tokens:
            act(service, party, "acceptance", token)
        expect(page.locator("#case-title")).to_contain_text("final")
        expect(page.locator("#of-last")).to_contain_text(str(newest(party)))
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        seconds_pass(page)
        assert asked == []

        other = dispute(service.people(47))
        page.evaluate(f"location.hash = 'case={other}'")
        expect(page.get_by_role("region", name=f"Case {other}")).to_be_visible()
        page.evaluate("location.hash = ''")
        expect(page.locator("#no-case")).to_be_visible()
        asked.clear()
        seconds_pass(page)
        assert asked == []


def test_who_claims_what_another_has_claimed_meanwhile_is_told_so(
    service: Service, chromium: Browser
) -> None:
    """The desk knows of the other one first: what is on its way stays until it was answered."""
    ((party, case),) = parties_with_cases(service, 48)
    held: list[Route] = []
    with reader(chromium) as someone:
        page = open_desk(someone, service, case, service.key(("arbitrate",)))
        page.route("**/claim", hold(held))
        button = page.get_by_role("button", name="Claim this case")
        button.click()
        await_so_many(page, held, 1)
        act(service, party, "claim", service.key(("arbitrate",)))
        expect(page.locator("#case-title")).to_contain_text("claimed")
        held.pop().continue_()
        expect(page.locator("#acts .refused:not(:empty)")).to_be_visible()
        expect(button).to_be_focused()


def test_what_was_shown_of_a_case_stays(service: Service, chromium: Browser) -> None:
    """Others act while the case is read anew after one's own act: the answer that was read first covers nothing."""
    ((party, case),) = parties_with_cases(service, 49)
    held: list[Route] = []
    with reader(chromium) as someone:
        page = open_desk(someone, service, case, service.key(("arbitrate",)))
        expect(page.locator("#case-title")).to_be_visible()
        page.route("**/history?*", hold(held))
        page.get_by_role("button", name="Claim this case").click()
        await_so_many(page, held, 1)
        act(service, party, "evidence", party.tokens[1], {"text": "He did not see it.", "versions": []})
        seconds_pass(page)
        said = page.locator("#case .comment")
        before = said.count()
        held.pop().continue_()
        page.unroute("**/history?*")
        expect(page.locator("#ruling-kind")).to_be_focused()
        assert said.count() >= before
        expect(said.last).to_have_text("He did not see it.")


def test_what_others_do_is_told_to_who_cannot_see_it(service: Service, chromium: Browser) -> None:
    """What has happened, who did it, and where the case is now; nothing else is read out."""
    ((party, case),) = parties_with_cases(service, 50)
    with reader(chromium) as someone:
        page = open_desk(someone, service, case, service.key(("arbitrate",)))
        news = page.locator("#case > [role=status]")
        expect(news).to_have_text("")
        act(service, party, "evidence", party.tokens[1], {"text": "He did not see it.", "versions": []})
        expect(news).to_have_text(f"Case {case}, open, evidence by Bob")
        rule(service, party, service.key(("arbitrate",)))
        expect(news).to_have_text(re.compile(f"Case {case}, ruled, .*ruled by tests$"))


def waiting(query: str, count: int = 90) -> dict[str, Any]:
    """What the queue answers if so many cases wait."""
    asked = parse_qs(urlsplit(query).query)
    begin = int(asked.get("cursor", ["0"])[0])
    end = min(begin + int(asked["limit"][0]), count)
    of_all = {"game": "nosuchgame", "status": "open", "reason": "other", "opened": 1, "until": None}
    rows = [of_all | {"dispute": number + 1, "arbiter_name": None} for number in range(begin, end)]
    return {"disputes": rows, "next": str(end) if end < count else None}


def test_the_queue_keeps_the_pages_that_one_has_gone_on_to(service: Service, chromium: Browser) -> None:
    """A case moves on by what others do: whoever stands on the second page stands there still."""
    ((party, case),) = parties_with_cases(service, 51)
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(json=waiting(route.request.url))

    with reader(chromium) as someone:
        page = open_desk(someone, service)
        page.route("**/v1/disputes?*", answer)
        open_desk(someone, service, case, service.key(("arbitrate",)))
        expect(page.locator("#case-title")).to_be_visible()
        page.get_by_role("button", name="More cases").click()
        rows = page.locator("#cases a")
        expect(rows).to_have_count(40)
        rows.nth(30).focus()
        act(service, party, "claim", service.key(("arbitrate",)))
        await_so_many(page, asked, 3)
        expect(page.locator("#case-title")).to_contain_text("claimed")
        expect(rows).to_have_count(40)
        expect(rows.nth(30)).to_be_focused()
        page.get_by_role("button", name="More cases").click()
        expect(rows).to_have_count(60)
