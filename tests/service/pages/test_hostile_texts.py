"""Names and texts of others can do nothing: on every page they are text, and the page around them stays whole."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from tests.service.pages.reviewed import panel
from tests.support.chromium import LAPTOP, PHONE, Reader, reader
from tests.support.http_play import Party, await_verdict
from tests.support.processes import Service

PATIENCE: Final = 30_000
"""Milliseconds for which a page is waited for that reads a whole game."""
LONG: Final = "W" * 40
NAMES: Final = (
    "<img src=x onerror=window.ran=1>",
    "'\"></bdi><script>window.ran=1</script>",
    "\u05d0\u05d1 ${ran=1} {player} &lt;b&gt; \u05d2\u05d3",
)
"""Markup, an end of the element around it, and letters that run the other way; marks that turn it no name has."""
TEXTS: Final = (
    *NAMES,
    "<svg/onload=window.ran=1><iframe srcdoc='<script>parent.ran=1</script>'></iframe>",
    "[x](javascript:window.ran=1) ![x](https://evil.example/x.png) <https://evil.example/>",
    "</script><script>window.ran=1</script><style>*{display:none}</style>",
    "{{constructor.constructor('window.ran=1')()}} %s \\u003cscript>",
    LONG * 5,
    "\u202e\u2067" + "gnitaepeR " * 8,
)
GUARD: Final = """
window.ran = 0;
window.violated = [];
document.addEventListener("securitypolicyviolation", (event) => window.violated.push(event.violatedDirective));
"""
"""Stands in every page before its own scripts: what hostile text would set, and what the policy kept from running."""
INTRUDERS: Final = (
    "main img:not([src^='/assets/']), main iframe:not([title^='Game ']), main object, main embed, main base, "
    "body style, body meta, "
    "script:not([src]):not([type='application/json']), [onerror], [onload], [onclick], a[href^='javascript'], "
    "a[href*='evil.example'], b b, svg [onload]"
)
"""Elements that no page has by itself."""


@dataclass
class Hostile:
    """What was played by, and written about, people who try everything.

    Attributes:
        running: a game that goes on, with talk, an offer, a case and an arbiter's note.
        finished: a game that is over, with talk and a note.
        arbiter: the key of an arbiter.
    """

    service: Service
    running: Party
    finished: Party
    arbiter: str
    dialogs: list[str] = field(default_factory=list)

    def address(self, path: str) -> str:
        """An address of the service."""
        return f"http://127.0.0.1:{self.service.port}{path}"

    def send(self, path: str, body: dict[str, Any], token: str, status: int = 201) -> Any:
        """Write something."""
        answer = self.service.api.call("POST", path, body, token=token)
        assert answer.status == status, answer.body
        return answer.json

    def look(self, someone: Reader, path: str) -> Page:
        """Open a page that notes what hostile text would do."""
        page = someone.page
        page.add_init_script(GUARD)
        page.on("dialog", self._note)
        page.goto(self.address(path))
        return page

    def _note(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def holds(self, someone: Reader, where: str) -> None:
        """Nothing ran, nothing has become an element, and nothing is pushed out of the window."""
        for frame in someone.page.frames:
            # By way of an element, because a frame that begins anew is waited for without end.
            found = frame.locator(":root").evaluate(
                "(_, intruders) => [window.ran, window.violated,"
                " [...document.querySelectorAll(intruders)].map((each) => each.outerHTML.slice(0, 200))]",
                INTRUDERS,
            )
            assert found in ([0, [], []], [None, None, []]), (where, found)
        assert self.dialogs == [], where
        assert someone.complaints() == [], where
        assert not someone.is_too_wide(), where


@pytest.fixture(scope="module")
def hostile(service: Service) -> Hostile:
    """Play, talk, dispute and annotate with every text."""
    found = Hostile(service, _party(service), _party(service), service.key(("arbitrate",)))
    found.running.play(6)
    assert found.finished.play()
    path = f"/v1/games/{found.running.game}"
    version = service.api.call("GET", path).json["version"]
    said = {"reason": "conduct", "text": "\n".join(TEXTS), "version": version}
    found.send(f"{path}/disputes", said, found.running.tokens[0])
    found.send(f"{path}/disputes/1/claim", {}, found.arbiter, 200)
    evidence = {"text": TEXTS[5], "versions": [version]}
    found.send(f"{path}/disputes/1/evidence", evidence, found.running.tokens[1], 200)
    _annotate(found, path, version, found.arbiter)
    _annotate(found, f"/v1/games/{found.finished.game}", 20, found.finished.tokens[0])
    open_table = {"system": "classic", "seats": [{"name": NAMES[0]}, {"name": NAMES[1]}, None]}
    found.send("/v1/games", open_table, service.key())
    await_verdict(service.api, found.finished.game)
    return found


def _party(service: Service) -> Party:
    body = {"system": "classic", "seats": [{"name": name} for name in NAMES]}
    made = service.api.call("POST", "/v1/games", body, token=service.key())
    assert made.status == 201, made.body
    tokens = [seat["token"] for seat in made.json["seats"]]
    path = f"/v1/games/{made.json['game']}/commands"
    for place, text in enumerate(TEXTS):
        answer = service.api.call("POST", path, {"type": "say", "text": text}, token=tokens[place % 3])
        assert answer.status == 200, answer.body
    return Party(service.api, made.json["game"], tokens, random.Random(4))


def _annotate(found: Hostile, path: str, version: int, token: str) -> None:
    comment = "\n\n".join((*TEXTS, "```\n<script>window.ran=1</script>\n```", f"> # {TEXTS[3]}"))
    note = {"kind": "note", "version": version, "comment": comment, "tags": [NAMES[0], LONG]}
    written = found.send(f"{path}/annotations", note, token)
    title = {"kind": "publication", "set": written["set"], "title": NAMES[1]}
    found.send(f"{path}/annotations", title, token)


def names(page: Page) -> set[str]:
    """The names at the seats, without the marks that keep their letters apart from those around them."""
    return {name.strip("\u2068\u2069") for name in page.locator("#seats .who").all_inner_texts()}


@pytest.fixture(params=[PHONE, LAPTOP], ids=["phone", "laptop"])
def someone(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Reader]:
    """Somebody with a window of this size."""
    with reader(chromium, request.param) as opened:
        yield opened


def test_on_the_first_page(hostile: Hostile, someone: Reader) -> None:
    """In the lists of tables, and to whoever is invited to one."""
    page = hostile.look(someone, "/")
    finished = page.locator(f"#finished li:has(a[href*='{hostile.finished.game}'])")
    expect(finished).to_contain_text(NAMES[0], timeout=PATIENCE)
    expect(page.locator("#running")).to_contain_text(NAMES[1])
    expect(page.locator("#open")).to_contain_text(NAMES[1], timeout=PATIENCE)
    hostile.holds(someone, "lists")
    page.locator("#open li a, #open li button").first.click()
    expect(page.locator("#sit-table")).to_contain_text(NAMES[0])
    hostile.holds(someone, "an invitation")


def test_while_one_plays(hostile: Hostile, someone: Reader) -> None:
    """In the talk, at the seats, in the log; what one says and composes oneself, too."""
    page = hostile.look(someone, f"/games/{hostile.running.game}#token={hostile.running.tokens[0]}")
    expect(page.locator("#talk-list")).to_contain_text(TEXTS[4])
    assert names(page) == {*NAMES}
    page.locator("#talk-line").fill(TEXTS[3])
    page.locator("#talk-form button").click()
    expect(page.locator("#talk-list li").last).to_contain_text(TEXTS[3])
    page.locator("#more summary").click()
    hostile.holds(someone, "playing")


def test_while_one_watches(hostile: Hostile, someone: Reader) -> None:
    """Without a seat, with an address that is no place."""
    named = "&".join(f"{name}={quote(NAMES[1])}" for name in ("v", "as", "panel", "branch", "case"))
    page = hostile.look(someone, f"/games/{hostile.running.game}#{named}")
    expect(page.locator("#seats article")).to_have_count(3)
    page.locator("#sought").fill(NAMES[0])
    page.keyboard.press("Enter")
    expect(page.locator("#found")).not_to_be_empty()
    hostile.holds(someone, "watching")


def test_while_one_reviews(hostile: Hostile, someone: Reader) -> None:
    """In every panel, in a note with all of it, and while one writes it oneself."""
    token = hostile.finished.tokens[1]
    page = hostile.look(someone, f"/games/{hostile.finished.game}#v=20&as=seat:0&token={token}")
    expect(page.locator(".note").first).to_contain_text(TEXTS[3], timeout=PATIENCE)
    for name in ("log", "notes", "figures", "known", "branch", "share"):
        panel(page, name)
        if name == "known":
            expect(page.locator("#panel-known table")).to_be_visible()
        hostile.holds(someone, name)
    panel(page, "notes")
    page.locator("#write").click()
    page.get_by_label("Your note").fill(f"{TEXTS[4]}\n\n{TEXTS[5]}")
    page.get_by_label("Tags, separated by commas").fill(NAMES[0])
    page.get_by_role("button", name="Save as a draft").click()
    expect(page.locator("#drafts input").last).to_be_visible()
    hostile.holds(someone, "a draft")


def test_side_by_side(hostile: Hostile, someone: Reader) -> None:
    """In both frames, and in a link that names none."""
    one = quote(f"{hostile.finished.game}#v=20", safe="")
    page = hostile.look(someone, f"/compare#a={one}&b={one}")
    for side in "AB":
        seats = page.frame_locator(f"iframe[title='Game {side}']").locator("#seats article")
        expect(seats).to_have_count(3, timeout=PATIENCE)
    hostile.holds(someone, "compare")
    page.get_by_label("Game A: link or id").fill("javascript:window.ran=1")
    page.get_by_role("button", name="Show").first.click()
    refused = page.frame_locator("iframe[title='Game A']").locator("#broken")
    expect(refused).to_be_visible(timeout=PATIENCE)
    hostile.holds(someone, "compare with a script")


def test_at_the_desk(hostile: Hostile, someone: Reader) -> None:
    """In the queue, the case, its evidence, a ruling's form and preview, and the notes of arbiters."""
    page = hostile.look(someone, f"/desk#case={hostile.running.game}/1")
    page.get_by_label("Key", exact=True).fill(hostile.arbiter)
    page.get_by_role("button", name="Open the desk").click()
    expect(page.locator("#case .comment")).to_contain_text([TEXTS[3], TEXTS[5]])
    page.get_by_label("Ruling", exact=True).select_option("awarded")
    page.get_by_label("What it covers").fill(NAMES[0])
    page.get_by_label("Why").fill(TEXTS[3])
    page.get_by_role("checkbox", name="onerror").check()
    page.get_by_role("button", name="Show what it would change").click()
    expect(page.locator(".foreseen")).to_contain_text("name as winners: <img")
    hostile.holds(someone, "a case")
    panel(page, "notes")
    expect(page.locator("#notes-here .note").last).to_contain_text(TEXTS[3])
    hostile.holds(someone, "an arbiter's notes")


@pytest.fixture(scope="module")
def exported(hostile: Hostile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The exported page of the finished game, as a file."""
    answer = hostile.service.api.call("GET", f"/games/{hostile.finished.game}/page.html")
    assert answer.status == 200, answer.body
    file = tmp_path_factory.mktemp("exported") / "game.html"
    file.write_bytes(answer.body)
    return file


def test_in_an_exported_page(someone: Reader, exported: Path) -> None:
    """Opened from a folder, without a service that could say what may run."""
    page = someone.page
    page.add_init_script(GUARD)
    page.goto(f"{exported.as_uri()}#v=20")
    expect(page.locator(".note").first).to_contain_text(TEXTS[3])
    assert names(page) == {*NAMES}
    assert page.evaluate("window.ran") == 0
    assert page.locator("main :is(img, iframe, script, style, object)").count() == 0
    assert not someone.is_too_wide()
