"""A report on the screen, for the commands that judge a record."""

from collections.abc import Callable
from typing import Final

import click
import msgspec

from events.rules.interventions.rulings import RULED_ENDS
from replay.commands.shared.options import describe_finding
from replay.platform.safe_text import safe
from replay.records.report import Bounds, ClockReport, Report, describe_check
from replay.terminal.table_text import when

_SEEDS: Final = {
    "none": "no seat brought one",
    "with": "one was named when the game was set up: the secret may have been chosen to fit it",
    "after": "named after the commitment was given out, by the record's own times",
    "shown": "named after the commitment that you kept",
}


def print_report(report: Report) -> None:
    """Print a report as text."""
    print_row = _rows()
    click.echo(f"{safe(report.game, 40) or 'This record'}: {'verified' if report.ok else 'DOES NOT VERIFY'}")
    for finding in report.findings:
        print_row("finding", describe_finding(finding))
    if report.stopped_early:
        print_row("", "Nothing after this was read: it would mean nothing.")
    print_row("scope", safe(report.scope, 40))
    _print_game(report, print_row)
    for name, count in report.checks.items():
        print_row(f"  {name}", f"{count:>6}  {describe_check(report, name)}")
    for unknown in report.unknown:
        print_row("not known", unknown.reason)


def _print_game(report: Report, print_row: Callable[[str, str], None]) -> None:
    """Print what the record says of the game, as far as it holds."""
    if report.system:
        engine = f"version {report.system_version}, engine version {report.engine_version}"
        print_row("rule system", f"{safe(report.system, 40)}, {engine}")
    if report.catalogue_hash:
        name = f"{safe(report.catalogue, 60)} ({report.catalogue_hash[:16]})"
        print_row("catalogue", f"{name}, figures from: {', '.join(report.provenance)}")
    print_row("entries", f"{report.entries} hold")
    if report.reason in RULED_ENDS:
        winners = ", ".join(f"seat {seat}" for seat in report.winners) or "nobody"
        print_row("by a ruling", f"{report.reason}; won by {winners}, whatever the coin stacks say")
    if report.clock is not msgspec.UNSET:
        _print_clock(report.clock, print_row)
    if report.discarded:
        print_row("discarded", ", ".join(f"{first} to {last}" for first, last in report.discarded))
    print_row("chain head", report.head or "none")
    if report.seeds:
        print_row("seeds", _SEEDS[report.seeds])
    print_row("status", report.status)
    if report.status != "finished" and report.ok:
        print_row("", "The secret is not opened yet: shuffles and salts can be checked when it is.")
    _print_attested(report, print_row)
    if report.scores:
        print_row(report.unit, ", ".join(f"seat {seat}: {score}" for seat, score in enumerate(report.scores)))


def _print_attested(report: Report, print_row: Callable[[str, str], None]) -> None:
    """Print who vouches for the record."""
    if report.signed_by:
        print_row(
            "signed by",
            f"{safe(report.signed_by)}{'' if report.trusted else '  (attached, not one of yours)'}",
        )
    if report.logged:
        print_row("in the log", f"{report.logged} entries")
    _print_bounds(report.bounds, print_row)


def _print_clock(clock: ClockReport, print_row: Callable[[str, str], None]) -> None:
    """Print what the game's clock is, and what came about by it."""
    said = clock.settings
    print_row(
        "clock",
        f"{said['bank']} s, {said['increment']} s more for each turn up to {said['cap']} s; {said['answer']} s for an"
        f" answer; grace {said['grace']} s",
    )
    moves = f"{clock.forced} moves made by the bot {safe(str(said['bot']), 40)}"
    print_row("", f"time was over {clock.expired} times; {moves}, {clock.recomputed} of them computed again")
    if clock.credits:
        reasons = ", ".join(clock.reasons)
        print_row("", f"given back: {clock.credited} ms in {clock.credits} spans ({reasons})")


def _print_bounds(bounds: Bounds, print_row: Callable[[str, str], None]) -> None:
    """Print when the game was played, by the clocks of witnesses."""
    if bounds.not_later:
        print_row("not later", f"than {when(bounds.not_later)}: its head was in the log by then")
        for each in bounds.witnessed:
            name = safe(each.witness.partition("+")[0], 60)
            print_row("", f"{when(each.at)}  {name} has co-signed the log of {each.size} entries")
    if bounds.not_earlier:
        print_row(
            "not earlier",
            f"than {when(bounds.not_earlier)}: from version {bounds.not_earlier_from} on, by that seed",
        )
    if bounds.logged_after:
        print_row("logged", f"not earlier than {when(bounds.logged_after)}; it may have been played before")


def _rows() -> Callable[[str, str], None]:
    return lambda name, text: click.echo(f"{name:<14}{text}")
