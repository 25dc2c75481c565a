"""`audit`: verify a record, and ask the rules again about every command."""

import sys

import click

from replay.audit import EngineReport, audit_lines
from replay.commands.report_text import put_report, put_report_json
from replay.options import FINDING, json_option, opened, record_argument, trust_options, trusted


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
        put_report_json(report)
    else:
        put_report(report.verification)
        for engine in report.engines:
            _put_engine(engine)
    sys.exit(0 if report.ok else FINDING)


def _put_engine(engine: EngineReport) -> None:
    asked = f"rules version {engine.system_version}, engine version {engine.engine_version}"
    click.echo(
        f"{engine.engine} rules ({asked}): {engine.commands} commands asked, {engine.differing} differ"
    )
    for each in engine.differences:
        click.echo(f"  version {each.version}, {each.command}: {each.reason}")
    if engine.differing > len(engine.differences):
        click.echo(f"  and {engine.differing - len(engine.differences)} more")
