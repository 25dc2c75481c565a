"""What pictures in the documentation are put together from: the same figures always give the same SVG."""

from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape


def write_picture(path: Path, width: int, height: int, title: str, parts: Iterable[str]) -> None:
    """Write a picture of this size as SVG, on white."""
    begin = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        'font-size="12">'
    )
    ground = f'<rect width="{width}" height="{height}" fill="white"/>'
    lines = [begin, f"<title>{escape(title)}</title>", ground, *parts, "</svg>"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def text(x: float, y: float, written: str, anchor: str) -> str:
    """A line of text that begins, ends or has its middle here."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(written)}</text>'


def line(begin: tuple[float, float], end: tuple[float, float], colour: str, dash: str = "") -> str:
    """A straight line."""
    return (
        f'<line x1="{begin[0]:.1f}" y1="{begin[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" stroke="{colour}" '
        f'stroke-dasharray="{dash}"/>'
    )
