"""An evidence pack is made of what strangers wrote: names, table talk, and what they say in the case."""

from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from events.disputes.facts import Person
from events.game.record import read_record
from events.log.disclosure import ALL
from replay.exports.evidence.builder import build_pack
from replay.exports.evidence.case import Dispute, EarlierRuling, Evidence
from replay.exports.evidence.html import render_html
from replay.exports.evidence.markdown import render_markdown
from replay.exports.evidence.pack import EvidencePack, pack_bytes, read_pack
from replay.exports.evidence.text import render_text
from replay.timeline.timeline import read_timeline
from tests.replay.commands.test_hostile_output import UNSAFE
from tests.support.hostile_game import HOSTILE, TALK, hostile_record

WRITTEN = (
    "\x1b[2J\x9b31m\u202eb</blockquote><script>alert(1)</script>\n# h\n- [x](http://evil.example)\n\n    c"
)
EVIL = Person("seat:0", HOSTILE[2])
_SHOWN = {
    *("html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "pre", "blockquote"),
    *("dl", "dt", "dd", "div", "table", "tr", "th", "td"),
}


@pytest.fixture(scope="module")
def pack() -> EvidencePack:
    """A pack in which everything that somebody can choose is hostile."""
    timeline = read_timeline(*read_record(iter(hostile_record())), ALL)
    dispute = Dispute(
        number=1,
        reason="other",
        text=f"{WRITTEN}{''.join(TALK)}",
        version=timeline.last,
        hash="0" * 64,
        opener=EVIL,
        opened=1,
        evidence=tuple(Evidence(EVIL, 1, text, (1,)) for text in (WRITTEN, *TALK)),
    )
    ruling = EarlierRuling(
        game="<b>", dispute=1, version=1, kind="dismissed", scope=WRITTEN, reason=TALK[3], arbiter=EVIL, at=1,
        is_final=True,
    )  # fmt: skip
    made = build_pack(timeline, dispute, rulings=[ruling])
    return read_pack(pack_bytes(made))


class Elements(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    def __init__(self) -> None:
        """Begin with nothing."""
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_is_made_of_a_few_harmless_elements(pack: EvidencePack) -> None:
    """No script, no link, no picture, no address; and what was written is there to be read."""
    page = render_html(pack)
    elements = Elements()
    elements.feed(page)

    assert {tag for tag, _ in elements.found} <= _SHOWN
    assert {name for _, attributes in elements.found for name in attributes} <= {
        *("lang", "charset", "http-equiv", "content", "name", "class", "tabindex")
    }
    assert "default-src 'none'" in page
    assert "<script>alert(1)</script>" in elements.text
    assert HOSTILE[0] in elements.text
    assert not UNSAFE.search(page)


def test_the_text_fits_a_terminal_and_tells_it_nothing(pack: EvidencePack) -> None:
    """Neither escapes nor turned letters reach a terminal, and no line is longer than 80 columns."""
    text = render_text(pack)

    assert not UNSAFE.search(text)
    assert max(map(len, text.splitlines())) <= 80


def test_nothing_that_was_written_is_markup(pack: EvidencePack) -> None:
    """A reader of the Markdown comes upon headings, lists, tables and quotes of ours, and no link or HTML at all."""
    text = render_markdown(pack)
    blocks = (
        MarkdownIt("commonmark", {"html": True, "linkify": True})
        .enable(["table", "strikethrough"])
        .parse(text)
    )
    tokens = [*blocks, *(inner for block in blocks for inner in block.children or ())]

    kinds = {token.type for token in tokens}
    assert not kinds & {
        "link_open",
        "image",
        "html_block",
        "html_inline",
        "code_inline",
        "s_open",
        "fence",
        "hr",
    }
    assert not kinds & {"em_open"}
    headings = [
        token.content
        for place, token in enumerate(blocks)
        if place and blocks[place - 1].type == "heading_open"
    ]
    assert "h" not in headings
    assert "The case" in headings
    assert not UNSAFE.search(text)
    rows = [token for token in blocks if token.type == "tr_open"]
    assert len(rows) > 10
