"""`audit`: verify a record, and put every command to the rules again."""

import sys

import click

from replay.commands.shared.options import (
    NoRecord,
    example,
    json_option,
    open_record,
    print_json,
    record_argument,
    report_no_record,
)
from replay.commands.shared.report_text import print_report
from replay.commands.shared.trust import trust_options
from replay.platform.exit_status import FINDING
from replay.verification.attestations import Trust
from replay.verification.audit import AuditReport, EngineReport, audit_lines


@click.command(epilog=example("fieldbook replay audit game.ndjson --json"))
@record_argument
@trust_options
@json_option
def audit(record: str, *, trust: Trust, as_json: bool) -> None:
    """Verify a record, and put every command to the rules again.

    Both the rules that the game is pinned to and today's are applied; every difference is listed. A
    difference from today's rules is not a finding: the game was played by the rules of its time.
    """
    try:
        with open_record(record) as lines:
            report = audit_lines(lines, trust)
    except NoRecord as refused:
        if not as_json:
            raise
        print_json(AuditReport(ok=False, verification=report_no_record()), indented=True)
        sys.exit(refused.exit_code)
    if as_json:
        print_json(report, indented=True)
    else:
        print_report(report.verification)
        for engine in report.engines:
            _print_engine(engine)
    sys.exit(0 if report.ok else FINDING)


def _print_engine(engine: EngineReport) -> None:
    asked = f"rules version {engine.system_version}, engine version {engine.engine_version}"
    click.echo(
        f"{engine.engine} rules ({asked}): {engine.commands} commands asked, {engine.differing} differ"
    )
    for each in engine.differences:
        click.echo(f"  version {each.version}, {each.command}: {each.reason}")
    if engine.differing > len(engine.differences):
        click.echo(f"  and {engine.differing - len(engine.differences)} more")
