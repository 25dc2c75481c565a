"""Watching a game in a browser: live, back to its beginning and forward to now, everything checked as it arrives."""

import random
import re
from pathlib import Path

from playwright.sync_api import Browser, Page, Route, expect

from service.http.pages.assets import address_of
from tests.service.pages.windows import RECORDER, await_so_many
from tests.support.chromium import PHONE, Reader, reader
from tests.support.http_play import Party, events_of
from tests.support.processes import Service
from tests.support.servers import eventually

VERIFIED = re.compile(r"Verified up to (\d+)")


def address(service: Service, game: str, fragment: str = "") -> str:
    """Where the page of a game is."""
    return f"http://127.0.0.1:{service.port}/games/{game}{fragment}"


def open_game(someone: Reader, service: Service, game: str, fragment: str = "") -> Page:
    """Open the page of a game and wait for its table."""
    someone.page.goto(address(service, game, fragment))
    expect(someone.page.locator("#seats article").first).to_be_visible()
    return someone.page


def newest(party: Party) -> int:
    """The version of a game as it is now."""
    return int(party.api.call("GET", f"/v1/games/{party.game}").json["version"])


def end_together(party: Party) -> None:
    """Bring a game of two to its end at once."""
    party.send(0, {"type": "offer_end", "kind": "drawn"})
    party.send(1, {"type": "accept_end"})


def test_a_spectator_sees_what_happens_as_it_happens(service: Service, chromium: Browser) -> None:
    """And goes back to the first event and forward to now; every event is checked by the second verifier."""
    party = service.people(1)
    with reader(chromium) as someone:
        page = open_game(someone, service, party.game)
        expect(page.locator("#connection")).to_have_text("Live")
        party.play(5)
        expect(page.locator("#version")).to_have_value(str(newest(party)))
        expect(page.locator("#verified summary")).to_have_text(f"✓ Verified up to {newest(party)}")

        page.keyboard.press("Home")
        expect(page.locator("#version")).to_have_value("1")
        before = newest(party)
        party.play(1)
        expect(page.locator("#to-now")).to_contain_text(f"{newest(party) - 1} new events")
        expect(page.locator("#version")).to_have_value("1")
        assert newest(party) > before
        page.locator("#to-now").click()
        expect(page.locator("#version")).to_have_value(str(newest(party)))
        expect(page.locator("#to-now")).to_be_hidden()


def test_who_watches_later_is_told_how_much_and_gets_nothing_newer(
    service: Service, chromium: Browser
) -> None:
    """No answer and no frame has the hash of anything that lies within the delay, until the game is over."""
    delay = 6
    seats = [{"name": name} for name in ("Ann", "Bo", "Cy")]
    body = {"system": "classic", "seats": seats, "spectator_delay": delay}
    made = service.api.call("POST", "/v1/games", body, token=service.key()).json
    party = Party(service.api, made["game"], [seat["token"] for seat in made["seats"]], random.Random(3))
    with reader(chromium) as someone, reader(chromium) as player:
        someone.page.add_init_script(RECORDER)
        page = open_game(someone, service, party.game)
        expect(page.locator("#delayed")).to_have_text(
            f"Delayed: you see everything {delay} events later than the players."
        )
        party.play(12)
        events = events_of(service.api, party.game, party.tokens[0])
        expect(page.locator("#version")).to_have_value(str(len(events) - delay))
        expect(page.locator("#verified summary")).to_have_text(f"✓ Verified up to {len(events) - delay}")
        # What comes later goes to others: a window that was never delayed has it by now.
        own = open_game(player, service, party.game, f"#token={party.tokens[0]}")
        expect(own.locator("#version")).to_have_value(str(len(events)))
        expect(own.locator("#delayed")).to_have_count(0)
        received = "".join(page.evaluate("window.received"))
        hidden = {each["hash"] for each in events[-delay:]}
        assert {each["hash"] for each in events if each["hash"] in received}.isdisjoint(hidden)
        assert events[-delay - 1]["hash"] in received
        page.get_by_role("link", name="Français").click()
        expect(page.locator("#delayed")).to_have_text(
            f"En différé\u00a0: tu vois tout {delay} événements après les joueurs."
        )


def test_what_was_watched_is_what_a_new_reader_finds(service: Service, chromium: Browser) -> None:
    """The sentence at each version and the table, grown event by event, are those of a page opened afterwards."""
    party = service.people(2)
    seen = (
        "async () => { const script = document.querySelector('script[type=module]');"
        " const at = script.src.replace('game/start.js', 'table/');"
        " const { last, tableAt, sentenceAt } = await import(at + 'record.js');"
        " const { place: { perspective } } = await import(at + 'place.js');"
        " const sentences = [...Array(last)].map((_, at) => sentenceAt(at + 1, perspective));"
        " return [last, sentences, [...tableAt(last, perspective)].sort()]; }"
    )
    with reader(chromium) as someone, reader(chromium) as other:
        page = open_game(someone, service, party.game)
        for _ in range(12):
            party.play(1)
        expect(page.locator("#verified summary")).to_have_text(f"✓ Verified up to {newest(party)}")
        expect(page.locator("#version")).to_have_value(str(newest(party)))
        found = open_game(other, service, party.game).evaluate(seen)
        # The table comes after what is told of it.
        eventually(lambda: page.evaluate(seen) == found)


def test_a_connection_that_is_cut_comes_back_without_a_gap(service: Service, chromium: Browser) -> None:
    """What happened meanwhile is there afterwards, and verified."""
    party = service.people(3)
    with reader(chromium) as someone:
        page = open_game(someone, service, party.game)
        expect(page.locator("#connection")).to_have_text("Live")
        page.context.set_offline(True)
        party.play(4)
        page.context.set_offline(False)
        expect(page.locator("#verified summary")).to_have_text(f"✓ Verified up to {newest(party)}")
        expect(page.locator("#version")).to_have_value(str(newest(party)))
        someone.complaints().clear()


def test_a_service_that_tells_another_story_is_found_out(service: Service, chromium: Browser) -> None:
    """One card in the record is another one than in the log: the chain does not hold, and the page says where."""
    party = service.people(4)
    while "bean_planted" not in str(party.api.call("GET", f"/v1/games/{party.game}/events").json):
        party.play(1)

    def lie(route: Route) -> None:
        lines = route.fetch().text().splitlines()
        place = next(at for at, line in enumerate(lines) if '"bean_planted"' in line)
        card = re.search(r'"card":"(\w+)"', lines[place])
        assert card is not None
        other = "blue" if card[1] != "blue" else "chili"
        lines[place] = lines[place].replace(f'"card":"{card[1]}"', f'"card":"{other}"')
        route.fulfill(body="\n".join([*lines, ""]), content_type="application/x-ndjson")

    with reader(chromium, language="de") as someone:
        someone.page.route("**/record", lie)
        page = open_game(someone, service, party.game)
        expect(page.locator("#verified summary")).to_have_text(
            re.compile(r"✗ Das hält der Prüfung nicht stand: bei \d+, die Kette der Hashes reißt hier")
        )


def test_what_did_not_hold_once_is_not_called_verified_at_the_end(
    service: Service, chromium: Browser
) -> None:
    """The service tells another story only once, and the whole record is right when the game is over."""
    party = service.people(9, "bean-duel", 2)
    party.play(6)

    asked: list[str] = []

    def lie_once(route: Route) -> None:
        asked.append(route.request.url)
        told = route.fetch().text()
        if len(asked) == 1:
            told = told.replace('"hash":"', '"hash":"00', 1)
        route.fulfill(body=told, content_type="application/x-ndjson")

    with reader(chromium) as someone:
        page = someone.page
        page.route("**/record", lie_once)
        open_game(someone, service, party.game)
        sign = page.locator("#verified summary")
        expect(sign).to_contain_text("✗ This does not verify")
        end_together(party)
        expect(page.locator("#panels button")).to_have_count(6)
        await_so_many(page, asked, 2)
        page.wait_for_timeout(2_000)
        expect(sign).to_contain_text("✗ This does not verify")


def test_what_could_not_be_checked_is_tried_again(service: Service, chromium: Browser) -> None:
    """Until the record is there; what was told meanwhile is checked with it."""
    party = service.people(10)
    with reader(chromium) as someone:
        page = someone.page
        page.route("**/record", lambda route: route.fulfill(status=429, json={"code": "rate_limited"}))
        open_game(someone, service, party.game)
        expect(page.locator("#verified summary")).to_have_text("Could not be checked")
        party.play(3)
        expect(page.locator("#version")).to_have_value(str(newest(party)))
        page.unroute("**/record")
        expect(page.locator("#verified summary")).to_have_text(f"✓ Verified up to {newest(party)}")


def test_the_service_signs_a_game_as_it_goes_on_and_at_its_end(service: Service, chromium: Browser) -> None:
    """Not only where the page was opened: this browser keeps what it signed, and checks the record by it."""
    party = service.people(11, "bean-duel", 2)
    with reader(chromium) as someone:
        page = open_game(someone, service, party.game)
        expect(page.locator("#verified summary")).to_have_text(VERIFIED)
        party.play(60)
        expect(page.locator("#verified summary")).to_have_text(f"✓ Verified up to {newest(party)}")
        end_together(party)
        expect(page.locator("#verified summary")).to_have_text("✓ The whole game is verified")
        kept = page.evaluate(
            "JSON.parse(localStorage.getItem(`fieldbook/receipts/${location.pathname.slice(7)}`))"
        )
        signed = [int(note.split("\n")[2].removeprefix("version ")) for note in kept]
        assert signed == sorted(set(signed))
        assert signed[-1] == newest(party)
        assert len(signed) > 2, "when it was opened, in between and at the end"


def test_an_address_names_a_moment_where_one_looks_back(service: Service, chromium: Browser) -> None:
    """Who follows a game follows it when the page is loaded again; once it is over a link leads to its end."""
    party = service.people(12, "bean-duel", 2)
    with reader(chromium) as someone:
        page = open_game(someone, service, party.game)
        page.wait_for_url("**#as=public")
        party.play(4)
        expect(page.locator("#version")).to_have_value(str(newest(party)))
        page.reload()
        expect(page.locator("#version")).to_have_value(str(newest(party)))
        page.wait_for_url("**#as=public")
        end_together(party)
        page.wait_for_url(f"**#v={newest(party)}&as=*")
        page.reload()
        expect(page.locator("#version")).to_have_value(str(newest(party)))


def test_a_receipt_of_a_seat_outlives_what_the_service_forgets(service: Service, chromium: Browser) -> None:
    """What it signed when the page was open before is held against what it tells later."""
    party = service.people(5)
    with reader(chromium) as someone:
        page = open_game(someone, service, party.game, f"#token={party.tokens[0]}")
        expect(page.locator("#verified summary")).to_have_text(VERIFIED)
        kept = page.evaluate("Object.entries(localStorage).filter(([name]) => name.includes('receipts'))")
        assert [name for name, _ in kept] == [f"fieldbook/receipts/{party.game}"]
        changed = kept[0][1].replace("\\nhash ", "\\nhash 00", 1)
        page.evaluate("([name, notes]) => localStorage.setItem(name, notes)", [kept[0][0], changed])
        page.reload()
        expect(page.locator("#verified summary")).to_contain_text("✗ This does not verify")


def test_a_token_leaves_the_address_at_once(service: Service, chromium: Browser) -> None:
    """The link of a seat is not shared by mistake; this browser keeps it, and a reload shows the same hand."""
    party = service.people(6)
    with reader(chromium) as someone:
        page = open_game(someone, service, party.game, f"#token={party.tokens[1]}")
        assert party.tokens[1] not in page.url
        expect(page.locator("#seats .is-own .hand .chip")).to_have_count(5)
        page.reload()
        expect(page.locator("#seats .is-own .hand .chip")).to_have_count(5)


def test_who_cannot_see_a_game_is_told_why_and_what_to_do(service: Service, chromium: Browser) -> None:
    """A link that leads nowhere, a token that is not good, a game that is private, one that cannot be read now."""
    party = service.people(7)
    seats = [{"name": name} for name in ("Ann", "Bo", "Cy")]
    body = {"system": "classic", "visibility": "private", "seats": seats}
    private = service.api.call("POST", "/v1/games", body, token=service.key()).json
    with reader(chromium, PHONE) as someone:
        someone.page.goto(address(service, "nosuchgame00000x"))
        expect(someone.page.locator("#broken")).to_contain_text("There is no such game here")
        expect(someone.page.locator("main")).to_be_hidden()
        someone.page.goto(address(service, private["game"]))
        expect(someone.page.locator("#broken")).to_contain_text("There is no such game here")
        someone.page.goto(address(service, private["game"], f"#token={private['seats'][1]['token']}"))
        expect(someone.page.locator("#play-title")).to_be_visible()
        assert "token" not in someone.page.url
        someone.page.goto(address(service, party.game, "#token=fbs_nonsense"))
        expect(someone.page.locator("#broken")).to_contain_text("This link is no longer good")
        someone.page.get_by_role("link", name="Watch without a seat").click()
        expect(someone.page.locator("#seats article").first).to_be_visible()
        assert not someone.is_too_wide()
    # A page that waits asks again by itself.
    answer = {"status": 503, "code": "archive_unavailable", "detail": "The archive does not answer."}
    with reader(chromium, PHONE, "de") as someone:
        someone.page.route("**/history*", lambda route: route.fulfill(status=503, json=answer))
        someone.page.goto(address(service, party.game))
        broken = someone.page.locator("#broken")
        expect(broken).to_contain_text(
            "Das Spiel liegt im Archiv, das nicht antwortet: Versuch es später noch einmal."
        )
        expect(broken.get_by_role("link", name="Neu laden")).to_be_visible()
        someone.page.unroute("**/history*")
        expect(someone.page.locator("#seats article").first).to_be_visible()


def test_a_page_begins_where_nothing_may_be_kept(service: Service, chromium: Browser) -> None:
    """Storage that is forbidden or full keeps nobody from their seat."""
    party = service.people(13)
    forbidden = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no'); } });"
    full = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
    for script in (forbidden, full):
        with reader(chromium) as someone:
            someone.page.add_init_script(script)
            page = open_game(someone, service, party.game, f"#token={party.tokens[1]}")
            expect(page.locator("#seats .is-own .hand .chip")).to_have_count(5)
            expect(page.locator("#verified summary")).to_have_text(VERIFIED)


def test_a_browser_forgets_games_that_were_opened_long_ago(service: Service, chromium: Browser) -> None:
    """What is kept of a hundred stays, and of tables where somebody sits; without room receipts go first."""
    keep = (
        "async ([module, games]) => { const { keepOfGame, RECEIPTS, SEATS } = await import(module);"
        " for (const game of games) { keepOfGame(SEATS, game, 'fbw_1'); keepOfGame(RECEIPTS, game, '[]'); } }"
    )
    with reader(chromium) as someone:
        page = someone.page
        page.goto(f"http://127.0.0.1:{service.port}/compare")
        page.evaluate("localStorage.setItem('fieldbook/tables', '[\"g0\"]')")
        page.evaluate("localStorage.setItem('fieldbook/seat/older', 'fbw_1')")
        page.evaluate(keep, [address_of("common/storage.js"), [f"g{each}" for each in range(103)]])
        names = set(page.evaluate("Object.keys(localStorage)"))
        stay = {"g0", *(f"g{each}" for each in range(3, 103))}
        assert {name for name in names if "seat/" in name} == {f"fieldbook/seat/{game}" for game in stay}
        assert {name for name in names if "receipts/" in name} == {
            f"fieldbook/receipts/{game}" for game in stay
        }

        long = (
            "async (module) => { const { keepOfGame, RECEIPTS, SEATS } = await import(module);"
            " for (let at = 0; at < 20; at += 1) {"
            " keepOfGame(SEATS, `h${at}`, 'fbw_1'); keepOfGame(RECEIPTS, `h${at}`, 'x'.repeat(400_000)); } }"
        )
        page.evaluate(long, address_of("common/storage.js"))
        names = set(page.evaluate("Object.keys(localStorage)"))
        assert {f"fieldbook/seat/h{each}" for each in range(20)} < names
        assert "fieldbook/receipts/h19" in names
        assert "fieldbook/receipts/h0" not in names


def test_everybody_can_use_the_page(service: Service, chromium: Browser) -> None:
    """As far as axe-core finds out, on a phone and on a desk."""
    party = service.people(8)
    for size in (PHONE, (1280, 900)):
        with reader(chromium, size) as someone:
            open_game(someone, service, party.game)
            expect(someone.page.locator("#verified summary")).to_have_text(VERIFIED)
            assert someone.violations() == []
            assert not someone.is_too_wide()


def test_a_page_has_the_client_that_programs_have(service: Service, chromium: Browser) -> None:
    """What a program does at a table in Node, a page of the service does with the modules that it loads."""
    trial = (Path(__file__).parents[2] / "replay" / "javascript_client" / "trial.mjs").read_text("utf-8")
    program = trial.replace("export ", "")
    with reader(chromium) as someone:
        someone.page.goto(f"http://127.0.0.1:{service.port}/compare")
        done = someone.page.evaluate(
            f"async ([client, given]) => {{ {program} return trial(await import(client), given); }}",
            [address_of("client/index.js"), {"address": "", "key": service.key()}],
        )

    assert done["heard"] == [*range(1, done["version"] + 1)]
    assert done["entries"] == done["version"]
    assert "Bohnanza" in done["refused"]
