"""The command line: one file in `replay/commands` for each subcommand, and their list here.

Exit status: 0 fine, 1 a finding (the record does not verify, or is broken), 2 wrong use.
"""

import sys
from io import TextIOWrapper

import click

from replay.commands.annotate import annotate
from replay.commands.audit import audit
from replay.commands.branch import branch
from replay.commands.completion import completion
from replay.commands.diff import diff
from replay.commands.export import export
from replay.commands.find import find
from replay.commands.log import log
from replay.commands.play import play
from replay.commands.show import show
from replay.commands.stats import stats
from replay.commands.step import step
from replay.commands.verify import verify
from replay.source_first import SourceFirst


@click.group(cls=SourceFirst)
def replay() -> None:
    """Read the record of a game and trust nobody.

    SOURCE is a record file, plain or gzipped, - for standard input, or the address of a game such
    as https://example.org/v1/games/GAME. A key or a seat's token for it stands in FIELDBOOK_KEY or
    in the file that --key-file names. It may stand before the command too; alone it is played on a
    terminal, and else listed.

    Every command verifies what it shows. Exit status: 0 fine, 1 a record that does not verify, 2
    wrong use, or a source that cannot be read.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


for each in (
    show,
    log,
    find,
    diff,
    step,
    play,
    branch,
    annotate,
    stats,
    export,
    verify,
    audit,
    completion,
):
    replay.add_command(each)
