"""`python -m tests.benchmarks.collusion`: measure power and false alarms, as a table, as JSON and as a picture."""

from pathlib import Path

import click
import msgspec

from tests.benchmarks.collusion.bank import fill_bank
from tests.benchmarks.collusion.curves import Power, as_markdown, measure
from tests.benchmarks.collusion.picture import draw
from tests.benchmarks.collusion.playing import HONEST, PlayedGames
from tests.benchmarks.collusion.seasons import Bank

STRENGTHS = (0.05, 0.1, 0.25)


@click.command()
@click.option("--system", default="classic", show_default=True, help="The rule system.")
@click.option("--players", type=click.IntRange(3), default=4, show_default=True, help="Seats of a table.")
@click.option("--pool", type=click.IntRange(4), default=8, show_default=True, help="Players of a season.")
@click.option(
    "--honest",
    type=click.IntRange(2),
    default=200,
    show_default=True,
    help="Games of honest bots in the bank.",
)
@click.option(
    "--colluding",
    type=click.IntRange(2),
    default=80,
    show_default=True,
    help="Games in the bank of colluders of each strength.",
)
@click.option(
    "--strength",
    "strengths",
    type=click.FloatRange(0, 1),
    multiple=True,
    default=STRENGTHS,
    show_default=True,
    help="A strength of the colluders; repeatable.",
)
@click.option(
    "--size",
    "sizes",
    type=click.IntRange(1),
    multiple=True,
    default=(20, 40, 80, 160),
    show_default=True,
    help="A number of games; repeatable.",
)
@click.option(
    "--seasons", type=click.IntRange(1), default=40, show_default=True, help="Seasons of each kind."
)
@click.option(
    "--honest-seasons",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Seasons without colluders.",
)
@click.option("--draws", type=click.IntRange(19), default=199, show_default=True, help="Draws of a screen.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes that play.")
@click.option(
    "--bank",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("data/collusion"),
    show_default=True,
    help="Where the games are kept in figures: what is there is not played again.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("docs/screening"),
    show_default=True,
    help="Where power.svg and power.json go.",
)
def collusion(
    *,
    system: str,
    players: int,
    pool: int,
    honest: int,
    colluding: int,
    strengths: tuple[float, ...],
    sizes: tuple[int, ...],
    seasons: int,
    honest_seasons: int,
    draws: int,
    workers: int,
    folder: Path,
    out: Path,
) -> None:
    """Find out how soon colluders are found, and how often honest players are accused.

    Games are played once and kept; seasons are put together out of them.
    """
    fair = fill_bank(folder, PlayedGames(system, players, HONEST, honest), workers)
    measured: list[Power] = []
    for strength in sorted(strengths, reverse=True):
        bots = PlayedGames(system, players, f"colluder-{strength:g}", colluding)
        bank = Bank(fair, fill_bank(folder, bots, workers))
        measured += measure(bank, strength, sizes, seasons, pool=pool, draws=draws)
    measured += measure(Bank(fair), 0, sizes, honest_seasons, pool=pool, draws=draws)
    out.mkdir(parents=True, exist_ok=True)
    draw(measured, out / "power.svg")
    written = msgspec.json.format(msgspec.json.encode(measured), indent=2)
    (out / "power.json").write_bytes(written + b"\n")
    click.echo(as_markdown(measured))


if __name__ == "__main__":
    collusion()
