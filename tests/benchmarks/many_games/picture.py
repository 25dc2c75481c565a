"""Memory over the number of games, a curve for each pass."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.benchmarks.many_games.passes import PASSES, Taken

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 320, 70, 20, 110, 50
_COLOURS = ("#4c72b0", "#dd8452", "#55a868")
_DASHES = ("", "6 3", "2 3")
_FONT = 'font-family="sans-serif" font-size="12"'
_STEP = 100
"""Megabytes between two lines."""


def draw(measured: Sequence[Taken], path: Path) -> None:
    """Write the picture as SVG, the same for the same figures."""
    most_games = max(each.games for each in measured)
    top = _STEP * (1 + int(max(each.megabytes for each in measured)) // _STEP)

    def place(games: float, megabytes: float) -> tuple[float, float]:
        across = LEFT + games / most_games * (WIDTH - LEFT - RIGHT)
        return across, HEIGHT - BOTTOM - megabytes / top * (HEIGHT - TOP - BOTTOM)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" {_FONT}>',
        "<title>The most memory that a process had, by number of games</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for megabytes in range(0, top + 1, _STEP):
        x, y = place(0, megabytes)
        lines.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{x - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{megabytes} MB</text>')
    for games in sorted({each.games for each in measured}):
        x, _ = place(games, 0)
        lines.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{games:,}</text>')
    lines.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">games</text>'
    )
    for number, what in enumerate(PASSES):
        points = [place(each.games, each.megabytes) for each in measured if each.what == what]
        lines += _curve(what, sorted(points), number)
    path.write_text("\n".join([*lines, "</svg>"]) + "\n", encoding="utf-8")


def _curve(what: str, points: Sequence[tuple[float, float]], number: int) -> Iterator[str]:
    colour, dash = _COLOURS[number], _DASHES[number]
    drawn = f'stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'
    joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    yield f'<polyline points="{joined}" fill="none" {drawn}/>'
    for x, y in points:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
    height = TOP + 18 * number + 8
    yield f'<line x1="{WIDTH - RIGHT + 10}" y1="{height}" x2="{WIDTH - RIGHT + 34}" y2="{height}" {drawn}/>'
    yield f'<text x="{WIDTH - RIGHT + 40}" y="{height + 4}">{what}</text>'
