"""`python -m tests.benchmarks.waiting`: what games with running clocks cost, few and many, and due at once."""

import click

from service.storage.levels import Durability
from tests.benchmarks.waiting.costs import HEAD, sweep_costs
from tests.benchmarks.waiting.outage import measure_outage

SMALLEST, LARGEST = 100, 100_000


@click.command()
@click.option(
    "--games",
    type=click.IntRange(SMALLEST, LARGEST),
    default=10_000,
    show_default=True,
    help="Games with running clocks, for both measurements.",
)
@click.option(
    "--durability",
    type=click.Choice([each.value for each in Durability if each is not Durability.REPLICATED]),
    default=Durability.FSYNC.value,
    show_default=True,
    help="The level of the store after whose outage all games are due.",
)
def waiting(games: int, durability: str) -> None:
    """Count what a sweep has the store do while ten games are due, and let all games be due at once.

    At 10,000 games it takes some minutes. Exit status 1 when it matters to a sweep how many games there are, or when
    time was over twice, or too early, in any of them.
    """
    costs = sweep_costs(sorted({SMALLEST, games}))
    click.echo("\n".join((HEAD, *(each.as_row() for each in costs))))
    outage = measure_outage(games, Durability(durability))
    click.echo(f"\n{outage.as_markdown()}")
    if outage.wrong or any(each[1:] != costs[0][1:] for each in costs):
        raise SystemExit(1)


if __name__ == "__main__":
    waiting()
