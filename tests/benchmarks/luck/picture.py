"""The variance of results as a picture: for each measurement one bar without the same deal, and one with it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.benchmarks.luck.variance import Measured
from tests.benchmarks.pictures import line, text, write_picture

WIDTH, LEFT, RIGHT, TOP, BOTTOM, ROW, BAR = 680, 110, 220, 36, 46, 62, 20
_OWN, _SAME = "#bbbbbb", "#4c72b0"


def draw(measured: Sequence[Measured], path: Path) -> None:
    """Write the picture as SVG, the same for the same figures."""
    height = TOP + ROW * len(measured) + BOTTOM
    most = max(each.own for each in measured) ** 2
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100) if most / step <= 8)
    scale = (WIDTH - LEFT - RIGHT) / (step * (1 + most // step))
    parts: list[str] = []
    for squared in range(0, int(step * (1 + most // step)) + 1, step):
        x = LEFT + squared * scale
        parts += [
            line((x, TOP), (x, height - BOTTOM), "#ddd"),
            text(x, height - BOTTOM + 16, str(squared), "middle"),
        ]
    parts.append(
        text((LEFT + WIDTH - RIGHT) / 2, height - 10, "variance of a result (coins squared)", "middle")
    )
    parts += _key()
    for number, each in enumerate(measured):
        parts += _bars(each, TOP + ROW * number + 8, scale)
    write_picture(
        path, WIDTH, height, "The variance of results of equal players, by how tables are dealt", parts
    )


def _key() -> Iterator[str]:
    """What the colours mean."""
    for x, colour, means in (
        (LEFT, _OWN, "a deal of its own"),
        (LEFT + 140, _SAME, "the same deal at all tables"),
    ):
        yield f'<rect x="{x}" y="10" width="14" height="14" fill="{colour}"/>'
        yield text(x + 20, 22, means, "start")


def _bars(measured: Measured, y: float, scale: float) -> Iterator[str]:
    """Both bars of a measurement, with what they are of and what the same deal takes out."""
    yield text(LEFT - 8, y + 18, measured.system, "end")
    yield text(LEFT - 8, y + 34, f"{measured.players} players", "end")
    for row, (colour, deviation) in enumerate(((_OWN, measured.own), (_SAME, measured.same))):
        width = deviation**2 * scale
        yield f'<rect x="{LEFT}" y="{y + row * BAR:.1f}" width="{width:.1f}" height="{BAR - 2}" fill="{colour}"/>'
        yield text(LEFT + width + 6, y + row * BAR + 14, f"{deviation**2:.1f}", "start")
    low, high = measured.interval
    said = f"{measured.taken_out:.0%} taken out ({low:.0%} to {high:.0%})"
    yield text(WIDTH - RIGHT + 38, y + 18, said, "start")
    yield text(WIDTH - RIGHT + 38, y + 34, f"{measured.rounds:,} rounds", "start")
