"""The arbiter's desk in a browser: from the queue to a ruling, and what the parties do about it."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from tests.service.pages.test_playing_without_a_mouse import reach
from tests.support.chromium import LAPTOP, PHONE, SCREEN, Reader, reader
from tests.support.hostile_game import HOSTILE
from tests.support.http_play import Party
from tests.support.processes import Service


def dispute(party: Party, text: str = "I did not mean that.", **more: Any) -> str:
    """Open a case as the first seat about the game as it is; its name."""
    version = party.api.call("GET", f"/v1/games/{party.game}").json["version"]
    body = {"reason": "conduct", "text": text, "version": version} | more
    answer = party.api.call("POST", f"/v1/games/{party.game}/disputes", body, token=party.tokens[0])
    assert answer.status == 201, answer.body
    return f"{party.game}/{answer.json['dispute']}"


def open_desk(someone: Reader, service: Service, case: str = "", key: str = "") -> Page:
    """Open the desk, at a case, with a key."""
    page = someone.page
    page.goto(f"http://127.0.0.1:{service.port}/desk" + (f"#case={case}" if case else ""))
    if key:
        page.get_by_label("Key", exact=True).fill(key)
        page.get_by_role("button", name="Open the desk").click()
    return page


def newest(party: Party) -> int:
    """The version of a game as it is now."""
    return int(party.api.call("GET", f"/v1/games/{party.game}").json["version"])


def seen_since(party: Party, version: int) -> bool:
    """Whether somebody has got cards since a version."""
    path = f"/v1/games/{party.game}/events?after={version}"
    return "cards_drawn" in str(party.api.call("GET", path).json)


def test_an_arbiter_settles_a_case(service: Service, chromium: Browser) -> None:
    """Queue, case, claim, a preview that changes nothing, the ruling; then the table has it."""
    party = service.people(1)
    party.play(6)
    case = dispute(party, pause=True)
    with reader(chromium) as someone:
        page = open_desk(someone, service, key=service.key(("arbitrate",)))
        page.get_by_role("link").filter(has_text=case).click()
        panel = page.get_by_role("region", name=f"Case {case}")
        expect(panel).to_contain_text("I did not mean that.")
        expect(page.locator("#seats .hidden-hand")).to_have_count(0)
        panel.get_by_role("button", name="Claim this case").click()
        expect(page.get_by_role("link").filter(has_text=case)).to_contain_text("Arbiter: tests")
        panel.get_by_label("Ruling", exact=True).select_option(label="the game is annulled")
        panel.get_by_label("What it covers").fill("the whole game")
        panel.get_by_label("Why").fill("Seen by everybody.")
        assert panel.get_by_role("button", name="Give this ruling").count() == 0
        panel.get_by_role("button", name="Show what it would change").click()
        foreseen = panel.get_by_role("status").filter(has_text="let the game count for nothing")
        expect(foreseen).to_be_visible()
        before = party.api.call("GET", f"/v1/games/{party.game}").json
        assert before["status"] == "running"
        panel.get_by_role("button", name="Give this ruling").click()
        expect(panel).to_contain_text("the whole game")
        expect(panel.get_by_role("heading", name=f"Case {case}")).to_contain_text("ruled")
    assert service.api.call("GET", f"/v1/games/{party.game}/disputes/1", token=party.tokens[0]).json[
        "rulings"
    ]


def test_who_changes_a_ruling_looks_again(service: Service, chromium: Browser) -> None:
    """What is given is, word for word, what was foreseen."""
    party = service.people(2)
    case = dispute(party)
    with reader(chromium) as someone:
        page = open_desk(someone, service, case, service.key(("arbitrate",)))
        page.get_by_role("button", name="Claim this case").click()
        page.get_by_label("What it covers").fill("nothing")
        page.get_by_label("Why").fill("No reason to.")
        page.get_by_role("button", name="Show what it would change").click()
        expect(page.get_by_role("button", name="Give this ruling")).to_be_visible()
        page.get_by_label("Why").fill("Another reason.")
        expect(page.get_by_role("button", name="Give this ruling")).to_be_hidden()
        page.get_by_role("link", name="Deutsch").click()
        expect(page.locator("html")).to_have_attribute("lang", "de")
        expect(page.get_by_role("region", name=f"Fall {case}")).to_be_visible()


def test_a_case_is_settled_with_the_keyboard_alone(service: Service, chromium: Browser) -> None:
    """From the key to the ruling: Tab, Enter and letters; where one is after an act, the next one is near."""
    party = service.people(9)
    party.play(6)
    case = dispute(party)
    with reader(chromium) as someone:
        page = open_desk(someone, service)

        def press(selector: str, key: str = "Enter") -> int:
            stops = reach(page, selector)
            page.keyboard.press(key)
            return stops

        reach(page, "#key")
        page.keyboard.type(service.key(("arbitrate",)))
        page.keyboard.press("Enter")
        expect(page.locator(f"#cases a[href$='{case}']")).to_be_visible()
        press(f"#cases a[href$='{case}']")
        expect(page.locator("#case")).to_be_focused()
        press("#acts button.main")
        expect(page.locator("#ruling-kind")).to_be_focused()
        page.keyboard.press("End")  # the last kind: scores of its own
        expect(page.locator("#ruling-kind")).to_have_value("replaced")
        press("#acts fieldset input[type=checkbox]", "Space")
        reach(page, "#ruling-scope")
        page.keyboard.type("the whole game")
        reach(page, "#ruling-reason_of_ruling")
        page.keyboard.type("It was agreed at the table.")
        stops = press("#acts form:has(#ruling-kind) > button:not([type])")
        expect(page.get_by_role("button", name="Give this ruling")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("region", name=f"Case {case}")).to_contain_text("the whole game")
        expect(page.locator("#case-title")).to_contain_text("ruled")
        assert stops < 12
    (ruling,) = party.api.call("GET", f"/v1/games/{party.game}/disputes/1", token=party.tokens[0]).json[
        "rulings"
    ]
    assert (ruling["kind"], ruling["scope"], ruling["winners"]) == ("replaced", "the whole game", [0])


def test_a_party_sees_its_case_and_accepts_the_ruling(service: Service, chromium: Browser) -> None:
    """With the seat that the browser keeps: its own cards, and what a party may do."""
    party = service.people(3)
    case = dispute(party)
    key, path = service.key(("arbitrate",)), f"/v1/games/{party.game}/disputes/1"
    assert service.api.call("POST", f"{path}/claim", token=key).status == 200
    ruling = {"kind": "dismissed", "scope": "the talk", "reason": "It was said openly."}
    with reader(chromium) as someone:
        someone.page.goto(f"http://127.0.0.1:{service.port}/games/{party.game}#token={party.tokens[1]}")
        expect(someone.page.locator("#seats article").first).to_be_visible()
        page = open_desk(someone, service, case)
        expect(page.locator("#seats .hidden-hand")).to_have_count(2)
        page.get_by_text("Add evidence").first.click()
        page.get_by_role("textbox", name="Add evidence").fill(HOSTILE[0])
        page.get_by_role("button", name="Add evidence").click()
        expect(page.locator("#case .comment").last).to_be_visible()
        assert service.api.call("POST", f"{path}/rulings", ruling, token=key).status == 200
        page.reload()
        page.get_by_role("button", name="Accept the ruling").click()
        expect(page.get_by_role("button", name="Accept the ruling")).to_have_count(0)
    assert service.api.call("GET", path, token=key).json["accepted"] == ["seat:1"]


def test_a_game_goes_back_though_cards_were_seen_since(service: Service, chromium: Browser) -> None:
    """The preview says what was seen and shows the earlier table; the ruling is given once that was confirmed."""
    party = service.people(5)
    party.play(8)
    disputed = newest(party)
    while not seen_since(party, disputed):
        party.play(4)
    case = dispute(party, version=disputed)
    with reader(chromium) as someone:
        page = open_desk(someone, service, case, service.key(("arbitrate",)))
        page.get_by_role("button", name="Claim this case").click()
        expect(page.get_by_label("Ruling", exact=True)).to_be_focused()
        page.get_by_label("Ruling", exact=True).select_option("rewound")
        page.get_by_label("What it covers").fill("everything since")
        page.get_by_label("Why").fill("It was agreed.")
        back = int(page.get_by_label("Back to version").input_value())
        assert back < disputed, "what is disputed has been done at its own version"
        expect(page.locator("form:has(#ruling-kind)")).to_contain_text("As it was after this:")
        page.get_by_role("button", name="Show what it would change").click()
        expect(page.locator(".foreseen .warns").first).to_contain_text("seen since: ")
        give = page.get_by_role("button", name="Give this ruling")
        expect(give).to_be_disabled()
        page.locator(".foreseen").get_by_role("button", name=f"version {back}").click()
        expect(page.locator("#version")).to_have_value(str(back))
        page.get_by_label("I know what was seen").check()
        give.click()
        expect(page.get_by_role("region", name=f"Case {case}")).to_contain_text("everything since")
    path = f"/v1/games/{party.game}/disputes/1"
    (ruling,) = service.api.call("GET", path, token=party.tokens[0]).json["rulings"]
    assert (ruling["kind"], ruling["to_version"], ruling["seen_confirmed"]) == ("rewound", back, True)


def test_a_game_is_not_proposed_to_go_back_to_mere_talk(service: Service, chromium: Browser) -> None:
    """The form begins with a version that the service takes, though there was talk before the disputed one."""
    party = service.people(10)
    party.play(4)
    while not any(each["type"] == "say" for each in party.legal(0)["commands"]):
        party.play(1)
    before = newest(party)
    party.send(0, {"type": "say", "text": "anyone?"})
    party.send(0, {"type": "say", "text": "nobody?"})
    talked = newest(party)
    party.play(1)
    case, key = dispute(party, version=newest(party)), service.key(("arbitrate",))
    assert service.api.call("POST", f"/v1/games/{party.game}/disputes/1/claim", token=key).status == 200
    with reader(chromium) as someone:
        page = open_desk(someone, service, case, key)
        page.get_by_label("Ruling", exact=True).select_option("rewound")
        back = int(page.get_by_label("Back to version").input_value())
        page.get_by_label("What it covers").fill("the last one")
        page.get_by_label("Why").fill("It was agreed.")
        page.get_by_role("button", name="Show what it would change").click()
        expect(page.get_by_role("button", name="Give this ruling")).to_be_visible()
    assert back <= before < talked


def test_a_game_is_not_proposed_to_go_back_to_where_it_rested(service: Service, chromium: Browser) -> None:
    """The form begins with a version at which somebody could act: not with one of a pause that a case had brought."""
    party = service.people(10)
    party.play(6)
    before = newest(party)
    dispute(party, version=before, pause=True)
    party.send(0, {"type": "say", "text": "while it rests"})
    talked = newest(party)
    second, key = dispute(party, version=talked), service.key(("arbitrate",))
    for number in (1, 2):
        claim = f"/v1/games/{party.game}/disputes/{number}/claim"
        assert service.api.call("POST", claim, token=key).status == 200
    with reader(chromium) as someone:
        page = open_desk(someone, service, second, key)
        page.get_by_label("Ruling", exact=True).select_option("rewound")
        back = int(page.get_by_label("Back to version").input_value())
    assert 1 < back <= before < talked - 1


@pytest.mark.parametrize(
    ("language", "effect", "refusal"),
    [
        ("de", "als Sieger nennen: Bob", "Sag, was die Entscheidung betrifft."),
        ("fr", "désigner comme gagnants\u00a0: Bob", "Dis ce que la décision concerne."),
        ("it", "nominare vincitori: Bob", "Di\u2019 che cosa riguarda la decisione."),
    ],
)
def test_what_a_ruling_would_change_is_told_in_the_language_of_the_page(
    service: Service, chromium: Browser, language: str, effect: str, refusal: str
) -> None:
    """So is why it is refused."""
    party = service.people(6)
    case, key = dispute(party), service.key(("arbitrate",))
    service.api.call("POST", f"/v1/games/{party.game}/disputes/1/claim", token=key)
    with reader(chromium, language=language) as someone:
        page = someone.page
        page.goto(f"http://127.0.0.1:{service.port}/desk#case={case}")
        page.locator("#key").fill(key)
        page.locator("#holder button").click()
        page.locator("#ruling-kind").select_option("awarded")
        page.locator("#ruling-scope").fill(" ")
        page.locator("#ruling-reason_of_ruling").fill("x")
        page.get_by_role("checkbox", name="Bob").check()
        preview = page.locator("form:has(#ruling-kind) > button:not([type])")
        preview.click()
        expect(page.locator("form:has(#ruling-kind) .refused")).to_have_text(refusal)
        page.locator("#ruling-scope").fill("x")
        preview.click()
        expect(page.locator(".foreseen")).to_contain_text(effect)


def test_an_arbiter_writes_about_a_game_that_goes_on(service: Service, chromium: Browser) -> None:
    """By its link, without a case: other arbiters read it, and nobody at the table."""
    party = service.people(7)
    party.play(6)
    with reader(chromium) as someone, reader(chromium) as other:
        page = open_desk(someone, service, key=service.key(("arbitrate",)))
        link = f"http://127.0.0.1:{service.port}/games/{party.game}#v=3"
        page.get_by_label("Any game: link or id").fill(link)
        page.get_by_role("button", name="Open the game").click()
        expect(page.locator("#version")).to_have_value(str(newest(party)))
        expect(page.locator("#seats .hidden-hand")).to_have_count(0)
        page.get_by_role("button", name="Notes", exact=True).click()
        page.get_by_role("button", name="Write a note about this moment").click()
        page.get_by_label("Your note").fill(f"Slow play? {HOSTILE[2]}")
        page.get_by_role("button", name="Publish", exact=True).click()
        expect(page.locator(".note")).to_contain_text("Slow play?")
        theirs = other.page
        theirs.goto(page.url)
        theirs.get_by_label("Key", exact=True).fill(service.key(("arbitrate",)))
        theirs.get_by_role("button", name="Open the desk").click()
        expect(theirs.locator(".note")).to_contain_text("Slow play?")
    read = party.api.call("GET", f"/v1/games/{party.game}/annotations", token=party.tokens[0]).json
    assert read["annotations"] == []


@pytest.mark.parametrize("what", ["a note", "a ruling"])
def test_what_is_half_written_is_not_lost_to_another_case(
    service: Service, chromium: Browser, what: str
) -> None:
    """Whoever opens another one is asked first, and who stays finds the text and the address as they were."""
    parties = [service.people(seed) for seed in (8, 9)]
    for party in parties:
        party.play(6)
    here, there = (dispute(party) for party in parties)
    with reader(chromium) as someone:
        page = open_desk(someone, service, here, key=service.key(("arbitrate",)))
        panel = page.get_by_role("region", name=f"Case {here}")
        panel.get_by_role("button", name="Claim this case").click()
        if what == "a note":
            page.get_by_role("button", name="Notes", exact=True).click()
            page.get_by_role("button", name="Write a note about this moment").click()
            field = page.get_by_label("Your note")
        else:
            field = page.locator("#ruling-reason_of_ruling")
        field.fill("half a sentence")
        asked: list[str] = []

        def stay(dialog: Dialog) -> None:
            asked.append(dialog.message)
            dialog.dismiss()

        page.once("dialog", stay)
        page.get_by_role("link").filter(has_text=there).click()
        expect(page).to_have_url(re.compile(parties[0].game))
        expect(field).to_have_value("half a sentence")
        assert asked[0].startswith("Discard what you have written?")

        page.once("dialog", lambda dialog: dialog.accept())
        page.get_by_role("link").filter(has_text=there).click()
        expect(page.get_by_role("region", name=f"Case {there}")).to_be_visible()
        expect(page).to_have_url(re.compile(parties[1].game))


def test_what_is_half_written_outlives_another_act_in_the_case(service: Service, chromium: Browser) -> None:
    """An arbiter adds evidence while the ruling is half written: the case is drawn anew, and the ruling is there."""
    party = service.people(10)
    party.play(6)
    with reader(chromium) as someone:
        page = open_desk(someone, service, dispute(party), key=service.key(("arbitrate",)))
        page.get_by_role("button", name="Claim this case").click()
        page.locator("#ruling-kind").select_option("annulled")
        page.locator("#ruling-reason_of_ruling").fill("half a reason")
        page.get_by_text("Add evidence").first.click()
        page.locator("#act-evidence").fill("Look at the offer before.")
        page.get_by_role("button", name="Add evidence").click()
        expect(page.locator("#case .comment").last).to_have_text("Look at the offer before.")
        expect(page.locator("#ruling-reason_of_ruling")).to_have_value("half a reason")
        expect(page.locator("#ruling-kind")).to_have_value("annulled")
        expect(page.locator("#act-evidence")).to_have_value("")


def test_the_evidence_pack_is_saved_as_a_file(service: Service, chromium: Browser) -> None:
    """Under the name of the case, with the key in no address."""
    party = service.people(8)
    party.play(4)
    case = dispute(party)
    with reader(chromium) as someone:
        page = open_desk(someone, service, case, service.key(("arbitrate",)))
        expect(page.locator("#case")).to_be_visible()
        for _ in range(30):
            if page.locator("#packs").count():
                break
            page.reload()
            expect(page.locator("#case")).to_be_visible()
        with page.expect_download() as saved:
            page.get_by_role("button", name="as a page").click()
        assert saved.value.suggested_filename == f"{case.replace('/', '-')}.html"
        assert party.game.encode() in Path(saved.value.path()).read_bytes()


def test_a_refusal_stands_where_the_act_was_tried(service: Service, chromium: Browser) -> None:
    """Whoever set the game up settles none of its cases, and is told so."""
    key = service.key()
    seats = [{"name": "Ann"}, {"name": "Bo"}, {"name": "Cy"}]
    made = service.api.call("POST", "/v1/games", {"system": "classic", "seats": seats}, token=key).json
    party = Party(service.api, made["game"], [seat["token"] for seat in made["seats"]], None)  # type: ignore[arg-type]
    case = dispute(party)
    with reader(chromium) as someone:
        page = open_desk(someone, service, case, key)
        page.get_by_role("button", name="Claim this case").click()
        expect(page.locator("#case [role=alert]").filter(has_text="another arbiter")).to_be_visible()


def test_a_key_that_is_none_is_refused_and_not_kept(service: Service, chromium: Browser) -> None:
    """The field is there again, and says why."""
    with reader(chromium) as someone:
        page = open_desk(someone, service, key="fbk_nonsense")
        expect(page.locator("#queue-said")).not_to_be_empty()
        expect(page.get_by_label("Key", exact=True)).to_be_visible()
        assert page.evaluate("sessionStorage.length") == 0


def test_the_desk_opens_where_nothing_may_be_kept(service: Service, chromium: Browser) -> None:
    """Storage that is forbidden keeps no arbiter from the queue: the key is known as long as the page is open."""
    case = dispute(service.people(14))
    forbidden = (
        "Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('no'); } });"
    )
    with reader(chromium) as someone:
        someone.page.add_init_script(forbidden)
        page = open_desk(someone, service, key=service.key(("arbitrate",)))
        page.get_by_role("link").filter(has_text=case).click()
        expect(page.get_by_role("region", name=f"Case {case}")).to_be_visible()


def test_everybody_can_use_the_desk(service: Service, chromium: Browser) -> None:
    """As far as axe-core finds out, on a phone and on a desk, empty and with a ruling under way."""
    party = service.people(4)
    case = dispute(party, HOSTILE[1])
    for size in (PHONE, LAPTOP):
        with reader(chromium, size) as someone:
            page = open_desk(someone, service)
            assert someone.violations() == []
            page = open_desk(someone, service, key=service.key(("arbitrate",)))
            expect(page.locator("#cases li").first).to_be_visible()
            assert someone.violations() == [], "the queue"
            page.get_by_role("link").filter(has_text=case).click()
            page.get_by_role("button", name="Claim this case").click()
            expect(page.get_by_label("What it covers")).to_be_visible()
            assert someone.violations() == []
            assert not someone.is_too_wide()
            page.get_by_label("Ruling", exact=True).select_option("replaced")
            page.get_by_label("What it covers").fill("the game")
            page.get_by_label("Why").fill(HOSTILE[2])
            page.get_by_role("checkbox", name="Bob").check()
            page.get_by_role("button", name="Show what it would change").click()
            expect(page.get_by_role("button", name="Give this ruling")).to_be_visible()
            page.get_by_text("Add evidence").first.click()
            page.get_by_text("What has happened in this case").click()
            assert someone.violations() == [], "a preview"
            page.get_by_role("button", name="Notes", exact=True).click()
            page.get_by_role("button", name="Write a note about this moment").click()
            assert someone.violations() == [], "notes"
            assert not someone.is_too_wide()
            page.get_by_role("button", name="Case", exact=True).click()
            if size == LAPTOP:
                page.set_viewport_size({"width": SCREEN[0], "height": SCREEN[1]})
                assert someone.violations() == [], "a wide screen"
                assert not someone.is_too_wide()
            page.once("dialog", lambda dialog: dialog.accept())  # a ruling is half written
            page.get_by_role("button", name="Leave it to others").click()
            expect(page.get_by_role("button", name="Claim this case")).to_be_visible()
