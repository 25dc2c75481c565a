"""The power as a picture: a curve for each strength over the number of games."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from replay.across.screening.comparing.screen import RATE
from tests.benchmarks.collusion.curves import Power
from tests.benchmarks.pictures import line, text, write_picture

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 360, 60, 20, 130, 50
_COLOURS = ("#4c72b0", "#dd8452", "#55a868", "#c44e52", "#8172b3")
_DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 4")


def draw(measured: Sequence[Power], path: Path) -> None:
    """Write the picture as SVG, the same for the same figures."""
    sizes = sorted({each.games for each in measured})
    step = (WIDTH - LEFT - RIGHT) / max(1, len(sizes) - 1)
    across = {games: LEFT + step * place for place, games in enumerate(sizes)}
    strengths = sorted({each.strength for each in measured}, reverse=True)
    lines = [*_frame(across)]
    for place, strength in enumerate(strengths):
        of_it = [each for each in measured if each.strength == strength]
        lines += _curve(sorted(of_it, key=lambda each: each.games), across, place)
    write_picture(path, WIDTH, HEIGHT, "How often the pair is found, by number of games and strength", lines)


def _frame(across: Mapping[int, float]) -> Iterator[str]:
    """The shares and the numbers of games."""
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        yield line((LEFT, _up(share)), (WIDTH - RIGHT, _up(share)), "#ddd")
        yield text(LEFT - 8, _up(share) + 4, f"{share:.0%}", "end")
    yield line((LEFT, _up(RATE)), (WIDTH - RIGHT, _up(RATE)), "#999", "4 4")
    for games, x in across.items():
        yield text(x, HEIGHT - BOTTOM + 18, str(games), "middle")
    yield text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, "games of the season", "middle")


def _curve(measured: Sequence[Power], across: Mapping[int, float], place: int) -> Iterator[str]:
    """The curve of a strength and its name; of honest seasons the share in which somebody was accused."""
    colour, dash = _COLOURS[place % len(_COLOURS)], _DASHES[place % len(_DASHES)]
    points = [
        (across[each.games], _up(each.power if each.strength else each.accused / each.seasons))
        for each in measured
    ]
    joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    yield (
        f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>'
    )
    for x, y in points:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
    height, strength = TOP + 18 * place + 8, measured[0].strength
    yield line((WIDTH - RIGHT + 12, height), (WIDTH - RIGHT + 36, height), colour, dash)
    yield text(
        WIDTH - RIGHT + 42, height + 4, f"strength {strength:g}" if strength else "all honest", "start"
    )


def _up(share: float) -> float:
    return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)
