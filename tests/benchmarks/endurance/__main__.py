"""`python -m tests.benchmarks.endurance`: half of the highest load for long, and every process restarted in turn.

Exit status: 0 when nothing was found, 1 when something was or nothing could be run, 2 for wrong use.
"""

import signal
import sys
import tempfile
from pathlib import Path
from types import FrameType

import click
import msgspec

from events.store.errors import StoreError
from tests.benchmarks.endurance.report import as_markdown
from tests.benchmarks.endurance.running import Plan, run
from tests.benchmarks.own_service import ServiceFailed

FOUND = 1


@click.command()
@click.option("--minutes", type=click.FloatRange(0.2), default=30.0, show_default=True, help="How long.")
@click.option(
    "--load",
    type=click.FloatRange(1.0),
    metavar="COMMANDS_PER_SECOND",
    help="The load, instead of half of the highest rate that is found out first.",
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("docs/performance"),
    show_default=True,
    help="Where endurance.md and endurance.json go.",
)
def endurance(minutes: float, load: float | None, folder: Path) -> None:
    """Load an installation for a long time while every process is restarted in turn, and see what becomes of it."""
    if sys.platform != "linux":
        raise click.UsageError("It needs Linux: what processes hold is read from /proc.")
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, _end)
    try:
        with tempfile.TemporaryDirectory(prefix="fieldbook-endurance-") as data:
            found = run(
                Plan(seconds=60 * minutes, load=load), Path(data), lambda text: click.echo(text, err=True)
            )
    except (ServiceFailed, StoreError) as error:
        click.echo(error, err=True)
        sys.exit(FOUND)
    text = as_markdown(found)
    click.echo(text, nl=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "endurance.md").write_text(text, encoding="utf-8")
        (folder / "endurance.json").write_bytes(
            msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n"
        )
    except OSError as error:
        click.echo(error, err=True)
        sys.exit(2)
    sys.exit(FOUND if found.findings else 0)


def _end(number: int, _frame: FrameType | None) -> None:
    """End everything that was started, and be disturbed no more while that is done."""
    for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(each, signal.SIG_IGN)
    sys.exit(128 + number)


if __name__ == "__main__":
    endurance()
