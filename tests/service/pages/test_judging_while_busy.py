"""An open case at the desk where the service is busy, breaks or refuses: what is followed further, and what not."""

from playwright.sync_api import Browser, Page, Route, expect

from tests.service.pages.test_judging import newest, open_desk
from tests.service.pages.test_judging_through_trouble import BUSY, claim, parties_with_cases
from tests.service.pages.test_judging_together import act
from tests.service.pages.test_pages_in_trouble import let_time_pass
from tests.service.pages.windows import await_so_many
from tests.support.chromium import Reader, reader
from tests.support.processes import Service

BROKEN = {"status": 500, "code": "internal_error", "detail": "It broke."}
WORDS = "He did not see it."


def open_with_clock(someone: Reader, service: Service, case: str, key: str) -> Page:
    """Open a case in a page whose clock a test lets run."""
    page = open_desk(someone, service)
    page.clock.install()
    open_desk(someone, service, case, key)
    expect(page.locator("#case-title")).to_be_visible()
    return page


def address_of(case: str) -> str:
    """Where the service is asked for a case."""
    return f"**/{case.replace('/', '/disputes/')}"


def test_a_busy_queue_holds_up_no_case(service: Service, chromium: Browser) -> None:
    """Whoever claims goes on with the ruling at once, and the case follows what others do."""
    ((party, case),) = parties_with_cases(service, 81)
    with reader(chromium) as someone:
        page = open_desk(someone, service, case, service.key(("arbitrate",)))
        expect(page.locator("#case-title")).to_be_visible()
        busy = {"Retry-After": "60"}
        page.route("**/v1/disputes?*", lambda route: route.fulfill(status=503, headers=busy, json=BUSY))
        claim(page)
        act(service, party, "withdrawal", party.tokens[0])
        expect(page.locator("#case-title")).to_contain_text("withdrawn")
        party.play(2)
        expect(page.locator("#of-last")).to_contain_text(str(newest(party)))


def test_an_answer_that_broke_is_asked_for_again(service: Service, chromium: Browser) -> None:
    """What others have done meanwhile comes then, and nothing says that it does not."""
    ((party, case),) = parties_with_cases(service, 82)
    broke: list[str] = []

    def answer(route: Route) -> None:
        broke.append(route.request.url)
        route.fulfill(status=500, json=BROKEN)

    with reader(chromium) as someone:
        page = open_with_clock(someone, service, case, service.key(("arbitrate",)))
        page.route(address_of(case), answer)
        said = page.locator("#queue-said").filter(has_text="asks again by itself")
        let_time_pass(page, lambda: said.is_visible() and len(broke) > 1)
        act(service, party, "evidence", party.tokens[1], {"text": WORDS, "versions": []})
        page.unroute(address_of(case))
        let_time_pass(page, page.locator("#case .comment", has_text=WORDS).is_visible)
        let_time_pass(page, said.is_hidden)
        expect(page.locator("#case [role=alert]").first).to_be_hidden()


def test_what_is_followed_no_more_says_so(service: Service, chromium: Browser) -> None:
    """Beside the case; and a key that holds no more leaves the form for another one, and no case to choose."""
    ((_, case),) = parties_with_cases(service, 83)
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        refusal = {"status": 401, "code": "key_revoked", "detail": "This key was revoked."}
        route.fulfill(status=401, json=refusal)

    with reader(chromium) as someone:
        page = open_with_clock(someone, service, case, service.key(("arbitrate",)))
        ended = page.locator("#case").get_by_role("alert")
        expect(ended).to_have_count(0)
        page.route(address_of(case), answer)
        let_time_pass(page, lambda: ended.count() == 1)
        expect(ended).to_have_text("This page no longer follows what happens here: nothing new is shown.")
        expect(page.get_by_label("Key", exact=True)).to_be_visible()
        expect(page.locator("#filtering")).to_be_hidden()
        expect(page.locator("#leave")).to_be_hidden()
        expect(page.locator("#cases a")).to_have_count(0)
        for _ in range(40):
            page.clock.fast_forward(5_000)
        assert len(asked) == 1


def test_a_case_that_could_not_be_read_anew_is_followed_further(service: Service, chromium: Browser) -> None:
    """What one has done oneself is shown then, too."""
    ((_, case),) = parties_with_cases(service, 84)
    broke: list[str] = []

    def answer(route: Route) -> None:
        broke.append(route.request.url)
        route.fulfill(status=500, json=BROKEN)

    with reader(chromium) as someone:
        page = open_desk(someone, service, case, service.key(("arbitrate",)))
        expect(page.locator("#case-title")).to_be_visible()
        page.route(address_of(case), answer)
        page.get_by_role("button", name="Claim this case").click()
        await_so_many(page, broke, 1)
        page.unroute(address_of(case))
        expect(page.locator("#case-title")).to_contain_text("claimed")


def test_why_a_pack_was_refused_stays(service: Service, chromium: Browser) -> None:
    """Whatever others say in the case meanwhile."""
    ((party, case),) = parties_with_cases(service, 85)
    with reader(chromium) as someone:
        page = open_desk(someone, service, case, service.key(("arbitrate",)))
        page.route("**/evidence-pack", lambda route: route.fulfill(status=500, json=BROKEN))
        page.locator("#packs button").first.click()
        refused = page.locator("#case .refused:not(:empty)")
        expect(refused).to_have_text("It broke.")
        said = page.locator("#case dl")
        expect(said).not_to_contain_text("Arbiter")
        act(service, party, "claim", service.key(("arbitrate",)))
        expect(said).to_contain_text("Arbiter")
        expect(refused).to_have_text("It broke.")
