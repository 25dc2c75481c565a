"""Bars as inline SVG: a share or a count on each line, with an interval and a mark where there are some."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from replay.platform.safe_text import safe

WIDTH: Final = 720
_LABEL: Final = 250
_VALUE: Final = 90
_LINE: Final = 22
_LONGEST: Final = 10_000


@dataclass(frozen=True, slots=True)
class Bar:
    """One line.

    Attributes:
        label: what it is of.
        value: how long the bar is.
        told: the value in words.
        low, high: the ends of its interval; None without one.
        mark: where a line is drawn across, such as at a fair share; None for none.
    """

    label: str
    value: float
    told: str
    low: float | None = None
    high: float | None = None
    mark: float | None = None


def bars(title: str, lines: Sequence[Bar], most: float | None = None) -> str:
    """The lines as a picture; `most` is the value that fills the width, else the largest of all."""
    ends = (max(each.value, each.high or 0.0, each.mark or 0.0) for each in lines)
    whole = most or max(ends, default=0.0) or 1.0
    height = _LINE * len(lines) + 4
    inside = "".join(_line(place, each, whole) for place, each in enumerate(lines))
    told = "; ".join(f"{each.label}: {each.told}" for each in lines)
    label = _text(f"{title}: {told}", _LONGEST)
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{label}">{inside}</svg>'


def _line(place: int, bar: Bar, whole: float) -> str:
    top, room = place * _LINE + 2, WIDTH - _LABEL - _VALUE

    def at(value: float) -> str:
        return f"{_LABEL + room * min(1.0, max(0.0, value / whole)):.1f}"

    middle = top + _LINE // 2
    parts = [
        f'<text x="{_LABEL - 8}" y="{middle + 4}" text-anchor="end">{_text(bar.label)}</text>',
        f'<rect x="{_LABEL}" y="{top + 3}" width="{float(at(bar.value)) - _LABEL:.1f}" height="{_LINE - 6}"/>',
    ]
    if bar.low is not None and bar.high is not None:
        parts.append(f'<path class="interval" d="M{at(bar.low)} {middle}H{at(bar.high)}"/>')
    if bar.mark is not None:
        parts.append(f'<path class="mark" d="M{at(bar.mark)} {top}v{_LINE}"/>')
    parts.append(f'<text x="{WIDTH - _VALUE + 8}" y="{middle + 4}">{_text(bar.told)}</text>')
    return "".join(parts)


def _text(text: str, longest: int = 100) -> str:
    return escape(safe(text, longest))
