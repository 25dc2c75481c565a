"""Whoever gets a file is told where it lies."""

from pathlib import Path

import click

from replay.platform.safe_text import safe


def say_written(path: Path | str, what: str = "Written") -> None:
    """Name a file or folder in full on standard error, where it is in the way of no output; a device is not named."""
    full = Path(path).resolve()
    if full.is_file() or full.is_dir():
        click.echo(f"{what}: {safe(str(full), 1000)}", err=True)
