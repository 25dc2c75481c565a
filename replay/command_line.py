"""The command line: one file in `replay/commands` for each subcommand, and their list here.

Exit status: 0 fine, 1 a finding (the record does not verify, or is broken), 2 wrong use.
"""

import sys
from io import TextIOWrapper
from typing import Final

import click

from replay.commands.shared.lazy_commands import LazyCommand
from replay.commands.shared.source_first import SourceFirst

COMMANDS: Final = (
    "annotate",
    "audit",
    "branch",
    "completion",
    "deals",
    "diff",
    "evidence",
    "export",
    "find",
    "log",
    "play",
    "ratings",
    "screen",
    "show",
    "stats",
    "step",
    "tournament",
    "verify",
)
"""Every command; each is what its file in `replay/commands` calls by the same name."""


@click.group(cls=SourceFirst, lazy={name: LazyCommand(f"replay.commands.{name}", name) for name in COMMANDS})
def replay() -> None:
    """Read the record of a game and trust nobody.

    SOURCE is a record file, plain or gzipped, - for standard input, or the address of a game such
    as https://example.org/v1/games/GAME. Its key or token is read from FIELDBOOK_KEY or from the
    file that --key-file names. SOURCE may come before the command; without a command it opens in
    the player on a terminal, and is listed elsewhere.

    Every command verifies what it shows. Exit status: 0 fine, 1 a record that does not verify, 2
    wrong use, or a source that cannot be read.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
