"""What the subcommands that list something have in common: JSON, tables and times."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

import click
from rich.console import Console
from rich.table import Table

from replay.platform.safe_text import safe

_WIDTH: Final = 180
"""Columns of text where nobody says how wide the terminal is."""
_COPIED: Final = {"id", "who", "about"}
"""Columns whose cells are copied into other commands, and so stay on one line."""
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
"""The option of every command that lists something."""


def print_json(value: Any) -> None:
    """Print JSON, indented."""
    click.echo(json.dumps(value, indent=2))


def print_table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows for people."""
    table = Table()
    for name in names:
        table.add_column(name, no_wrap=name in _COPIED, overflow="fold")
    for row in rows:
        table.add_row(*(safe(each, 80) for each in row))
    on_terminal = Console().is_terminal
    Console(width=None if on_terminal else _WIDTH).print(table, crop=on_terminal)


def format_time(milliseconds: int | None) -> str:
    """A time in UTC to the minute, for people."""
    if milliseconds is None:
        return "never"
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M")
