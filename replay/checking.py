"""The commands that judge a record: `verify` and `audit`."""

import sys
from collections.abc import Callable

import click
import msgspec

from replay.audit import AuditReport, EngineReport, audit_lines
from replay.options import FINDING, json_option, opened, record_argument, sentence, trust_options, trusted
from replay.report import CHECKS, Report
from replay.safe_text import safe, safe_json
from replay.verify import verify_lines


@click.command()
@record_argument
@trust_options
@json_option
def verify(
    record: str, keys: tuple[str, ...], checkpoint: str | None, receipts: tuple[str, ...], *, as_json: bool
) -> None:
    """Check everything that a record claims: chain, deal, rules, cards, result and signatures.

    With --key the record must be signed by that key. With --checkpoint the game must have been in
    the service's log when that checkpoint was made, and the log must only have grown since then.
    """
    trust = trusted(keys, checkpoint, receipts)
    with opened(record) as lines:
        report = verify_lines(lines, trust)
    if as_json:
        _put_json(report)
    else:
        _put_report(report)
    sys.exit(0 if report.ok else FINDING)


@click.command()
@record_argument
@trust_options
@json_option
def audit(
    record: str, keys: tuple[str, ...], checkpoint: str | None, receipts: tuple[str, ...], *, as_json: bool
) -> None:
    """Verify a record, and ask the rules again about every command.

    Asked are the rules that the game is pinned to, and today's; every difference is listed. A game
    that today's rules would have seen otherwise is no finding: it was played by the rules of its day.
    """
    trust = trusted(keys, checkpoint, receipts)
    with opened(record) as lines:
        report = audit_lines(lines, trust)
    if as_json:
        _put_json(report)
    else:
        _put_report(report.verification)
        for engine in report.engines:
            _put_engine(engine)
    sys.exit(0 if report.ok else FINDING)


def _put_json(report: Report | AuditReport) -> None:
    click.echo(safe_json(msgspec.json.format(msgspec.json.encode(report))))


def _put_engine(engine: EngineReport) -> None:
    asked = f"rules version {engine.system_version}, engine version {engine.engine_version}"
    click.echo(
        f"{engine.engine} rules ({asked}): {engine.commands} commands asked, {engine.differing} differ"
    )
    for each in engine.differences:
        click.echo(f"  version {each.version}, {each.command}: {each.reason}")
    if engine.differing > len(engine.differences):
        click.echo(f"  and {engine.differing - len(engine.differences)} more")


def _put_report(report: Report) -> None:
    put_row = _rows()
    click.echo(f"{safe(report.game, 40) or 'This record'}: {'verified' if report.ok else 'DOES NOT VERIFY'}")
    for finding in report.findings:
        put_row("finding", sentence(finding))
    if report.stopped_early:
        put_row("", "Nothing after this was read: it would mean nothing.")
    put_row("scope", safe(report.scope, 40))
    if report.system:
        engine = f"version {report.system_version}, engine version {report.engine_version}"
        put_row("rule system", f"{safe(report.system, 40)}, {engine}")
    if report.catalogue_hash:
        name = f"{safe(report.catalogue, 60)} ({report.catalogue_hash[:16]})"
        put_row("catalogue", f"{name}, figures from: {', '.join(report.provenance)}")
    put_row("entries", f"{report.entries} hold")
    put_row("chain head", report.head or "none")
    put_row("status", report.status)
    if report.status != "finished" and report.ok:
        put_row("", "The secret is not opened yet: shuffles and salts can be checked when it is.")
    if report.signed_by:
        put_row(
            "signed by",
            f"{safe(report.signed_by)}{'' if report.trusted else '  (attached, not one of yours)'}",
        )
    if report.logged:
        put_row("in the log", f"{report.logged} entries")
    if report.scores:
        put_row(report.unit, ", ".join(f"seat {seat}: {score}" for seat, score in enumerate(report.scores)))
    for name, count in report.checks.items():
        put_row(f"  {name}", f"{count:>6}  {CHECKS[name]}")


def _rows() -> Callable[[str, str], None]:
    return lambda name, text: click.echo(f"{name:<14}{text}")
