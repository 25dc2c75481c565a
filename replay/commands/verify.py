"""`verify`: check everything that a record claims."""

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
from replay.verification.verify import verify_lines


@click.command(epilog=example("fieldbook replay verify game.ndjson --key service.keys"))
@record_argument
@trust_options
@json_option
def verify(record: str, *, trust: Trust, as_json: bool) -> None:
    """Check everything that a record claims: chain, deal, rules, cards, result and signatures.

    With --key the record must be signed by that key. With --checkpoint the game must have been in
    the service's log at that checkpoint, and the log must only have grown since.
    """
    try:
        with open_record(record) as lines:
            report = verify_lines(lines, trust)
    except NoRecord as refused:
        if not as_json:
            raise
        print_json(report_no_record(), indented=True)
        sys.exit(refused.exit_code)
    if as_json:
        print_json(report, indented=True)
    else:
        print_report(report)
    sys.exit(0 if report.ok else FINDING)
