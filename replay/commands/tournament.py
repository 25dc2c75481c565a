"""`tournament`: check a tournament, from its log and the records of its tables."""

import sys
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Final

import click

from events.game.record import RecordBroken, is_record
from replay.client.game_address import SourceUnreadable
from replay.client.sources import record_lines
from replay.commands.shared.options import (
    complete_files,
    example,
    json_option,
    open_record,
    print_json,
    raise_when_read,
)
from replay.commands.shared.trust import read_keys, signing_keys_option
from replay.platform.exit_status import FINDING
from replay.platform.safe_text import safe
from replay.tournaments.checking import TournamentCheck
from replay.tournaments.report import CHECKS, TournamentReport
from replay.verification.attestations import Trust

_ENTRY: Final = b'{"entry":'
"""The beginning of a tournament's log, which is canonical JSON."""


@click.command(epilog=example("fieldbook replay tournament autumn.ndjson records/*.ndjson"))
@click.argument("log", shell_complete=complete_files)
@click.argument("records", metavar="RECORD...", nargs=-1, shell_complete=complete_files)
@click.option(
    "--key",
    "keys",
    multiple=True,
    metavar="KEY|FILE",
    help="A public key of the service, by which each record must be signed, or a file with one on each line; "
    "repeatable.",
)
@signing_keys_option
@json_option
def tournament(
    log: str, records: tuple[str, ...], *, keys: tuple[str, ...], signing_keys: str | None, as_json: bool
) -> None:
    """Check a tournament: its log, every pairing, every result, rulings and the table.

    LOG is the tournament's log as a file, or - for standard input. Each RECORD is the record of one
    of its tables, in any scope. Status 0: all of it holds, 1: something does not, or a record is
    missing, 2: wrong use, or a file that cannot be read.
    """
    check = TournamentCheck(Trust(keys=read_keys(keys, signing_keys)))
    try:
        with record_lines(log) as lines:
            check.read_log(_require_log(lines, log))
    except SourceUnreadable as error:
        raise click.UsageError(str(error)) from error
    for record in records:
        with open_record(record) as lines:
            check.read_record(lines, record)
    report = check.finish()
    if as_json:
        print_json(report, indented=True)
    else:
        _print(report)
    sys.exit(0 if report.ok else FINDING)


def _require_log(lines: Iterator[bytes], source: str) -> Iterator[bytes]:
    """Return the same lines; ends the program where the first one is not an entry of a tournament's log.

    A compressed log whose beginning is damaged is a finding.
    """
    try:
        first = next(lines, b"")
    except RecordBroken as broken:
        return raise_when_read(broken)
    if not first.startswith(_ENTRY):
        what = "a record" if is_record(first) else "something else"
        raise click.UsageError(
            f"{safe(source, 200)} is {what}, not the log of a tournament: name the log before the records."
        )
    return chain([first], lines)


def _print(report: TournamentReport) -> None:
    """Print a report as text."""
    print_row: Callable[[str, str], None] = lambda name, text: click.echo(f"{name:<14}{text}")  # noqa: E731
    name = safe(report.name, 80) or "This tournament"
    click.echo(f"{name}: {'verified' if report.ok else 'DOES NOT VERIFY'}")
    for finding in report.findings:
        where = f"entry {finding.entry}: " if finding.entry else ""
        game = f"game {safe(finding.game, 64)}: " if finding.game else ""
        print_row("finding", f"{where}{game}{finding.reason} [{finding.check}]")
    print_row("played", f"{safe(report.system, 40)}, {safe(report.format, 20)}, {report.status}")
    print_row("log", f"{report.entries} entries hold, chain head {report.head or 'none'}")
    print_row(
        "tables", f"{report.tables} in {report.rounds} rounds, {report.late} late; {report.records} records"
    )
    for name, count in report.checks.items():
        print_row(f"  {name}", f"{count:>6}  {CHECKS[name]}")
    for given_up in report.given_up:
        where = f"round {given_up.round}, table {given_up.table}"
        print_row("given up", f"{where}: {safe(given_up.reason, 200)}")
    for ruled in report.rulings:
        by = f"dispute {ruled.case}" if ruled.case else f"by {safe(ruled.by, 60)}"
        where = f"round {ruled.round}, table {ruled.table}"
        print_row("ruling", f"{where}: {ruled.kind} ({by}): {safe(ruled.reason, 200)}")
    for row in report.standings:
        who = f"{safe(report.names.get(row.player, ''), 40)} ({safe(row.player, 64)})"
        figures = f"{row.points} points, {row.wins} won, {row.opponents} of opponents, {row.coins} coins"
        print_row(f"{row.place:>4}.", f"{who}: {figures}{', withdrew' if row.withdrew else ''}")
