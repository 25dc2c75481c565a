"""An exported page holds the game as each of its perspectives sees it, in one file that loads nothing."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from events.domain_events import UNKNOWN_CARD
from events.game.record import read_record, write_record
from events.log.disclosure import ALL, PUBLIC, viewer_name
from events.rules.table.state import GameState
from replay.annotations.book import AnnotationBook
from replay.annotations.files import Binding, write_file
from replay.client.sources import record_lines
from replay.commentary import LANGUAGES, Commentary
from replay.exports.page.comments import ELEMENTS, comment_tree
from replay.exports.page.layers import Layers
from replay.records.effective_history import mark_discarded
from replay.terminal.table_text import offer_text
from replay.timeline.timeline import Timeline, read_timeline
from tests.replay.commands.commands import WHOLE, run
from tests.replay.exports.pages import BLOCK, Reading, data_in, names_of, page_of, writer_about
from tests.replay.whole_games import GAMES, ONE_OF_EACH, is_read_closely, timeline_of
from tests.support.hostile_game import HOSTILE, TALK, hostile_record

VOID = {"meta", "link", "input", "path", "use", "br", "hr"}


class Elements(HTMLParser):
    """The elements of a page with their attributes; each one that is opened must be closed."""

    def __init__(self, page: str) -> None:
        """Read the page."""
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self._inside: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._inside.pop() == tag


def shown(data: dict[str, Any], table: dict[str, Any], seat: int) -> dict[str, Any]:
    """What a page shows of a seat, with the keys of its cards spelt out."""
    names = [short for _, short, _ in data["cards"]]
    hand = table.get(f"{seat}.hand", 0)
    if isinstance(hand, list):
        hand = [(number, names[card]) for number, card in hand]
    fields = [
        [names[card] for count, card in field["cards"] for _ in range(count)]
        for field in table.get(f"{seat}.fields", [])
    ]
    aside = [(number, names[card]) for number, card in table.get(f"{seat}.aside", [])]
    return {"hand": hand, "fields": fields, "aside": aside, "coins": table.get(f"{seat}.coins", 0)}


def true(tell: Commentary, state: GameState, seat: int) -> dict[str, Any]:
    """The same of the table itself."""
    own, short = state.seats[seat], tell.names.short
    known = any(card != UNKNOWN_CARD for _, card in own.hand)
    return {
        "hand": [(number, short(card)) for number, card in own.hand] if known else len(own.hand),
        "fields": [[*map(short, field)] for field in own.fields],
        "aside": [(number, short(card)) for number, card in own.aside],
        "coins": len(own.coins),
    }


def check_table(data: dict[str, Any], table: dict[str, Any], tell: Commentary, state: GameState) -> None:
    """What lies on the table of a page is what lies on the table."""
    names = [short for _, short, _ in data["cards"]]
    for seat in range(len(state.seats)):
        assert shown(data, table, seat) == true(tell, state, seat)
    assert table["draw"] == [len(state.draw_pile), state.exhaustions]
    assert table["discard"][0] == len(state.discard_pile)
    assert [names[card] for card in table["discard"][1:]] == [*map(tell.names.short, state.discard_pile[-1:])]
    known = [tell.names.short(card) for card in state.draw_pile[:6] if card != UNKNOWN_CARD]
    assert [names[card] for card in table.get("next", [])] == known
    revealed = [(number, tell.names.short(card)) for number, card in state.revealed]
    assert [(number, names[card]) for number, card in table.get("revealed", [])] == revealed
    assert [text for _, _, text, _ in table.get("offers", [])] == [
        offer_text(tell, state, each) for each in state.offers
    ]
    if state.duel is not None:
        assert table["bonus_pile"] == [len(state.duel.pile), len(state.duel.discards)]
        for seat, own in enumerate(state.duel.seats):
            assert (f"{seat}.bonus" in table) == bool(own.bonus)
            if own.bonus:
                assert table[f"{seat}.bonus"] == tell.names.bonus_cards(own.bonus)
    if state.ladybohn_expansion is not None:
        fans = [[names[card] for count, card in fan for _ in range(count)] for fan in table.get("fans", [])]
        assert fans == [[*map(tell.names.short, fan)] for fan in state.ladybohn_expansion.fans]
    check_offers(names, table, tell, state)


def check_offers(names: list[str], table: dict[str, Any], tell: Commentary, state: GameState) -> None:
    """What an offer of a page is made of is what it is made of; the numbers of hand cards only for who knows them."""
    short = tell.names.short
    for (number, seat, _, made), offer in zip(table.get("offers", []), state.offers, strict=True):
        assert (number, seat, made.get("to")) == (offer.number, offer.seat, offer.to)
        cards = [names[card] for count, card in made.get("cards", []) for _ in range(count)]
        assert cards == [*map(short, offer.hand_cards)]
        assert made.get("hand", []) == [each for each in offer.hand if each]
        assert [*made.get("revealed", [])] == [*offer.revealed]
        wanted = {names[card]: count for count, card in made.get("want", [])}
        assert wanted == {short(card): count for card, count in offer.want.items()}
        assert made.get("want_revealed", []) == [*offer.want_revealed]
        assert made.get("counters") == offer.counters
        assert made.get("declined", []) == [*offer.declined]
        promises = (made.get("spare", False), made.get("want_spared", False))
        assert promises == (offer.spare, offer.want_spared)


@pytest.mark.deep
@pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_page_shows_every_perspective_what_its_timeline_shows(path: Path) -> None:
    """At every version of a game of each system: the same sentence and table for all, public and each seat."""
    whole = timeline_of(path)
    data = data_in(page_of(whole))
    tell = Commentary(whole.header.catalogue)
    apart = 3 if is_read_closely(path) else 11
    assert [each["key"] for each in data["perspectives"]] == names_of(whole)

    for viewer in (ALL, PUBLIC, *range(len(whole.at(1).state.seats))):
        seen, reading = whole.seen_by(viewer), Reading(data, viewer_name(viewer))
        for version in range(1, whole.last + 1):
            step, table = seen.at(version), reading.table(version)
            assert reading.sentence(version) == mark_discarded(
                tell.sentence(step.state, step.event), counts=step.counts
            )
            if version % apart == 0 or version == whole.last:
                check_table(data, table, tell, step.state)


def test_layers_hold_every_difference_there_is() -> None:
    """Whatever scenes there are, even a part that a seat does not see: each perspective gets its own back."""
    scenes: list[dict[int, dict[str, Any]]] = [
        {
            PUBLIC: {"turn": 1, "ready": 2},
            0: {"turn": 1},
            1: {"turn": 1, "ready": 3},
            ALL: {"turn": 1, "ready": 2, "next": 4},
        },
        {PUBLIC: {"turn": 1}, 0: {"turn": 5}, 1: {"turn": 1}, ALL: {"turn": 5}},
        {PUBLIC: {}, 0: {}, 1: {"0.coins": 0}, ALL: {"0.coins": 7}},
        {PUBLIC: {"0.coins": 0}, 0: {}, 1: {"0.coins": 0}, ALL: {"0.coins": 0}},
    ]
    layers = Layers((ALL, PUBLIC, 0, 1))
    before: dict[int, dict[str, Any]] = {viewer: {} for viewer in scenes[0]}
    for version, scene in enumerate(scenes, start=1):
        layers.change(version, {viewer: between(before[viewer], scene[viewer]) for viewer in scene})
        layers.tell(version, dict.fromkeys(scene, 0))
        before = scene
    data = {"layers": layers.stored(), "texts": [""]}

    for viewer in (ALL, PUBLIC, 0, 1):
        reading = Reading(data, viewer_name(viewer))
        assert [reading.table(version) for version in (1, 2, 3, 4)] == [scene[viewer] for scene in scenes]


def between(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """What is not in a scene as it was in the one before."""
    changed = {name: value for name, value in after.items() if before.get(name) != value}
    return changed | {name: None for name in before if name not in after}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_one_file_that_names_no_outside_address(language: str) -> None:
    """Nothing in it is loaded; its policy allows its own script and style by their hashes, and nothing else."""
    page = page_of(timeline_of(ONE_OF_EACH[3]), language)
    elements = Elements(page)
    attributes = [(name, value) for _, found in elements.found for name, value in found.items()]

    assert {
        value for name, value in attributes if name in {"href", "src", "action"} and value and value[0] != "#"
    } == {"data:,"}
    assert [name for name, _ in attributes if name.startswith("on") or name == "style"] == []
    assert (
        re.findall(
            r"://|url\(|@import|\bfetch\b|XMLHttp|WebSocket|\beval\b|innerHTML|import\(", BLOCK.sub("", page)
        )
        == []
    )
    policy = next(
        found["content"] for tag, found in elements.found if tag == "meta" and "http-equiv" in found
    )
    assert policy == (
        f"default-src 'none'; script-src '{digest(page, 'script')}'; "
        f"style-src '{digest(page, 'style')}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    assert ("html", {"lang": language}) in elements.found
    assert "$" not in page.split('<script type="application/json"')[0]


def digest(page: str, name: str) -> str:
    """What stands in this element, as a policy names it."""
    text = page.split(f"<{name}>")[1].split(f"</{name}>", maxsplit=1)[0]
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def hostile() -> Timeline:
    """A genuine record in which every name and every talk is hostile."""
    return read_timeline(*read_record(iter(hostile_record())), ALL)


def test_hostile_texts_are_texts() -> None:
    """Names and talk stand in the data, whole, and nowhere in the markup; nothing ends the block of data."""
    page = page_of(hostile())
    block = BLOCK.findall(page)[0]

    assert not set(block) & set("<>&\u2028\u2029")
    tags = [tag for tag, _ in Elements(page).found]
    assert (tags.count("script"), tags.count("b"), tags.count("img")) == (2, 0, 0)
    told = " ".join(data_in(page)["texts"])
    for text in (*HOSTILE, *TALK):
        assert text in told
        assert text not in BLOCK.sub("", page)


@pytest.mark.parametrize(
    "comment",
    [
        "<script>x</script>", "[a](javascript:alert(1))", "![a](b)", "<a@b.c>", "[a]: b\n\n[a]", "&lt;b&gt;",
        "# h", "> q", "- a\n  - b", "1. a", "```js\n<b>\n```", "    code", "a\\\nb", "***", "`<i>`", "**a *b***",
        "> " * 90 + "deep", "- " * 90 + "deep", "*" * 500, "[" * 500, "\u202eabc\x1b[2J", "\u0646\u0648\u0631",
    ],
)  # fmt: skip
def test_a_comment_is_a_tree_of_harmless_elements(comment: str) -> None:
    """Whatever it says; no link, no picture, no HTML, and no letter that would turn what is around it."""

    def check(node: Any) -> None:
        if isinstance(node, str):
            assert not set(node) & set("\x1b\u202e")
            return
        assert node[0] in ELEMENTS
        for child in node[1:]:
            check(child)

    for node in comment_tree(comment):
        check(node)


def test_a_comment_keeps_its_form() -> None:
    """Emphasis, lists, quotations and code are what they are in Markdown."""
    assert comment_tree("# No\n\n1. *a* `b`\n2. [c](d)\n\n> e\n\n```\nf\ng\n```") == [
        ["h4", "No"],
        ["ol", ["li", ["em", "a"], " ", ["code", "b"]], ["li", "[c](d)"]],
        ["blockquote", ["p", "e"]],
        ["pre", "f\ng"],
    ]


def test_annotations_come_from_the_record_and_from_a_file(tmp_path: Path) -> None:
    """Both stand in the page; a file about another game is a finding, and one for a table of events is refused."""
    path = ONE_OF_EACH[0]
    ann, ben = writer_about(path, "a"), writer_about(path, "b")
    ann.add("note", 30, comment="in the record")
    ben.add("note", 40, comment="in the file")
    with record_lines(str(path)) as lines:
        header, forms = read_record(lines)
        named = replace(header, secret=timeline_of(path).at(timeline_of(path).last).state.secret)
        carried = write_record(named, [*forms], (), [entry.line for entry in ann.written.entries])
    record, file, target = tmp_path / "game.ndjson", tmp_path / "notes.ndjson", tmp_path / "game.html"
    record.write_bytes(b"".join(carried))
    binding = Binding(header.game, timeline_of(path).at(1).form.hash)
    file.write_bytes(b"".join(write_file(binding, AnnotationBook.of(header.game, ben.written.entries))))

    alone = run("export", record, "--to", "html", "--output", target)
    assert (alone.returncode, len(data_in(target.read_text(encoding="utf-8"))["notes"])) == (0, 1)
    both = run("export", record, "--to", "html", "--annotations", file, "--output", target)
    assert both.returncode == 0
    notes = data_in(target.read_text(encoding="utf-8"))["notes"]
    assert [(note["version"], note["comment"]) for note in notes] == [
        (30, [["p", "in the record"]]),
        (40, [["p", "in the file"]]),
    ]
    assert run("export", WHOLE, "--to", "html", "--annotations", file).returncode == 1
    refused = run("export", record, "--to", "csv", "--annotations", file)
    assert refused.returncode == 2
    assert "only html shows them" in refused.stderr


@pytest.mark.parametrize("line", [1, 101])
def test_a_record_that_breaks_is_a_page_up_to_there_that_says_so(tmp_path: Path, line: int) -> None:
    """The page ends where the record does, even before its first entry, with the finding; the exit status is 1."""
    broken, target = tmp_path / "broken.ndjson", tmp_path / "game.html"
    lines = WHOLE.read_bytes().splitlines(keepends=True)
    broken.write_bytes(
        b"".join([*lines[:line], lines[line].replace(b'"at":1', b'"at":2', 1), *lines[line + 1 :]])
    )
    finished = run("export", broken, "--to", "html", "--output", target)
    data = data_in(target.read_text(encoding="utf-8"))

    assert finished.returncode == 1
    assert data["last"] == line - 1
    assert f"version {line}" in data["broken"]
