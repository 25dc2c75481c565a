"""`verify`: check everything that a record claims."""

import sys

import click

from replay.commands.report_text import put_report, put_report_json
from replay.options import FINDING, json_option, opened, record_argument, trust_options, trusted
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
        put_report_json(report)
    else:
        put_report(report)
    sys.exit(0 if report.ok else FINDING)
