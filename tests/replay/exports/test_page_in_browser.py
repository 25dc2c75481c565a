"""An exported page in a browser, opened from disk: every way to walk through it, and no request to anywhere."""

import re
from pathlib import Path
from typing import Any

import pytest

from events.domain_events import BeanPlanted, CardsDrawn
from events.game.record import read_record
from events.log.disclosure import ALL, PUBLIC
from replay.commentary import Commentary
from replay.timeline.timeline import COMMAND, EVENT, PHASE, TURN, Timeline, read_timeline
from tests.replay.exports.pages import annotated_by, page_of, writer_about
from tests.replay.whole_games import ONE_OF_EACH, timeline_of
from tests.support.browser import Browser
from tests.support.hostile_game import HOSTILE, hostile_record
from tests.support.servers import eventually

GAME = ONE_OF_EACH[0]
NOTED = 90
ENTER = "\ue007"
"""As WebDriver writes that key."""
LAPTOP, SCREEN = (1280, 800), (1920, 1080)
ROWS = {LAPTOP: {2: 1, 3: 1, 4: 2, 5: 2, 7: 3}, SCREEN: {2: 1, 3: 1, 4: 2, 5: 2, 7: 2}}
"""In how many rows so many players sit."""
ENDLESS = "<img src=x onerror=document.title='hit'><script>document.title='hit'</script>"


def opened(
    browser: Browser,
    folder: Path,
    timeline: Timeline,
    place: str = "",
    size: tuple[int, int] = (1280, 900),
    *,
    language: str = "en",
) -> None:
    """Write the page in a language and open it from disk, in a window of this size."""
    resize(browser, size)
    file = folder / "game.html"
    file.write_text(page_of(timeline, language), encoding="utf-8")
    browser.open(f"{file.as_uri()}{place}")


def resize(browser: Browser, size: tuple[int, int]) -> None:
    """Give the window this size."""
    width, height = size
    browser.devtools(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=height,
        deviceScaleFactor=1,
        mobile=width < 500,
    )


def annotated() -> Timeline:
    """A recorded game with a note, and a reply to it."""
    writer = writer_about(GAME)
    note = writer.add(
        "note", NOTED, comment=f"A *slip*. {ENDLESS}", move="mistake", tags=["slips"],
        marks=[{"on": "field:1:0", "colour": "red"}, {"on": "pile:draw"}],
    )  # fmt: skip
    to = {"set": note.set, "number": 1, "hash": note.hash}
    writer.add("reply", NOTED, comment="Or not.", to=to)
    return annotated_by(GAME, writer)


def version(browser: Browser) -> int:
    """Where the page says it is."""
    return int(browser.run("return document.getElementById('version').value"))


def text(browser: Browser, selector: str) -> str:
    """What stands in an element."""
    found: str = browser.run("return document.querySelector(arguments[0]).innerText", selector)
    return found


def press(browser: Browser, *keys: str) -> None:
    """Press keys, as a keyboard does."""
    for key in keys:
        for kind in ("keyDown", "keyUp"):
            written: dict[str, Any] = {"text": key} if len(key) == 1 and kind == "keyDown" else {}
            written |= {"windowsVirtualKeyCode": 27} if key == "Escape" else {}
            browser.devtools("Input.dispatchKeyEvent", type=kind, key=key, **written)


def quiet(browser: Browser) -> None:
    """Nothing was complained about, and nothing asked for."""
    assert browser.complaints() == []
    asked = browser.run("return performance.getEntriesByType('resource').map((each) => each.name)")
    assert asked == []


def test_one_walks_through_a_page_by_keys(browser: Browser, tmp_path: Path) -> None:
    """Every unit leads where the terminal's player is led, and each sentence is the record's."""
    whole = annotated()
    tell = Commentary(whole.header.catalogue)
    opened(browser, tmp_path, whole, "#v=100&as=all")
    assert version(browser) == 100

    here = 100
    for key, unit, on in [
        ("ArrowRight", EVENT, True), ("e", EVENT, True), ("ArrowLeft", EVENT, False), ("ArrowDown", COMMAND, True),
        ("c", COMMAND, True), ("ArrowUp", COMMAND, False), ("C", COMMAND, False), ("f", PHASE, True),
        ("F", PHASE, False), ("F", PHASE, False), ("t", TURN, True), ("PageDown", TURN, True), ("T", TURN, False),
        ("PageUp", TURN, False), ("Backspace", EVENT, False),
    ]:  # fmt: skip
        press(browser, key)
        here = whole.after(here, unit) if on else whole.back(here, unit)
        assert version(browser) == here, (key, here)
        step = whole.at(here)
        assert text(browser, "#sentence") == tell.sentence(step.state, step.event)
    press(browser, "Home")
    assert version(browser) == 1
    press(browser, "End")
    assert version(browser) == whole.last
    press(browser, "a")
    assert version(browser) == whole.last
    press(browser, "A")
    assert version(browser) == NOTED
    eventually(lambda: browser.run("return location.hash") == f"#v={NOTED}&as=all", 20)
    press(browser, "?")
    assert browser.run("return document.getElementById('help').open")
    press(browser, "Escape")
    assert not browser.run("return document.getElementById('help').open")
    quiet(browser)


def test_an_event_is_read_out_though_it_is_told_like_the_one_before(browser: Browser, tmp_path: Path) -> None:
    """Who hears the page is told of both beans, and whenever they change whose eyes they see with."""
    whole = timeline_of(GAME)
    tell = Commentary(whole.header.catalogue)
    steps = [whole.at(each) for each in range(1, whole.last + 1)]
    planted = {
        step.version: tell.sentence(step.state, step.event)
        for step in steps
        if isinstance(step.event, BeanPlanted)
    }
    first = next(each for each, told in planted.items() if planted.get(each + 1) == told)
    opened(browser, tmp_path, whole, f"#v={first}&as=all")
    for key, is_told in (("e", True), ("E", True), ("0", True), ("0", False)):
        browser.run("window.before = document.querySelector('#sentence span')")
        press(browser, key)
        is_new = browser.run("return document.querySelector('#sentence span') !== window.before")
        assert is_new == is_told, key
        assert text(browser, "#sentence") == planted[first]
    quiet(browser)


def test_letters_are_no_keys_where_somebody_wants_none(browser: Browser, tmp_path: Path) -> None:
    """WCAG 2.1.4: a switch in the help, which the browser remembers; what is no letter or sign goes on working."""
    whole = annotated()
    opened(browser, tmp_path, whole, "#v=100&as=all")
    press(browser, "?")
    browser.run("document.getElementById('letters').click()")
    press(browser, "Escape")
    for _ in range(2):
        eventually(lambda: version(browser) == 100)
        press(browser, "e", "c", "?", "g", "+")
        assert version(browser) == 100
        assert not browser.run("return document.getElementById('help').open")
        press(browser, "ArrowRight")
        assert version(browser) == 101
        browser.open("about:blank")
        opened(browser, tmp_path, whole, "#v=100&as=all")
    browser.run("document.getElementById('help-open').click()")
    browser.run("document.getElementById('letters').click()")
    press(browser, "Escape")
    press(browser, "e")
    assert version(browser) == 101
    quiet(browser)


def test_what_scrolls_by_itself_keeps_the_keys_that_scroll(browser: Browser, tmp_path: Path) -> None:
    """A part of the page that can be focused and is longer than its room, and only that."""
    opened(browser, tmp_path, annotated(), "#v=100&as=all")
    browser.run(
        "const part = document.getElementById('notes-here'); document.getElementById('notes').hidden = false;"
        "part.style.cssText = 'height: 40px; overflow-y: auto; min-height: 0; flex: none';"
        "const long = document.createElement('p'); long.style.height = '900px';"
        "part.replaceChildren(long); part.focus();"
    )
    press(browser, "ArrowDown", "PageDown", "End", " ")
    assert version(browser) == 100
    press(browser, "ArrowRight")
    assert version(browser) == 101
    quiet(browser)


def test_one_walks_through_a_page_by_hand(browser: Browser, tmp_path: Path) -> None:
    """Scrubber, buttons, log, search, going to a version, playing by itself."""
    whole = annotated()
    opened(browser, tmp_path, whole)
    assert version(browser) == whole.recording.starts[TURN][0]

    browser.run(
        "const r = document.getElementById('version'); r.value = 77; r.dispatchEvent(new Event('input'))"
    )
    assert text(browser, "#sentences [aria-current] .number") == "77"
    browser.click("[data-go=event-on]")
    assert version(browser) == 78
    browser.run("document.querySelector('#sentences [data-version=\"80\"]').click()")
    assert version(browser) == 80
    browser.run("document.getElementById('go-to').value = ''")
    browser.type("#go-to", f"200{ENTER}")
    assert version(browser) == 200
    browser.type("#sought", f"harvest{ENTER}")
    found = version(browser)
    assert found > 200
    assert "harvest" in text(browser, "#sentence")
    assert " of " in text(browser, "#found")
    browser.click("[data-go=match-back]")
    assert version(browser) < found
    browser.click("[data-go=turn-back]")
    here = version(browser)
    browser.run(
        "const t = document.getElementById('tempo'); t.value = '64'; t.dispatchEvent(new Event('change'))"
    )
    browser.click("#play")
    eventually(lambda: version(browser) > here + 3, 30)
    press(browser, "Escape")
    stopped = version(browser)
    assert browser.run("return document.getElementById('play').getAttribute('aria-pressed')") == "false"
    assert version(browser) == stopped
    quiet(browser)


def test_each_perspective_sees_its_own(browser: Browser, tmp_path: Path) -> None:
    """A seat sees its own hand and backs elsewhere; whoever sees everything sees all, and what comes next."""
    opened(browser, tmp_path, annotated(), "#v=120&as=all")
    chips = "return [...document.querySelectorAll('.line.hand')].map((each) => each.querySelector('.chip') !== null)"

    assert browser.run(chips) == [True] * 4
    assert browser.run("return document.querySelectorAll('.next .chip').length") == 6
    press(browser, "2")
    assert browser.run(chips) == [False, False, True, False]
    assert browser.run("return document.querySelectorAll('.next .chip').length") == 0
    eventually(lambda: browser.run("return location.hash") == "#v=120&as=seat:2", 20)
    browser.run("location.hash = '#v=121&as=public'")
    eventually(lambda: version(browser) == 121, 20)
    assert browser.run(chips) == [False] * 4
    press(browser, "p")
    assert browser.run("return document.getElementById('perspective').value") == "seat:0"
    quiet(browser)


def test_an_annotation_stands_at_its_moment(browser: Browser, tmp_path: Path) -> None:
    """With its glyph, its form, its marks on the table, the reply below it; markup in it is text."""
    opened(browser, tmp_path, annotated(), f"#v={NOTED - 1}")
    assert "Nothing was said" in text(browser, "#notes-here")
    assert browser.run("return document.querySelectorAll('.marked').length") == 0

    press(browser, "a")

    assert version(browser) == NOTED
    said = text(browser, "#notes-here")
    for part in ("Ben", "a mistake", "A slip.", "slips", "Or not.", "<img src=x"):
        assert part in said
    marked = "return [...document.querySelectorAll(arguments[0])].map((each) => each.dataset.place)"
    assert browser.run(marked, ".marked") == ["pile:draw", "field:1:0"]
    assert browser.run(marked, ".marked-red") == ["field:1:0"]
    assert browser.run("return [document.images.length, document.title]") == [
        0,
        "Ann, Ben, Çiğdem and Dmitrij",
    ]
    quiet(browser)


@pytest.mark.parametrize("path", ONE_OF_EACH, ids=lambda path: path.parent.name)
def test_every_system_is_drawn_on_a_phone(browser: Browser, tmp_path: Path, path: Path) -> None:
    """From the first version to the last, as narrow as 360 pixels: nothing fails and nothing is wider than that."""
    opened(browser, tmp_path, timeline_of(path), "#v=1", (360, 800))
    widest = browser.run(
        """
        const range = document.getElementById('version');
        let widest = 0;
        for (let version = 1; version <= Number(range.max); version += 7) {
          range.value = version;
          range.dispatchEvent(new Event('input'));
          widest = Math.max(widest, document.documentElement.scrollWidth);
        }
        return widest;
        """
    )

    assert widest <= 360
    assert browser.run("return document.querySelectorAll('.seat').length") == len(
        timeline_of(path).at(1).state.seats
    )
    quiet(browser)


@pytest.mark.parametrize("path", ONE_OF_EACH, ids=lambda path: path.parent.name)
@pytest.mark.parametrize(("language", "size"), [("en", LAPTOP), ("de", LAPTOP), ("fr", SCREEN)])
def test_every_player_is_whole_on_a_screen(
    browser: Browser, tmp_path: Path, path: Path, language: str, size: tuple[int, int]
) -> None:
    """The width is used up to its edge, fields lie beside one another, and nothing is cut off or scrolls sideways."""
    resize(browser, size)
    file = tmp_path / "game.html"
    file.write_text(page_of(timeline_of(path), language), encoding="utf-8")
    browser.open(file.as_uri())
    found = browser.run(
        """
        const range = document.getElementById('version');
        const box = (each) => each.getBoundingClientRect();
        const found = { wide: 0, narrow: 0, apart: 0, scrolled: 0, rows: 0 };
        for (let version = 1; version <= Number(range.max); version += 7) {
          range.value = version;
          range.dispatchEvent(new Event('input'));
          const seats = [...document.querySelectorAll('.seat')];
          const right = box(document.getElementById('seats')).right;
          for (const seat of seats) {
            if (seat.scrollWidth > seat.clientWidth || box(seat).right > right + 1) found.wide += 1;
            for (const field of seat.querySelectorAll('.field')) {
              if (field.scrollWidth > field.clientWidth) found.wide += 1;
              if (box(field).top !== box(seat.querySelector('.field')).top) found.apart += 1;
            }
          }
          const tops = new Set(seats.map((seat) => box(seat).top));
          for (const top of tops) {
            const last = seats.filter((seat) => box(seat).top === top).at(-1);
            if (box(last).right < right - 3) found.narrow += 1;
          }
          found.rows = Math.max(found.rows, tops.size);
          const sentence = document.getElementById('sentence');
          if (sentence.scrollHeight > sentence.clientHeight) found.scrolled += 1;
        }
        return found;
        """
    )

    assert found == {
        "wide": 0,
        "narrow": 0,
        "apart": 0,
        "scrolled": 0,
        "rows": ROWS[size][len(timeline_of(path).at(1).state.seats)],
    }
    quiet(browser)


@pytest.mark.parametrize(("language", "colon"), [("en", ":"), ("fr", "\N{NO-BREAK SPACE}:")])
def test_a_label_has_the_colon_of_its_language(
    browser: Browser, tmp_path: Path, language: str, colon: str
) -> None:
    """French has a space before it, at which no line breaks."""
    timeline = timeline_of(GAME)
    opened(browser, tmp_path, timeline, f"#v={timeline.last // 2}", language=language)
    title = browser.run("return document.querySelector('.meter:has(.missing)').title")
    assert re.search(rf"\w{colon} \d+$", title), title
    quiet(browser)


def test_what_moved_last_is_marked(browser: Browser, tmp_path: Path) -> None:
    """A bean that was planted has left the hand and lies on a field; what was drawn is new in the hand."""
    whole = timeline_of(GAME)
    kinds = [type(whole.at(version).event).__name__ for version in range(1, whole.last + 1)]
    planted = whole.at(kinds.index("BeanPlanted", 100) + 1)
    drawn = whole.at(kinds.index("CardsDrawn", 100) + 1)
    moved = "return [...document.querySelectorAll('.moved')].map((each) => each.dataset.place)"

    opened(browser, tmp_path, whole, f"#v={planted.version}&as=all")
    assert isinstance(planted.event, BeanPlanted)
    seat = planted.event.seat
    assert {*browser.run(moved)} == {f"hand:{seat}", f"field:{seat}:{planted.event.field}"}

    browser.run(f"location.hash = '#v={drawn.version}&as=all'")
    eventually(lambda: version(browser) == drawn.version, 20)
    assert isinstance(drawn.event, CardsDrawn)
    hand = drawn.state.seats[drawn.event.seat].hand[-len(drawn.event.cards) :]
    new = [f"hand:{drawn.event.seat}:{number}" for number, _ in hand]
    assert [*browser.run(moved)] == ["pile:draw", *new]
    press(browser, "Home")
    assert browser.run(moved) == []
    quiet(browser)


def test_hostile_names_are_read_and_not_obeyed(browser: Browser, tmp_path: Path) -> None:
    """They stand on the table as they were written."""
    hostile = read_timeline(*read_record(iter(hostile_record())), PUBLIC)
    opened(browser, tmp_path, hostile, "#v=99999")

    assert [
        *map(str, browser.run("return [...document.querySelectorAll('.who')].map((e) => e.innerText)"))
    ] == [*HOSTILE]
    assert browser.run("return document.querySelectorAll('img, a, main script').length") == 0
    assert browser.run("return document.scripts.length") == 2
    quiet(browser)


def test_a_record_of_which_nothing_holds_is_said_to_be_broken(browser: Browser, tmp_path: Path) -> None:
    """The page is there, with the finding and nothing to walk through."""
    whole = timeline_of(GAME)
    nothing = read_timeline(whole.header, [whole.at(2).form], ALL)
    opened(browser, tmp_path, nothing, "#v=7")

    assert "DOES NOT VERIFY" in text(browser, "#broken")
    press(browser, "ArrowRight", "t", "a", "p")
    assert browser.run("return document.querySelectorAll('.seat, #sentences li').length") == 0
    quiet(browser)
