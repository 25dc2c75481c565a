"""A text by its parts, before it is known how it is shown. Texts are raw: whoever shows them makes them harmless."""

from dataclasses import dataclass
from typing import Final

MAIN, PART, SMALL = 1, 2, 3
"""Levels of headings."""
CHANGED: Final = "was:"
"""Stands before what a row said earlier."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading."""

    text: str
    level: int = PART


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some sentences; a quoted one is somebody's own words, with their line breaks."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """Names with what stands behind them."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; `strong` are the numbers of the rows, from 0, that are what it is about."""

    heading: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    strong: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Code:
    """Something for a machine: commands or JSON, on lines of its own."""

    text: str


Block = Heading | Paragraph | Facts | Grid | Code
