"""Texts in Markdown (CommonMark with tables): nothing in them is markup, whatever a record says.

Every character that could begin markup, a link, an address that is made a link by itself, HTML or an entity gets a
backslash, which no reader of the report sees.
"""

import re
from collections.abc import Iterable

_ALWAYS = re.compile(r"[\\`*_{}\[\]<>#|~&@$^=+]")
_INSIDE_A_WORD = re.compile(r"(?<=\w)([.:])(?=[\w/\\])|:(?=[/\\])|(?<=[/\\])/|/(?=/)")
_DASH = re.compile(r"(?<!\w)-|-(?!\w)")
_NUMBER_OF_A_LIST = re.compile(r"^(\d+)([.)])")


def plain(text: str) -> str:
    r"""The text so that Markdown shows it as it is.

    >>> plain("Ann [x](y) <b>"), plain("1. # black-eyed")
    ('Ann \\[x\\](y) \\<b\\>', '1\\. \\# black-eyed')
    """
    made = _ALWAYS.sub(r"\\\g<0>", text.replace("\n", " ").strip())
    made = _INSIDE_A_WORD.sub(lambda found: f"\\{found[0]}", made)
    made = _DASH.sub(r"\\-", made)
    return _NUMBER_OF_A_LIST.sub(r"\1\\\2", made)


def table(heading: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """The lines of a table; the cells are Markdown already."""
    columns = [*heading]
    return [_line(columns), _line(["---"] * len(columns)), *(_line(row) for row in rows), ""]


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
