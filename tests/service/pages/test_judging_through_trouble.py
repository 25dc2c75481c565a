"""The arbiter's desk where answers are late or lost, and where somebody goes on while they wait."""

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Dialog, Page, Route, expect

from tests.service.pages.test_judging import dispute, newest, open_desk
from tests.service.pages.test_pages_in_trouble import let_time_pass
from tests.service.pages.windows import await_so_many, lose_answers
from tests.support.chromium import reader
from tests.support.http_play import Party
from tests.support.processes import Service

NAMED_AFTER: Final = 600
"""Milliseconds after which a page has named in its address where one is, and a little more."""
BUSY: Final = {"status": 503, "code": "too_many_pages", "detail": "Many long pages are being made here."}


def parties_with_cases(service: Service, *seeds: int) -> list[tuple[Party, str]]:
    """Games that go on, each with a case about the version where it is."""
    parties = [service.people(seed) for seed in seeds]
    for party in parties:
        party.play(6)
    return [(party, dispute(party)) for party in parties]


def open_case(page: Page, case: str) -> None:
    """Open a case of the queue, and wait until it is there."""
    page.get_by_role("link").filter(has_text=case).click()
    expect(page.get_by_role("region", name=f"Case {case}")).to_be_visible()


def claim(page: Page) -> None:
    """Claim the case that is open, and wait for the form of the ruling."""
    page.get_by_role("button", name="Claim this case").click()
    expect(page.locator("#ruling-kind")).to_be_focused()


def fill_in(page: Page, kind: str = "annulled", reason: str = "Seen by everybody.") -> None:
    """Write a ruling."""
    page.locator("#ruling-kind").select_option(kind)
    page.locator("#ruling-scope").fill("the whole game")
    page.locator("#ruling-reason_of_ruling").fill(reason)


def hold(held: list[Route]) -> Callable[[Route], None]:
    """Let requests wait until somebody lets them go on."""

    def keep(route: Route) -> None:
        held.append(route)

    return keep


def rulings_of(party: Party) -> Any:
    """The rulings of the first case of a game."""
    path = f"/v1/games/{party.game}/disputes/1"
    return party.api.call("GET", path, token=party.tokens[0]).json["rulings"]


def evidence_of(party: Party) -> list[str]:
    """What was said in the first case of a game after it was opened."""
    path = f"/v1/games/{party.game}/disputes/1"
    events = party.api.call("GET", path, token=party.tokens[0]).json["events"]
    return [each["data"]["text"] for each in events[1:] if each["data"].get("text")]


def test_a_case_that_comes_late_keeps_its_address(service: Service, chromium: Browser) -> None:
    """The table that is still there names nothing meanwhile; then the new case opens at its own version."""
    (here, first), (there, second) = parties_with_cases(service, 21, 22)
    there.play(3)
    with reader(chromium) as someone:
        page = open_desk(someone, service, first, service.key(("arbitrate",)))
        expect(page.get_by_role("region", name=f"Case {first}")).to_be_visible()
        page.wait_for_timeout(NAMED_AFTER)
        page.evaluate("location.hash = location.hash.replace(/v=\\d+/, 'v=2')")
        expect(page.locator("#version")).to_have_value("2")
        held: list[Route] = []
        page.route(f"**/games/{second.replace('/', '/disputes/')}", hold(held))
        page.get_by_role("link").filter(has_text=second).click()
        await_so_many(page, held, 1)
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(NAMED_AFTER)
        assert page.url.endswith(f"#case={second}")
        held.pop().continue_()
        expect(page.get_by_role("region", name=f"Case {second}")).to_be_visible()
        version = there.api.call(
            "GET", f"/v1/games/{second.replace('/', '/disputes/')}", token=there.tokens[0]
        )
        expect(page.locator("#version")).to_have_value(str(version.json["version"]))
        expect(page).to_have_url(re.compile(f"case={there.game}"))
        assert here.game not in page.url


def test_back_leads_where_one_was(service: Service, chromium: Browser) -> None:
    """To the case before, and from the first one to the queue alone, whose address stays."""
    (_, first), (_, second) = parties_with_cases(service, 23, 24)
    with reader(chromium) as someone:
        page = open_desk(someone, service, key=service.key(("arbitrate",)))
        open_case(page, first)
        page.wait_for_timeout(NAMED_AFTER)
        open_case(page, second)
        page.wait_for_timeout(NAMED_AFTER)
        page.go_back()
        expect(page.get_by_role("region", name=f"Case {first}")).to_be_visible()
        page.go_back()
        expect(page.locator("#no-case")).to_be_visible()
        page.wait_for_timeout(NAMED_AFTER)
        assert page.url.endswith("/desk")
        expect(page.locator("[aria-current=page]")).to_have_count(0)
        page.go_forward()
        expect(page.get_by_role("region", name=f"Case {first}")).to_be_visible()


def test_each_case_of_a_game_opens_at_its_own_moment(service: Service, chromium: Browser) -> None:
    """Also where the table of the game is there already."""
    party = service.people(25)
    party.play(12)
    versions = (4, newest(party) - 1)
    cases = [dispute(party, version=version) for version in versions]
    with reader(chromium) as someone:
        page = open_desk(someone, service, key=service.key(("arbitrate",)))
        for case, version in [*zip(cases, versions, strict=True), (cases[0], versions[0])]:
            open_case(page, case)
            expect(page.locator("#version")).to_have_value(str(version))


def test_only_what_was_previewed_is_given(service: Service, chromium: Browser) -> None:
    """Whoever goes on writing while a preview is on its way is told to look again."""
    ((party, case),) = parties_with_cases(service, 26)
    held: list[Route] = []
    with reader(chromium) as someone:
        page = open_desk(someone, service, case, service.key(("arbitrate",)))
        claim(page)
        fill_in(page, reason="One reason.")
        page.route("**/previews?*", hold(held))
        page.get_by_role("button", name="Show what it would change").click()
        await_so_many(page, held, 1)
        page.locator("#ruling-reason_of_ruling").fill("Another reason.")
        held.pop().continue_()
        expect(page.locator(".foreseen")).to_contain_text("You have changed something meanwhile")
        expect(page.get_by_role("button", name="Give this ruling")).to_be_hidden()
        page.unroute("**/previews?*")
        page.get_by_role("button", name="Show what it would change").click()
        page.get_by_role("button", name="Give this ruling").click()
        expect(page.locator("#case-title")).to_contain_text("ruled")
    (ruling,) = rulings_of(party)
    assert ruling["reason"] == "Another reason."


def test_evidence_whose_answer_was_lost_is_written_once(service: Service, chromium: Browser) -> None:
    """Pressed again it goes under the same key; where it can't be read at once, the page asks by itself."""
    ((party, case),) = parties_with_cases(service, 27)
    keys: list[str] = []

    with reader(chromium) as someone:
        page = open_desk(someone, service, case, service.key(("arbitrate",)))
        expect(page.get_by_role("region", name=f"Case {case}")).to_be_visible()
        claim(page)
        page.clock.install()
        page.route("**/evidence", lose_answers(keys))
        page.get_by_text("Add evidence").first.click()
        page.locator("#act-evidence").fill("Look at the offer.")
        send = page.get_by_role("button", name="Add evidence")
        send.click()
        refused = page.locator("#acts .refused:not(:empty)").first
        let_time_pass(page, refused.is_visible)
        expect(send).to_be_focused()
        page.unroute("**/evidence")

        page.route(f"**/{case.replace('/', '/disputes/')}", lambda route: route.abort())
        send.click()
        said = page.locator("#queue-said")
        let_time_pass(page, said.filter(has_text="asks again by itself").is_visible)
        expect(refused).to_have_count(0)
        page.unroute(f"**/{case.replace('/', '/disputes/')}")
        let_time_pass(page, page.locator("#case .comment", has_text="Look at the offer.").is_visible)
        expect(page.locator("#act-evidence")).to_have_value("")
        someone.complaints().clear()
    assert evidence_of(party) == ["Look at the offer."]
    assert len({*keys}) == 1


def test_a_busy_service_makes_nobody_forget_a_key(service: Service, chromium: Browser) -> None:
    """What arbiters say of the game is asked for again, and the key stays."""
    ((party, case),) = parties_with_cases(service, 28)
    note = {"kind": "note", "version": newest(party), "comment": "Slow play?"}
    path, key = f"/v1/games/{party.game}/annotations", service.key(("arbitrate",))
    written = service.api.call("POST", path, note, token=key)
    assert written.status == 201, written.body
    busy: list[str] = []

    def refuse_at_first(route: Route) -> None:
        busy.append(route.request.url)
        if len(busy) < 3:
            route.fulfill(status=503, headers={"Retry-After": "9"}, json=BUSY)
        else:
            route.continue_()

    with reader(chromium) as someone:
        page = open_desk(someone, service)
        page.clock.install()
        page.route("**/annotations?*", refuse_at_first)
        open_desk(someone, service, case, key)
        let_time_pass(page, page.get_by_role("region", name=f"Case {case}").is_visible)
        assert len(busy) == 3
        assert page.evaluate("sessionStorage.getItem('fieldbook/key')") == key
        page.get_by_role("button", name="Notes", exact=True).click()
        expect(page.locator("#notes-here .note")).to_contain_text("Slow play?")


def test_a_whole_ruling_outlives_another_act_in_the_case(service: Service, chromium: Browser) -> None:
    """Winners and scores, too; and it is not left to others with what is half written, unasked."""
    ((_, case),) = parties_with_cases(service, 29)
    asked: list[str] = []

    def answer(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss() if len(asked) == 1 else dialog.accept()

    with reader(chromium) as someone:
        page = open_desk(someone, service, case, service.key(("arbitrate",)))
        claim(page)
        fill_in(page, "replaced")
        page.get_by_role("checkbox", name="Bob").check()
        page.get_by_label("Score: Bob").fill("17")
        page.get_by_text("Add evidence").first.click()
        page.locator("#act-evidence").fill("Look at the offer before.")
        page.get_by_role("button", name="Add evidence").click()
        expect(page.locator("#case .comment").last).to_have_text("Look at the offer before.")
        expect(page.get_by_role("checkbox", name="Bob")).to_be_checked()
        expect(page.get_by_label("Score: Bob")).to_have_value("17")

        page.on("dialog", answer)
        page.get_by_role("button", name="Leave it to others").click()
        expect(page.locator("#ruling-scope")).to_have_value("the whole game")
        page.get_by_role("button", name="Leave it to others").click()
        expect(page.get_by_role("button", name="Claim this case")).to_be_visible()
    assert [each.partition("?")[0] for each in asked] == ["Discard what you have written"] * 2


@pytest.mark.parametrize("way", ["a link", "Back"])
def test_one_question_is_about_all_that_is_half_written(
    service: Service, chromium: Browser, way: str
) -> None:
    """A note and a ruling; whoever stays loses nothing of where they came from."""
    (_, there), (_, here) = parties_with_cases(service, 31, 32)
    asked: list[Dialog] = []

    def answer(dialog: Dialog) -> None:
        asked.append(dialog)
        dialog.dismiss() if len(asked) == 1 else dialog.accept()

    def leave(page: Page) -> None:
        if way == "Back":
            page.evaluate("history.back()")
        else:
            page.get_by_role("link").filter(has_text=there).click()

    with reader(chromium) as someone:
        page = open_desk(someone, service, key=service.key(("arbitrate",)))
        open_case(page, there)
        page.wait_for_timeout(NAMED_AFTER)
        open_case(page, here)
        claim(page)
        fill_in(page)
        page.get_by_role("button", name="Notes", exact=True).click()
        page.get_by_role("button", name="Write a note about this moment").click()
        page.get_by_label("Your note").fill("half a thought")
        page.wait_for_timeout(NAMED_AFTER)
        before = page.evaluate("history.length")
        page.on("dialog", answer)
        leave(page)
        page.wait_for_timeout(NAMED_AFTER)
        assert len(asked) == 1
        expect(page).to_have_url(re.compile(here.partition("/")[0]))
        expect(page.get_by_label("Your note")).to_have_value("half a thought")
        expect(page.locator("#ruling-scope")).to_have_value("the whole game")
        assert page.evaluate("history.length") == before

        leave(page)
        expect(page.locator("#case-title")).to_contain_text(f"Case {there}")
        page.wait_for_timeout(NAMED_AFTER)
        expect(page).to_have_url(re.compile(there.partition("/")[0]))
        assert len(asked) == 2


def cases_from(first: int) -> list[dict[str, Any]]:
    """Cases as the queue lists them, which there are not."""
    of_all = {"game": "nosuchgame", "status": "open", "reason": "other", "opened": 1, "until": None}
    return [of_all | {"dispute": number, "arbiter_name": None} for number in range(first, first + 3)]


def test_the_queue_shows_what_was_asked_for_last(service: Service, chromium: Browser) -> None:
    """However late an earlier answer comes; the next page is there once, also where it was refused at first."""
    held: list[Route] = []
    refused: list[str] = []

    def answer(route: Route) -> None:
        query = route.request.url.partition("?")[2]
        if "status=claimed" in query:
            route.fulfill(json={"disputes": cases_from(7), "next": None})
        elif "status=ruled" in query:
            held.append(route)
        elif "cursor=on" not in query:
            route.fulfill(json={"disputes": cases_from(1), "next": "on"})
        elif not refused:
            refused.append(query)
            route.fulfill(status=500, json={"status": 500, "code": "internal_error", "detail": "It broke."})
        else:
            route.fulfill(json={"disputes": cases_from(4), "next": None})

    with reader(chromium) as someone:
        page = open_desk(someone, service)
        page.route("**/v1/disputes?*", answer)
        open_desk(someone, service, key=service.key(("arbitrate",)))
        rows = page.locator("#cases li")
        expect(rows).to_have_count(3)
        page.locator("#more-cases").click()
        expect(page.locator("#queue-said")).to_contain_text("It broke.")
        expect(rows).to_have_count(3)
        page.locator("#more-cases").dblclick()
        expect(rows).to_have_count(6)
        expect(page.locator("#more-cases")).to_be_hidden()

        page.locator("#by-status").select_option("ruled")
        await_so_many(page, held, 1)
        page.locator("#by-status").select_option("claimed")
        expect(rows.first).to_contain_text("nosuchgame/7")
        held.pop().fulfill(json={"disputes": cases_from(1), "next": "on"})
        page.wait_for_timeout(NAMED_AFTER)
        expect(rows).to_have_count(3)
        expect(rows.first).to_contain_text("nosuchgame/7")
        assert len(refused) == 1
