"""The command line: one file in `replay/commands` for each subcommand, and their list here.

Exit status: 0 fine, 1 a finding (the record does not verify, or is broken), 2 wrong use.
"""

import sys
from io import TextIOWrapper

import click

from replay.commands.audit import audit
from replay.commands.branch import branch
from replay.commands.log import log
from replay.commands.play import play
from replay.commands.show import show
from replay.commands.step import step
from replay.commands.verify import verify


@click.group()
def replay() -> None:
    """Read the record of a game and trust nobody.

    RECORD is a record file, plain or gzipped, or - for standard input. Every command verifies what
    it shows. Exit status: 0 fine, 1 a record that does not verify, 2 wrong use.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


for each in (show, log, step, play, verify, audit, branch):
    replay.add_command(each)
