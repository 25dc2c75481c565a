"""The page itself: one file, whose policy lets a browser run its own script and load nothing from anywhere.

The policy names script and style by their hashes, so that nothing else could run in the page even if some text of a
record got into its markup. None does: texts stand in a block of JSON, without any letter that means something in
HTML, and the script puts them on the screen as text.
"""

from collections.abc import Mapping
from functools import cache
from html import escape
from importlib import resources
from string import Template
from typing import BinaryIO, Final

import msgspec

from replay.exports.page.content import Drawing, draw, labels, title_of
from replay.exports.page.modules import join_modules
from replay.exports.policies import source_hash
from replay.timeline.timeline import Timeline

ENTRY: Final = "start"
"""The module with which the page's script begins."""
STYLES: Final = ("colours", "page", "table", "log", "controls", "narrow")
"""The files of the style sheet in their order."""
_ESCAPED: Final = "<>&\u2028\u2029"


class Page(Drawing):
    """A page that is drawn while its timeline is read, and then written."""

    def write(self, output: BinaryIO) -> None:
        """Write the page, once every entry was drawn: the sentences and the labels are in its language."""
        script = join_modules(ENTRY)
        style = "\n".join(_file(f"style/{name}.css") for name in STYLES)
        words, title = labels(self.tell.messages), title_of(self.timeline, self.tell)
        page = Template(_file("page.html")).substitute(
            viewer=viewer_markup(words, title),
            language=self.tell.messages.language,
            title=escape(title),
            script_hash=source_hash(script),
            style_hash=source_hash(style),
            script=script,
            style=style,
            record=in_html(msgspec.json.encode(self.content()).decode()),
        )
        output.write(page.encode())


def write_page(timeline: Timeline, language: str, output: BinaryIO) -> None:
    """Write the page of a timeline's viewer that was read before, with the sentences and labels in a language."""
    page = Page(language)
    draw(timeline, page)
    page.write(output)


def viewer_markup(words: Mapping[str, str], title: str, home: str = "") -> str:
    """The markup in which the script shows a record, with these labels; a service's page has the same.

    With an address for `home` the title leads there.
    """
    markup = Template(_file("viewer.html"))
    heading = f'<a href="{escape(home)}">{escape(title)}</a>' if home else escape(title)
    return markup.substitute({name: escape(text) for name, text in words.items()}, title=heading)


def in_html(json: str) -> str:
    r"""JSON without the letters that could end its block, or a line of a script; it means the same.

    >>> in_html('["</script>&"]')
    '["\\u003c/script\\u003e\\u0026"]'
    """
    for letter in _ESCAPED:
        json = json.replace(letter, f"\\u{ord(letter):04x}")
    return json


@cache
def _file(name: str) -> str:
    return (resources.files(__package__) / name).read_text(encoding="utf-8")
