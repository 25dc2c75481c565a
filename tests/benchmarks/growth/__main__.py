"""`python -m tests.benchmarks.growth`: measure the curves, and write them as a table, as JSON and as two pictures."""

from pathlib import Path

import click
import msgspec

from tests.benchmarks.growth.by_events import by_events
from tests.benchmarks.growth.by_games import by_games
from tests.benchmarks.growth.curves import Curve, as_markdown
from tests.benchmarks.growth.plots import plot
from tests.benchmarks.machine import machine

SMALLEST, LARGEST = 100, 100_000


@click.command()
@click.option(
    "--most",
    type=click.IntRange(SMALLEST, LARGEST),
    default=LARGEST,
    show_default=True,
    help="The largest size: games, and events of one game. The others are each a tenth of the next.",
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("docs/performance"),
    show_default=True,
    help="Where games.svg, events.svg and growth.json go.",
)
def growth(most: int, folder: Path) -> None:
    """Measure how Fieldbook grows with the number of games and with the length of one.

    At 100,000 it takes about a quarter of an hour, and two gigabytes of memory for the store.
    """
    folder.mkdir(parents=True, exist_ok=True)
    sizes = _sizes(most)
    seen, found = machine(), dict[str, list[Curve]]()
    for name, measure in (("events", by_events), ("games", by_games)):
        curves = found[name] = measure(sizes)
        plot(curves, folder / f"{name}.svg")
        click.echo(f"By {curves[0].along}:\n\n{as_markdown(curves)}")
    written = msgspec.json.format(msgspec.json.encode({"machine": seen, "curves": found}), indent=2)
    (folder / "growth.json").write_bytes(written + b"\n")


def _sizes(most: int) -> tuple[int, ...]:
    sizes = [most]
    while len(sizes) == 1 or sizes[-1] >= SMALLEST * 10:
        sizes.append(sizes[-1] // 10)
    return tuple(reversed(sizes))


if __name__ == "__main__":
    growth()
