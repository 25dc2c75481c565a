"""The campaign of faults: `make faults`.

Or a part of it:

    python -m tests.faults --fault store-fsync --fault lost-replies --rounds 10

Every fault has an installation of its own, on loopback, in a folder that is removed afterwards. Exit status 1 when
something was found that must not be, and 2 for wrong use.
"""

import json
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Console

from tests.faults.campaign import Length, Outcome, run
from tests.faults.kinds import BY_NAME
from tests.faults.results import failures, results_document, results_table

WIDTH = 190
"""Characters in a line where there is no terminal."""


@click.command()
@click.option(
    "--fault", "names", type=click.Choice([*BY_NAME]), multiple=True, help="Only this one; repeatable."
)
@click.option("--rounds", type=click.IntRange(1), default=50, show_default=True, help="Rounds of each fault.")
@click.option("--clients", type=click.IntRange(1), default=16, show_default=True, help="Clients that play.")
@click.option("--pause", default=20.0, show_default=True, help="Seconds for which a store is paused.")
@click.option("--keep", is_flag=True, help="Keep the folder of an installation with findings.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def main(
    *, names: tuple[str, ...], rounds: int, clients: int, pause: float, keep: bool, as_json: bool
) -> None:
    """Break an installation in every way while clients play on it, and see that nothing acknowledged is lost."""
    if sys.platform != "linux":
        raise click.UsageError(
            "The faults need Linux: they find and bound other processes by /proc and prlimit."
        )
    # Told to stop, it leaves no process behind: every installation is a context.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    console = Console(stderr=as_json, width=None if sys.stdout.isatty() else WIDTH)
    outcomes: list[Outcome] = []
    try:
        with console.status("starting") as status:
            for name in names or BY_NAME:
                outcomes += _one(name, Length(rounds, rounds, clients, pause), status.update, keep=keep)
                console.print(f"{name}: {len(outcomes[-1].findings)} findings, {outcomes[-1].seconds:.0f} s")
    finally:
        # An hour's faults are told even when the next one ends in an error of the campaign itself.
        _tell(console, outcomes, as_json=as_json)
    sys.exit(1 if any(each.findings for each in outcomes) else 0)


def _tell(console: Console, outcomes: list[Outcome], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(results_document(outcomes), indent=2))
    else:
        console.print(results_table(outcomes))
    for each in outcomes:
        console.print(f"{each.kind.name}: {failures(each) or 'every attempt succeeded'}", style="dim")
        for finding in each.findings:
            console.print(f"[bold red]{each.kind.name}[/]:", finding, highlight=False, markup=True)


def _one(name: str, length: Length, tell: Callable[[str], None], *, keep: bool) -> list[Outcome]:
    kind = BY_NAME[name]
    folder = Path(tempfile.mkdtemp(prefix="fieldbook-faults-"))
    outcomes: list[Outcome] = []
    try:
        outcomes = run([kind], kind.setting, length, folder, tell)
        return outcomes
    finally:
        if not (keep and any(each.findings for each in outcomes)):
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
