"""`python -m tests.campaigns NAME`: break a real installation on loopback, and check that it keeps its promises.

Exit status: 0 when everything held, 1 when something was found, 2 for wrong use.
"""

import shutil
import signal
import sys
import tempfile
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.table import Table

from tests.campaigns.campaigns import clocks, endurance, failovers, faults, hostile, sick_partition, upgrades
from tests.campaigns.installation import NotUsable
from tests.campaigns.report import Plan
from tests.support.second_verifier import NODE_PROGRAM

WIDTH: Final = 180  # characters in a line where there is no terminal
CAMPAIGNS: Final = {
    module.__name__.rpartition(".")[2]: module
    for module in (faults, clocks, failovers, endurance, hostile, sick_partition, upgrades)
}


@click.command()
@click.argument("name", type=click.Choice([*CAMPAIGNS]))
@click.option("--fault", "faults", multiple=True, help="Only this one; repeatable.")
@click.option("--rounds", type=click.IntRange(1), help="Rounds of each fault; of clocks, outages in all.")
@click.option("--seed", default=1, show_default=True, help="Random choices follow from it.")
@click.option("--clients", type=click.IntRange(1), help="Clients that play, or tables with clocks.")
@click.option("--seconds", type=click.FloatRange(1), help="How long the load, attack or pause lasts.")
@click.option("--load", type=click.FloatRange(1), help="Endurance: commands per second.")
@click.option("--from", "before", default="HEAD~1", show_default=True, help="Upgrades: the commit before.")
@click.option("--keep", is_flag=True, help="Keep the folder of an installation with findings.")
def main(name: str, *, keep: bool, **options: object) -> None:
    """Run the campaign NAME, and print its tables and findings."""
    if sys.platform != "linux" or NODE_PROGRAM is None:
        raise click.UsageError(
            "Campaigns need Linux, to find and limit processes, and node for the second verifier."
        )
    campaign, plan = CAMPAIGNS[name], Plan(**options)  # type: ignore[arg-type]
    if unknown := [each for each in plan.faults if each not in campaign.FAULTS]:
        raise click.BadParameter(
            f"{unknown[0]}; {name} has {', '.join(campaign.FAULTS)}.", param_hint="--fault"
        )
    # Stopped by a signal it leaves no process behind: every installation is a context.
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, _end)
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    folder, report = Path(tempfile.mkdtemp(prefix=f"fieldbook-{name}-")), None
    try:
        report = campaign.run(plan, folder, lambda text: console.print(text, style="dim", highlight=False))
    except NotUsable as error:
        raise click.UsageError(str(error)) from error
    finally:
        if keep and (report is None or report.findings):
            console.print(f"kept: {folder}", highlight=False)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    for headings, rows in report.tables:
        table = Table(*headings)
        for row in rows:
            table.add_row(*map(str, row))
        console.print(table)
    for line in (*report.notes, *report.findings, f"{len(report.findings)} findings"):
        console.print(line, highlight=False, markup=False)
    sys.exit(1 if report.findings else 0)


def _end(number: int, _frame: object) -> None:
    for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(each, signal.SIG_IGN)
    sys.exit(128 + number)


if __name__ == "__main__":
    main()
