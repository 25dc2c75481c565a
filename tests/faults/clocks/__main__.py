"""The campaign of clocks: `make clock-faults`.

Or a part of it:

    python -m tests.faults.clocks --outage "web killed" --outage "store paused" --rounds 6 --seed 3

It has an installation of its own, on loopback, in a folder that is removed afterwards. Exit status 1 when something
was found that must not be, and 2 for wrong use.
"""

import json
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import click
from rich.console import Console

from tests.faults.clocks.campaign import Length, run
from tests.faults.clocks.outages import BREAKAGES, BY_NAME
from tests.faults.clocks.results import figures, results_table
from tests.support.second_verifier import NODE_PROGRAM

WIDTH = 160
"""Characters in a line where there is no terminal."""


@click.command()
@click.option(
    "--outage", "names", type=click.Choice([*BY_NAME]), multiple=True, help="Only this one; repeatable."
)
@click.option("--rounds", type=click.IntRange(1), default=36, show_default=True, help="Outages in all.")
@click.option(
    "--tables", type=click.IntRange(1), default=10, show_default=True, help="Games under way at once."
)
@click.option("--seed", default=1, show_default=True, help="What is drawn by lot follows from it.")
@click.option("--keep", is_flag=True, help="Keep the folder of an installation with findings.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def main(*, names: tuple[str, ...], rounds: int, tables: int, seed: int, keep: bool, as_json: bool) -> None:
    """Break an installation around the deadlines of games with clocks, and see that nobody loses time by it."""
    if sys.platform != "linux":
        raise click.UsageError("The outages need Linux: they find other processes by /proc.")
    if NODE_PROGRAM is None:
        raise click.UsageError("There is no node on the path, and the second verifier needs it.")
    # Told to stop, it leaves no process behind: the installation is a context.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    console = Console(stderr=as_json, width=None if sys.stdout.isatty() else WIDTH)
    folder = Path(tempfile.mkdtemp(prefix="fieldbook-clocks-"))
    breakages = [BY_NAME[name] for name in names] or BREAKAGES
    has_findings = True
    try:
        with console.status("starting") as status:
            result = run(folder, Length(rounds, tables, seed=seed), breakages, status.update)
        has_findings = bool(result.findings)
    finally:
        if not (keep and has_findings):
            shutil.rmtree(folder, ignore_errors=True)
    if as_json:
        click.echo(json.dumps(figures(result), indent=2))
    else:
        console.print(results_table(result))
    for finding in result.findings:
        console.print(finding, style="bold red", highlight=False, markup=False)
    if keep and has_findings:
        console.print(f"kept: {folder}", style="dim", highlight=False)
    sys.exit(1 if has_findings else 0)


if __name__ == "__main__":
    main()
