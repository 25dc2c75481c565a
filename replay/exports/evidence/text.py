"""A pack for a terminal: 80 columns, and nothing in it that a terminal would obey."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from replay.commentary.cells import cells
from replay.commentary.texts import make_printable
from replay.exports.evidence.document import MAIN, PART, Block, Code, Facts, Grid, Heading, Paragraph
from replay.exports.evidence.document_builder import build_document
from replay.exports.evidence.pack import EvidencePack
from replay.terminal.table_text import WIDTH, fold_text

LONGEST: Final = 1_000_000
"""Characters of one text at most: the public form of a whole deck's shuffle is long."""
_LABEL: Final = 18
_APART: Final = 2
_NARROWEST: Final = 8


def render_text(pack: EvidencePack) -> str:
    """The pack as plain text."""
    return "".join(f"{line.rstrip()}\n" for line in _lines(pack))


def _lines(pack: EvidencePack) -> Iterator[str]:
    for place, block in enumerate(build_document(pack)):
        if place:
            yield ""
        yield from _block(block)


def _block(block: Block) -> Iterator[str]:
    match block:
        case Heading(text, level):
            lines = _fold(text, WIDTH)
            yield from lines
            if level <= PART:
                yield ("=" if level == MAIN else "-") * max(map(cells, lines))
        case Paragraph(text, quoted):
            yield from _prefix_lines(text, "| " if quoted else "")
        case Code(text):
            yield from _prefix_lines(text, "  ")
        case Facts(rows):
            for row in rows:
                yield from _columns(row, (_LABEL, WIDTH - _LABEL - _APART))
        case Grid(heading, rows, strong):
            yield from _grid(heading, rows, strong)


def _prefix_lines(text: str, mark: str) -> Iterator[str]:
    """A text line by line, each with a mark in front."""
    for line in text.split("\n"):
        yield from (f"{mark}{each}" for each in _fold(line, WIDTH - len(mark)))


def _grid(
    heading: tuple[str, ...], rows: tuple[tuple[str, ...], ...], strong: frozenset[int]
) -> Iterator[str]:
    """A table in columns that fit; what it is about has an arrow."""
    widths = _widths([heading, *rows])
    yield from _columns(heading, widths, "  ")
    yield "  " + "  ".join("-" * width for width in widths)
    for place, row in enumerate(rows):
        yield from _columns(row, widths, "> " if place in strong else "  ")


def _widths(rows: list[tuple[str, ...]]) -> tuple[int, ...]:
    """The width of each column: as it needs, but all of them fit; the widest ones give way."""
    widths = [max(1, *(cells(_safe(cell)) for cell in column)) for column in zip(*rows, strict=True)]
    while _APART * len(widths) + sum(widths) > WIDTH and max(widths) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1
    return tuple(widths)


def _columns(row: tuple[str, ...], widths: tuple[int, ...], mark: str = "") -> Iterator[str]:
    folds = [_fold(cell, width) for cell, width in zip(row, widths, strict=True)]
    for place, parts in enumerate(zip_longest(*folds, fillvalue="")):
        padded = (part + " " * (width - cells(part)) for part, width in zip(parts, widths, strict=True))
        yield (mark if not place else " " * len(mark)) + (" " * _APART).join(padded)


def _fold(text: str, width: int) -> list[str]:
    return ["".join(piece for piece, _ in line) for line in fold_text(_safe(text), "", width)]


def _safe(text: str) -> str:
    return make_printable(text, LONGEST)
