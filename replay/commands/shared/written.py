"""Files that commands write: `--force`, refusals, and the message that names the file."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import click

from replay.platform.output_file import Kind, OutputRefused, check_output, open_output
from replay.platform.safe_text import safe

force_option = click.option("--force", is_flag=True, help="Replace an existing file of another kind.")


def require_output(
    path: Path, kind: Kind, inputs: Sequence[str | Path] = (), *, force: bool | None = None
) -> None:
    """End the program with status 2 where a file must not or cannot be written; call it before the work."""
    try:
        check_output(path, kind, inputs, force=force)
    except OutputRefused as refused:
        raise click.UsageError(safe(str(refused), 2000)) from refused


@contextmanager
def write_output(
    path: Path, kind: Kind, inputs: Sequence[str | Path] = (), *, force: bool | None = None
) -> Iterator[BinaryIO]:
    """Open a file as `open_output` does, and name it on standard error; ends with status 2 where it is refused."""
    try:
        with open_output(path, kind, inputs, force=force) as file:
            yield file
    except OutputRefused as refused:
        raise click.UsageError(safe(str(refused), 2000)) from refused
    say_written(path)


def say_written(path: Path | str, what: str = "Written") -> None:
    """Name a file or folder in full on standard error, where it is in the way of no output; a device is not named."""
    full = Path(path).resolve()
    if full.is_file() or full.is_dir():
        click.echo(f"{what}: {safe(str(full), 1000)}", err=True)
