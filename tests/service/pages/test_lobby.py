"""The first page in a browser: a table with two clicks, tables to join and to watch, records to look at."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from events.bots import BOTS
from tests.support.chromium import LAPTOP, PHONE, SCREEN, Reader, reader
from tests.support.hostile_game import HOSTILE
from tests.support.processes import Service
from tests.support.recorded_games import recorded_game
from tests.support.servers import eventually

RECORD = b"".join(recorded_game(5, 4, (), 12).record())


def open_lobby(someone: Reader, service: Service, fragment: str = "") -> Page:
    """Open the first page and wait until tables can be set up."""
    page = someone.page
    page.goto(f"http://127.0.0.1:{service.port}/{fragment}")
    expect(page.locator("#play-bots")).to_be_enabled()
    return page


def choose_file(page: Page, folder: Path, content: bytes, name: str = "game.ndjson") -> None:
    """Choose a file of this content as a record."""
    file = folder / name
    file.write_bytes(content)
    page.locator("#file").set_input_files(file)


def test_two_clicks_lead_to_a_table_against_bots(service: Service, chromium: Browser) -> None:
    """The address and one button: a seat at a table that has begun, with cards in the hand and something to do."""
    with reader(chromium) as someone:
        page = open_lobby(someone, service)
        page.get_by_role("button", name="Play against bots").click()
        expect(page.locator("#seats .is-own .hand .chip")).to_have_count(5)
        assert "token" not in page.url
        expect(page.get_by_role("heading", name="It is your turn")).to_be_visible()


def test_a_language_that_was_chosen_goes_along(service: Service, chromium: Browser) -> None:
    """From the first page to a table, back, and on to a page that a link names; the seat comes along too."""
    with reader(chromium) as someone:
        page = open_lobby(someone, service)
        page.get_by_role("link", name="Deutsch").click()
        page.get_by_role("button", name="Gegen Bots spielen").click()
        expect(page.get_by_role("heading", name="Du bist am Zug")).to_be_visible()
        page.get_by_role("link", name="Fieldbook").click()
        page.locator("#yours a").first.click()
        expect(page.get_by_role("heading", name="Du bist am Zug")).to_be_visible()
        page.get_by_role("link", name="Italiano").click()
        expect(page.locator("html")).to_have_attribute("lang", "it")
        expect(page.locator("#seats .is-own .hand .chip")).to_have_count(5)
        page.get_by_role("link", name="Deutsch").click()
        expect(page.get_by_role("heading", name="Du bist am Zug")).to_be_visible()
        page.get_by_role("link", name="Fieldbook").click()
        page.get_by_role("link", name="Turniere").click()
        expect(page.locator("html")).to_have_attribute("lang", "de")


def test_who_sets_up_a_table_chooses_how_bots_play(service: Service, chromium: Browser) -> None:
    """Without a mouse: among all bots that there are, each with words of its own; the usual one is chosen already."""
    with reader(chromium, PHONE, "it-IT") as someone:
        page = someone.page
        page.goto(f"http://127.0.0.1:{service.port}/")
        bots = page.get_by_label("Come giocano i bot")
        expect(page.locator("#play-bots")).to_be_enabled()
        assert bots.locator("option").evaluate_all("each => each.map((one) => one.value)") == [*BOTS]
        texts = bots.locator("option").all_text_contents()
        assert len({*texts, *BOTS}) == 2 * len(BOTS)
        page.locator("#more summary").press("Enter")
        assert someone.violations() == []
        bots.focus()
        page.keyboard.press("Home")
        expect(bots).to_have_value(next(iter(BOTS)))
        page.locator("#play-bots").press("Enter")
        expect(page.locator("#seats")).to_contain_text("bot random")


def test_somebody_new_reads_how_a_game_goes(service: Service, chromium: Browser) -> None:
    """Before they choose one, and at the table, in its rules and their language."""
    with reader(chromium) as someone:
        page = open_lobby(someone, service, "?lang=de")
        page.get_by_text("So geht dieses Spiel").click()
        sentences = page.locator("#how li")
        expect(sentences.first).to_contain_text("in ihrer Reihenfolge")
        expect(page.locator("#how")).not_to_contain_text("Geschenk")
        page.locator("#system").select_option("the-duel")
        expect(page.locator("#how")).to_contain_text("Ein Angebot ist ein Geschenk")
        expect(sentences).to_have_count(8)
        page.get_by_role("button", name="Gegen Bots spielen").click()
        page.get_by_text("So geht dieses Spiel").click()
        expect(page.locator("#how")).to_contain_text("Ein Angebot ist ein Geschenk")


def test_friends_meet_at_a_table_by_a_link(service: Service, chromium: Browser) -> None:
    """Whoever has the link gives a name and sits; with the last of them the game begins for both."""
    with reader(chromium) as host, reader(chromium, PHONE, "de-DE") as friend:
        page = open_lobby(host, service)
        page.locator("#size").select_option("3")
        page.locator("#name").fill("Ada")
        page.locator("#more summary").click()
        page.locator("#bots").select_option("1")
        page.locator("#invite").click()
        expect(page.get_by_label("Link to share")).to_have_value(re.compile("^http"))
        link = page.get_by_label("Link to share").input_value()
        page.locator("#to-seat").click()
        expect(page.locator("#seats article").first).to_be_visible()

        friend.page.goto(link)
        expect(friend.page.locator("#sit-table")).to_contain_text("Ada")
        friend.page.locator("#sit-name").fill("Bo")
        friend.page.locator("#sitting button.main").click()
        for each in (page, friend.page):
            expect(each.locator("#seats .is-own .hand .chip")).to_have_count(5)
            expect(each.locator("#seats")).to_contain_text("Bo")


def test_who_gets_no_answer_takes_one_seat_and_sets_up_one_table(service: Service, chromium: Browser) -> None:
    """The same form sent again has the same key; another content is something new."""
    with reader(chromium) as host, reader(chromium, PHONE) as friend:
        sent: list[tuple[str, str]] = []

        def lose(route: Route) -> None:
            if route.request.method != "POST":
                return route.continue_()
            sent.append((route.request.headers["idempotency-key"], route.request.post_data or ""))
            route.fetch()
            return route.abort()

        page = open_lobby(host, service)
        page.locator("#size").select_option("3")
        page.route("**/v1/games", lose)
        page.locator("#invite").click()
        expect(page.locator("#setup-trouble")).to_contain_text("does not answer")
        page.unroute("**/v1/games")
        with page.expect_request("**/v1/games") as asked:
            page.locator("#invite").click()
        assert (asked.value.headers["idempotency-key"], asked.value.post_data) == sent[-1]
        expect(page.get_by_label("Link to share")).to_have_value(re.compile("^http"))
        link = page.get_by_label("Link to share").input_value()
        game = link.rpartition("=")[2]

        friend.page.goto(link)
        friend.page.locator("#sit-name").fill("Bo")
        friend.page.route("**/seats", lose)
        friend.page.locator("#sitting button.main").click()
        expect(friend.page.locator("#sit-trouble")).to_contain_text("does not answer")
        friend.page.unroute("**/seats")
        friend.page.locator("#sitting button.main").click()
        expect(friend.page.locator("#seats article").first).to_be_visible()
        assert len({key for key, _ in sent}) == 2
        seats = service.api.call("GET", f"/v1/games/{game}").json["seats"]
        assert [seat["name"] for seat in seats] == ["Guest", "Bo", None]
        for someone in (host, friend):
            someone.complaints().clear()


def test_who_comes_back_finds_buttons_that_can_be_pressed(service: Service, chromium: Browser) -> None:
    """A browser that keeps the page whole shows it as it was left: while a table was being set up."""
    with reader(chromium) as someone:
        page = open_lobby(someone, service)
        page.evaluate(
            "document.querySelectorAll('#play-bots, #invite').forEach((each) => { each.disabled = true; })"
        )
        page.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
        expect(page.locator("#play-bots")).to_be_enabled()
        expect(page.locator("#invite")).to_be_enabled()


def test_a_seat_that_was_opened_by_its_link_is_found_again(service: Service, chromium: Browser) -> None:
    """On the first page, until its token is good no more; what a spectator opened is nobody's seat."""
    party, other = service.people(41), service.people(42)
    given = other.api.call(
        "POST", f"/v1/games/{other.game}/spectators", {"name": "Eve"}, token=other.tokens[0]
    )
    assert given.status == 201, given.body
    with reader(chromium) as someone:
        page = someone.page
        for game, token in ((party.game, party.tokens[0]), (other.game, given.json["token"])):
            page.goto(f"http://127.0.0.1:{service.port}/games/{game}#token={token}")
            expect(page.locator("#seats article").first).to_be_visible()
        open_lobby(someone, service)
        expect(page.locator("#yours a")).to_have_count(1)
        expect(page.locator("#yours a")).to_have_attribute("href", f"/games/{party.game}")


def test_a_friend_who_reads_another_language_keeps_the_invitation(
    service: Service, chromium: Browser
) -> None:
    """The languages stand behind the dialog: once it is closed they still lead to the table."""
    made = {"system": "classic", "seats": [{"name": "Ada"}, None, None]}
    game = service.api.call("POST", "/v1/games", made, token=service.key()).json["game"]
    with reader(chromium) as friend:
        page = open_lobby(friend, service, f"#sit={game}")
        expect(page.locator("#sit-table")).to_contain_text("Ada")
        page.get_by_role("button", name="Not now").click()
        page.get_by_role("link", name="Français").click()
        expect(page.locator("html")).to_have_attribute("lang", "fr")
        expect(page.locator("#sit-table")).to_contain_text("Ada")


def test_further_games_that_do_not_come_are_said_to_wait(service: Service, chromium: Browser) -> None:
    """The button can be pressed again, and then they are there."""
    key = service.key()
    for number in range(12):
        made = {"system": "classic", "seats": [{"name": f"Ada {number}"}, None, None]}
        service.api.call("POST", "/v1/games", made, token=key)
    with reader(chromium) as someone:
        page = open_lobby(someone, service)
        further = page.locator("#open .further")
        expect(further).to_be_visible(timeout=30_000)
        page.route(
            "**/v1/games?*cursor=*", lambda route: route.fulfill(status=400, json={"code": "bad_cursor"})
        )
        shown = page.locator("#open li").count()
        further.click()
        expect(page.locator("#lists-trouble")).to_contain_text("does not answer")
        page.unroute("**/v1/games?*cursor=*")
        further.click()
        expect(page.locator("#lists-trouble")).to_be_empty()
        eventually(lambda: page.locator("#open li").count() > shown)


def test_what_goes_on_and_what_is_over_can_be_looked_at(service: Service, chromium: Browser) -> None:
    """A game that has just begun is in the list within seconds; a filter leaves out other rules."""
    game = service.people(1).game
    with reader(chromium) as someone:
        page = open_lobby(someone, service)
        watch = page.locator(f"#running a[href='/games/{game}']")
        expect(watch).to_be_visible(timeout=30_000)
        page.locator("#only").select_option("the-duel")
        expect(watch).to_have_count(0)
        page.locator("#only").select_option("")
        watch.click()
        expect(page.locator("#connection")).to_have_text("Live")


def test_names_of_others_are_text(service: Service, chromium: Browser) -> None:
    """Whatever somebody calls themselves, nothing of it becomes an element."""
    key = service.key()
    for name in HOSTILE:
        body = {"system": "classic", "seats": [{"name": name}, None, None]}
        service.api.call("POST", "/v1/games", body, token=key)
    with reader(chromium) as someone:
        page = open_lobby(someone, service)
        expect(page.locator("#open li").first).to_be_visible(timeout=30_000)
        assert (
            page.evaluate("document.querySelectorAll('#lists :is(img, script, iframe, svg, b b)').length")
            == 0
        )


def test_a_record_is_verified_here_and_opened(service: Service, chromium: Browser, tmp_path: Path) -> None:
    """The browser itself says that it holds; then the viewer shows it from the first event to the last."""
    with reader(chromium) as someone:
        page = open_lobby(someone, service)
        choose_file(page, tmp_path, RECORD)
        expect(page.locator("#verdict.holds")).to_be_visible()
        page.locator("#open-record").click()
        expect(page.locator("#seats article")).to_have_count(4)
        page.keyboard.press("End")
        expect(page.locator("#version")).to_have_value(str(RECORD.count(b'"entry"')))
        page.go_back()
        expect(page.get_by_role("button", name="Play against bots")).to_be_visible()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (
            RECORD.replace(b'"type":"plant"', b'"type":"plant" ', 1).replace(b'"field":0', b'"field":1', 1),
            "fails",
        ),
        (b"no record at all\n", "fails"),
        (b"", "fails"),
    ],
    ids=["changed", "something else", "empty"],
)
def test_what_does_not_verify_is_said_to(
    service: Service, chromium: Browser, tmp_path: Path, content: bytes, says: str
) -> None:
    """With what is wrong, where there is a record at all."""
    with reader(chromium) as someone:
        page = open_lobby(someone, service)
        choose_file(page, tmp_path, content)
        expect(page.locator(f"#verdict.{says}")).to_be_visible()
        expect(page.locator("#verdict-title")).not_to_be_empty()


def test_what_is_wrong_with_a_record_is_said_in_the_language_of_the_reader(
    service: Service, chromium: Browser, tmp_path: Path
) -> None:
    """What it is about; and behind it the verifier's own words, which are English."""
    other = RECORD.replace(b'"field":0', b'"field":1', 1)
    with reader(chromium, language="fr") as someone:
        page = someone.page
        page.goto(f"http://127.0.0.1:{service.port}/")
        choose_file(page, tmp_path, other)
        facts = page.locator("#verdict-facts")
        expect(facts).to_contain_text("la chaîne des empreintes se rompt ici")
        expect(facts.locator("[lang=en]")).to_have_text(
            "(the chain hash is not that of this entry after the one before it)"
        )


def test_where_guests_are_not_let_a_key_is_asked_for(chromium: Browser, tmp_path: Path) -> None:
    """The field is there, says what it is for, and a key that is none is refused in a sentence."""
    with Service(tmp_path) as service, reader(chromium) as someone:
        service.start("up", FIELDBOOK_GUEST_GAMES="off", WEB_PROCESSES="1")
        service.await_ready()
        page = open_lobby(someone, service)
        expect(page.locator("#key")).to_be_visible()
        page.get_by_role("button", name="Play against bots").click()
        expect(page.locator("#setup-trouble")).not_to_be_empty()
        page.locator("#key").fill(service.key(("create_games",)))
        page.get_by_role("button", name="Play against bots").click()
        expect(page.locator("#seats .is-own .hand .chip")).to_have_count(5)


def test_a_program_is_answered_in_plain_text(service: Service) -> None:
    """Whoever does not ask for a page gets what there is to ask for."""
    plain = service.api.call("GET", "/")
    page = service.api.call("GET", "/", headers={"Accept": "text/html,*/*;q=0.8"})
    assert plain.headers["content-type"].startswith("text/plain")
    assert b"GET  /v1/systems" in plain.body
    assert page.headers["content-type"].startswith("text/html")
    assert "Accept" in plain.headers["vary"]


@pytest.mark.parametrize("size", [PHONE, LAPTOP, SCREEN], ids=["phone", "laptop", "screen"])
def test_everybody_can_use_the_first_page(service: Service, chromium: Browser, size: tuple[int, int]) -> None:
    """As far as axe-core finds out; nothing scrolls sideways, and nothing comes from elsewhere."""
    service.people(2)
    with reader(chromium, size) as someone:
        page = open_lobby(someone, service)
        expect(page.locator("#running li").first).to_be_visible(timeout=30_000)
        assert someone.violations() == []
        page.locator("#more summary").click()
        page.locator("#key-show").click()
        expect(page.locator("#key")).to_be_focused()
        assert someone.violations() == [], "settings"
        assert not someone.is_too_wide()
        made = {"system": "classic", "seats": [{"name": HOSTILE[0]}, None, None]}
        game = service.api.call("POST", "/v1/games", made, token=service.key()).json["game"]
        page.goto(f"http://127.0.0.1:{service.port}/#sit={game}")
        expect(page.locator("#sit-name")).to_be_visible()
        assert someone.violations() == [], "an invitation"
        origins = {json.dumps(each.url.split("/")[2]) for each in someone.answers}
        assert origins == {json.dumps(f"127.0.0.1:{service.port}")}
