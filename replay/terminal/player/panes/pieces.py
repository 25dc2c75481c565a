"""Lines of styled pieces, cut and joined to fit."""

from collections.abc import Iterable
from functools import reduce

from replay.commentary.cells import cells
from replay.terminal.table_text import Line

CUT = "…"
"""What stands where a line goes on beyond the edge."""


def line_width(line: Line) -> int:
    """How many columns a line takes."""
    return sum([cells(text) for text, _ in line])


def crop(line: Line, width: int) -> Line:
    """The line, cut where it is wider than that.

    >>> crop([("Ann ", "bold"), ("planted", "")], 7)
    [('Ann ', 'bold'), ('pl…', '')]
    """
    if line_width(line) <= width:
        return line
    room, found = max(width - 1, 0), []
    for text, style in line:
        kept = _beginning(text, room)
        room -= cells(kept)
        found.append((kept, style))
        if kept != text:
            break
    text, style = found[-1]
    return [*found[:-1], (text + CUT[:width], style)]


def pad(line: Line, width: int) -> Line:
    """The line at exactly this width."""
    missing = width - line_width(line)
    if missing < 0:
        return pad(crop(line, width), width)
    return [*line, (" " * missing, "")]


def align_ends(left: Line, right: Line, width: int) -> Line:
    """One text at the left edge and one at the right; the left one gives way."""
    right = crop(right, width)
    room = width - line_width(right)
    return [*pad(left, room - 1), (" ", ""), *right] if room > 1 else right


def join_lines(lines: Iterable[Line], between: str) -> Line:
    """Lines one behind the other."""
    parts = list(lines)
    return reduce(lambda one, two: [*one, (between, "dim"), *two], parts) if parts else []


def dim(line: Line) -> Line:
    """The line without its colours, weakly."""
    return [(text, "dim") for text, _ in line]


def _beginning(text: str, width: int) -> str:
    """As much of a text as fits."""
    used = 0
    for place, letter in enumerate(text):
        used += cells(letter)
        if used > width:
            return text[:place]
    return text
