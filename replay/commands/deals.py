"""`deals`: whether the tables of a duplicate round were dealt alike."""

import sys

import click

from replay.commands.shared.options import (
    complete_files,
    describe_finding,
    example,
    json_option,
    key_file_option,
    open_record,
    print_json,
)
from replay.platform.exit_status import FINDING
from replay.platform.safe_text import safe
from replay.verification.deals import ComparedShuffle, DealsReport, Pinned, compare_tables, read_table


@click.command(epilog=example("fieldbook replay deals table-1.ndjson table-2.ndjson"))
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...", shell_complete=complete_files)
@key_file_option
@json_option
def deals(sources: tuple[str, ...], *, as_json: bool) -> None:
    """Say whether the tables of a duplicate round were dealt alike.

    Each record is verified; then what the deals follow from is compared, and once the secret of the
    round is open the shuffles themselves: the first card by card, and how alike later ones were.
    The status is 1 where they were not, or not all of them verify.
    """
    if len(sources) == 1:
        raise click.UsageError("name the records of at least two tables.")
    read = []
    for source in sources:
        with open_record(source) as lines:
            read.append(read_table(source, lines))
    report = compare_tables(read)
    if as_json:
        print_json(report, indented=True)
    else:
        _print_report(report)
    sys.exit(0 if report.alike else FINDING)


def _print_report(report: DealsReport) -> None:
    """Print a report as text."""
    was = "were dealt alike" if report.alike else "WERE NOT DEALT ALIKE, or that cannot be said"
    click.echo(f"These {len(report.tables)} tables {was}.")
    for finding in report.findings:
        _print_row("finding", safe(finding, 400))
    for table in report.tables:
        _print_row("table", f"{safe(table.game, 40) or safe(table.source, 200)}, {safe(table.status, 20)}")
        for broken in table.findings:
            _print_row("", describe_finding(broken))
    if report.round is not None:
        _print_round(report.round)
    for shuffle in report.shuffles:
        _print_row(f"{shuffle.pile}/{shuffle.number}", _told(shuffle))
    if report.alike and not report.proven:
        _print_row("", "The secret is not open at every table: the cards can be compared when it is.")


def _print_round(pinned: Pinned) -> None:
    _print_row("commitment", pinned.commitment)
    if pinned.dealing is not None:
        _print_row("seed", f"{safe(pinned.dealing.seed, 128)} (dealing version {pinned.dealing.version})")
    options = ", ".join(f"{safe(name, 40)} {safe(str(value), 40)}" for name, value in pinned.options.items())
    _print_row("played", f"{safe(pinned.system, 40)}, {pinned.players} players, {options or 'no options'}")
    _print_row("deck", pinned.catalogue)


def _told(shuffle: ComparedShuffle) -> str:
    at = f"at {shuffle.tables} tables"
    if shuffle.common == shuffle.most:
        return f"{shuffle.most} cards {at}: the same, card by card"
    few = f"{shuffle.fewest} to " if shuffle.fewest != shuffle.most else ""
    return f"{few}{shuffle.most} cards {at}: {shuffle.common} in common, in the same order"


def _print_row(name: str, text: str) -> None:
    click.echo(f"{name:<12}{text}")
