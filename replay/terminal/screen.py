"""Putting lines on the screen: in colour on a terminal, as plain text everywhere else.

Colour is left out where the output is no terminal, where NO_COLOR is set and on a `dumb` terminal. Only texts
and styles are handed to rich, never markup, so nothing in a record can style itself.
"""

import os
import sys
from collections.abc import Iterable

import click

from replay.terminal.table_text import Line


def supports_colour() -> bool:
    """Whether standard output shows colours."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_styled(lines: Iterable[Line]) -> None:
    """Print the lines."""
    if supports_colour():
        _print_coloured(lines)
        return
    for line in lines:
        click.echo("".join(text for text, _ in line).rstrip())


def _print_coloured(lines: Iterable[Line]) -> None:
    from rich.console import Console  # noqa: PLC0415  # only a terminal pays for loading it
    from rich.text import Text  # noqa: PLC0415

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    for line in lines:
        console.print(Text.assemble(*line))
