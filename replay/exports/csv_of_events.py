"""Events as CSV (RFC 4180) for spreadsheets and scripts, in UTF-8 with a heading line.

A spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a formula, and a record may be anybody's work:
such a text gets an apostrophe in front, which spreadsheets do not show.
"""

import csv
from collections.abc import Iterator
from datetime import UTC, datetime
from io import TextIOWrapper
from typing import BinaryIO

from replay.exports.rows import EventRow, event_rows
from replay.timeline.timeline import Timeline

_FULL_WIDTH = ("\N{FULLWIDTH EQUALS SIGN}", "\N{FULLWIDTH PLUS SIGN}", "\N{FULLWIDTH HYPHEN-MINUS}")
_BEGINS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", *_FULL_WIDTH, "\N{FULLWIDTH COMMERCIAL AT}")


def write_csv(timeline: Timeline, language: str, output: BinaryIO) -> None:
    """Write a row for each event under a row with the names of the columns."""
    text = TextIOWrapper(output, encoding="utf-8", newline="", write_through=True)
    writer = csv.writer(text)
    writer.writerow(EventRow._fields)
    for row in event_rows(timeline, language):
        writer.writerow(_cells(row))
    text.detach()


def _cells(row: EventRow) -> Iterator[str | int]:
    texts = {"at": moment(row.at), "cards": " ".join(row.cards)}
    for value in (row._asdict() | texts).values():
        yield "" if value is None else harmless(value) if isinstance(value, str) else value


def harmless(text: str) -> str:
    """The text, with an apostrophe in front if a spreadsheet would take it for a formula.

    >>> harmless("=1+1"), harmless("Ann = Ben")
    ("'=1+1", 'Ann = Ben')
    """
    return f"'{text}" if text.lstrip(" \u00a0").startswith(_BEGINS_A_FORMULA) else text


def moment(milliseconds: int) -> str:
    """A moment in UTC (ISO 8601) to the millisecond; one that no calendar has stays a number."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds")
    except (OverflowError, ValueError, OSError):
        return str(milliseconds)
