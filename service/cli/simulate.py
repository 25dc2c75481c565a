"""`fieldbook simulate`: bots play each other, without a service."""

import json
import sys
from pathlib import Path

import click
from rich.console import Console

from events.rules.errors import RuleViolation
from replay.commands.shared.written import force_option, say_written
from replay.platform.exit_status import INTERRUPTED, WRONG_USE
from replay.platform.number_options import WholeRange
from replay.platform.output_file import OutputRefused
from service.simulation.simulating import BadSimulation, Plan, play_until_interrupted, read_options
from service.simulation.standings import results_document, results_table


@click.command()
@click.option("--system", required=True, help="The rule system, such as classic.")
@click.option("--players", type=WholeRange(1), required=True, help="The number of players.")
@click.option(
    "--games",
    type=WholeRange(1, 100_000),
    default=100,
    show_default=True,
    help="The number of deals to play.",
)
@click.option(
    "--bots", required=True, help="The bot on each seat, separated by commas; one name takes all seats."
)
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same games.")
@click.option("--out", default=None, help="A folder for the records; without it they are not kept.")
@click.option(
    "--duplicate", is_flag=True, help="Play each deal once for every rotation of the bots around the table."
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the rule system; repeatable.",
)
@click.option(
    "--pool",
    type=WholeRange(0),
    default=0,
    help="Draw the players of each deal from so many; --bots then names theirs, the last one for all others.",
)
@click.option("--by-seat", is_flag=True, help="Show the results of each bot on each seat.")
@force_option
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def simulate(
    *,
    system: str,
    players: int,
    games: int,
    bots: str,
    seed: str,
    out: str | None,
    duplicate: bool,
    options: tuple[str, ...],
    pool: int,
    by_seat: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Let bots play each other in this process, and show their results.

    When interrupted, it shows the results so far and ends with status 130.
    """
    try:
        chosen = read_options(system, players, options)
        plan = Plan(system, players, games, tuple(bots.split(",")), seed, duplicate, chosen, pool)
        played = play_until_interrupted(
            plan, None if out is None else Path(out), Console(stderr=True), force=force
        )
    except (BadSimulation, RuleViolation, OutputRefused) as error:
        click.echo(error, err=True)
        sys.exit(WRONG_USE)
    if out is not None:
        say_written(out, f"{len(played)} records in")
    if as_json:
        click.echo(json.dumps(results_document(plan, played), indent=2))
    else:
        Console().print(results_table(plan, played, by_seat=by_seat))
    if len(played) < plan.total:
        click.echo(f"Interrupted after {len(played)} of {plan.total} games.", err=True)
        sys.exit(INTERRUPTED)
