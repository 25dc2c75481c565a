"""The rehearsal of an upgrade: `make rehearse-upgrade`.

From another commit, or in another order:

    python -m tests.upgrades --from HEAD~5 --order 7

Two machines and a store on loopback, in a folder that is removed afterwards. Exit status 1 when something was found
that must not be, and 2 for wrong use.
"""

import shutil
import signal
import sys
import tempfile
from pathlib import Path
from types import FrameType

import click
from rich.console import Console

from tests.support.second_verifier import NODE_PROGRAM
from tests.upgrades.places import readers_first, readers_last, shuffled
from tests.upgrades.rehearsal import Plan, rehearse
from tests.upgrades.results import sentences, steps_table
from tests.upgrades.revision import OURS, NotUsable, unpack

WIDTH = 170
"""Characters in a line where there is no terminal."""
PARENT = "HEAD~1"
FOUND, WRONG_USE = 1, 2


@click.command()
@click.option("--from", "revision", default=PARENT, show_default=True, help="The commit before.")
@click.option("--clients", type=click.IntRange(2), default=6, show_default=True, help="People who play.")
@click.option("--order", type=int, metavar="SEED", help="Exchange the processes in an order by lot.")
@click.option("--minutes", type=click.FloatRange(1), default=20.0, show_default=True, help="At most.")
@click.option("--keep", is_flag=True, help="Keep the folder of a rehearsal with findings.")
def main(*, revision: str, clients: int, order: int | None, minutes: float, keep: bool) -> None:
    """Upgrade an installation process by process while games go on, go back, forward again, and verify everything."""
    if sys.platform != "linux" or NODE_PROGRAM is None:
        raise click.UsageError("It needs Linux, where processes are found by /proc, and node for a verifier.")
    # Told to stop, or after its time, it leaves no process behind: the installation is a context.
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, _end)
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    signal.alarm(int(60 * minutes))
    orders = (readers_first, readers_last) if order is None else (shuffled(order), shuffled(order + 1))
    folder, has_findings = Path(tempfile.mkdtemp(prefix="fieldbook-upgrade-")), True
    try:
        plan = Plan(unpack(revision, folder / "before"), OURS, clients, *orders)
        found = rehearse(plan, folder, console.print)
        has_findings = bool(found.findings)
    except NotUsable as error:
        raise click.UsageError(str(error)) from error
    finally:
        if keep and has_findings:
            console.print(f"kept: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    console.print(steps_table(found))
    for sentence in (*sentences(found), *found.findings):
        console.print(sentence, highlight=False, markup=False)
    sys.exit(FOUND if has_findings else 0)


def _end(number: int, _frame: FrameType | None) -> None:
    click.echo("It takes too long." if number == signal.SIGALRM else "It was told to stop.", err=True)
    sys.exit(FOUND)


if __name__ == "__main__":
    main()
