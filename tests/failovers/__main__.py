"""`python -m tests.failovers`: failovers of a cluster under load, with a table of what each did.

Exit status: 0 when nothing acknowledged was lost, nothing doubled and every game's record verifies, otherwise 1.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.failovers.campaign import Failover, Result, campaign


def main() -> None:
    """Run the campaign."""
    parser = argparse.ArgumentParser(prog="python -m tests.failovers", description=__doc__)
    parser.add_argument("--failovers", type=int, default=20, help="how many (20)")
    wanted = parser.parse_args()
    console = Console()

    def report(number: int, failover: Failover) -> None:
        console.print(
            f"{number:3} {failover.how.value:12} acknowledged {failover.acknowledged:5}  lost {failover.lost}  "
            f"doubled {failover.doubled}  again after {failover.interrupted_seconds:.1f} s",
            highlight=False,
        )

    with tempfile.TemporaryDirectory(prefix="fieldbook-failovers-") as folder:
        result = campaign(Path(folder), wanted.failovers, report)
    console.print(table(result))
    console.print(
        f"{result.games} games, {result.acknowledged} appends acknowledged, {result.lost} lost, "
        f"{result.doubled} games with a doubled command, {len(result.broken)} records that do not verify; "
        f"{result.refused} requests were sent again.",
        highlight=False,
    )
    for broken in result.broken:
        console.print(broken)
    sys.exit(1 if result.lost or result.doubled or result.broken else 0)


def table(result: Result) -> Table:
    """Every failover in a line."""
    shown = Table("failover", "primary", "acknowledged", "lost", "doubled", "takeover, s", "next append, s")
    for number, each in enumerate(result.failovers, start=1):
        shown.add_row(
            str(number),
            each.how.value,
            str(each.acknowledged),
            str(each.lost),
            str(each.doubled),
            f"{each.takeover_seconds:.1f}",
            f"{each.interrupted_seconds:.1f}",
        )
    return shown


if __name__ == "__main__":
    main()
