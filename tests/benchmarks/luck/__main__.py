"""How much luck duplicate rounds take out: `python -m tests.benchmarks.luck --system bean-duel --rounds 1000`."""

import os
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import click

from tests.benchmarks.luck.picture import draw
from tests.benchmarks.luck.rounds import Setting, play_round
from tests.benchmarks.luck.variance import keep, summarize


@click.command()
@click.option("--system", default="bean-duel", show_default=True, help="The rule system.")
@click.option("--players", type=click.IntRange(2), default=2, show_default=True, help="Seats of a table.")
@click.option("--tables", type=click.IntRange(2), default=4, show_default=True, help="Tables of a round.")
@click.option("--errors", type=click.FloatRange(0, 1), default=0.1, show_default=True, help="Of all moves.")
@click.option("--rounds", type=click.IntRange(2), default=1_000, show_default=True, help="Rounds to play.")
@click.option("--seed", default="1", show_default=True, help="The same seed plays the same rounds.")
@click.option("--workers", type=click.IntRange(1), default=os.cpu_count(), help="Processes that play.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the figures are kept in luck.json, in place of those of the same players, and all drawn as luck.svg.",
)
def main(*, rounds: int, workers: int, out: Path | None, **given: Any) -> None:
    """Play rounds of equal players with the same deal at all tables and without, and print a row of a table.

    It stands in docs/tournaments.md.
    """
    setting, began = Setting(**given), time.monotonic()
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        played = list(pool.map(partial(play_round, setting), range(rounds), chunksize=5))
    measured = summarize(setting, played)
    click.echo(measured.row())
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        draw(keep(measured, out / "luck.json"), out / "luck.svg")
    click.echo(f"{time.monotonic() - began:.0f} s, load {os.getloadavg()[0]:.1f}", err=True)


if __name__ == "__main__":
    main()
