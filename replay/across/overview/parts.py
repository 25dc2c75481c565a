"""What an overview's page is put together from: pictures, and tables with the same figures, every text escaped."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Any, Final

from replay.across.overview.bars import Bar, bars
from replay.platform.counting import count_in_words
from replay.platform.safe_text import safe

LONGEST: Final = 120
"""Characters of a text of a record at most."""
MOST_LISTED: Final = 10
"""Rows of a rule system that are listed where there may be many, the most frequent ones; a row adds the others up."""
Row = dict[str, Any]
Rows = Sequence[Row]


def draw(title: str, lines: Sequence[Bar], most: float | None = None) -> str:
    """The lines as a picture, which scrolls where the window is too narrow to read it; nothing without lines."""
    return f'<div tabindex="0">{bars(title, lines, most)}</div>' if lines else ""


def draw_by_system(rows: Rows, line: Callable[[Row], Bar], heading: str = "h3") -> Iterator[str]:
    """A picture for each rule system, under a heading of its own."""
    for system, own in groupby(rows, lambda row: row["system"]):
        lines = [line(row) for row in own]
        yield f"<{heading}>{_escape(system)}</{heading}>"
        yield draw(system, lines, None if lines[0].low is None else 1.0)


def tabulate(rows: Iterable[Row]) -> str:
    """The rows as a table, with a column for every name that one of them has."""
    found = list(rows)
    if not found:
        return "<p>There is nothing of that.</p>"
    names = list(dict.fromkeys(name for row in found for name in row))
    head = "".join(f'<th scope="col">{_escape(name.replace("_", " "))}</th>' for name in names)
    body = "".join(f"<tr>{''.join(_cell(name, row.get(name)) for name in names)}</tr>\n" for row in found)
    return (
        f'<div tabindex="0"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table></div>'
    )


def flatten(row: Row) -> Row:
    """A row whose groups of figures are columns."""
    flat: Row = {}
    for name, value in row.items():
        if isinstance(value, dict):
            flat |= {f"{name} {inner}": each for inner, each in value.items()}
        elif value is not None:
            flat[name] = value
    return flat


def list_most_frequent(rows: Rows, name: str, count: str) -> list[Row]:
    """The first rows of each rule system, and one that adds up its others, whose number stands under this name."""
    listed: list[Row] = []
    for system, own in groupby(rows, lambda row: row["system"]):
        all_of_system = list(own)
        others = all_of_system[MOST_LISTED:]
        listed += all_of_system[:MOST_LISTED]
        if others:
            told = f"({count_in_words(len(others), 'other')})"
            listed.append({"system": system, name: told, count: sum(row[count] for row in others)})
    return listed


def say_plainly(code: str) -> str:
    """A word of a program as people write it: `coins_levied`."""
    return safe(code, LONGEST).replace("_", " ")


def _cell(name: str, value: Any) -> str:
    """A cell; words of programs are written as people write them, but for a code, which they look up."""
    if isinstance(value, int | float):
        return (
            f'<td class="number">{value:,.4g}</td>'
            if isinstance(value, float)
            else f'<td class="number">{value}</td>'
        )
    text = "" if value is None else str(value)
    return f"<td>{_escape(text) if name == 'code' else escape(say_plainly(text))}</td>"


def _escape(text: str) -> str:
    return escape(safe(text, LONGEST))
