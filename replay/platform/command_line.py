"""How a command line ends: guarded standard streams, and a status and one line instead of a traceback."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

import click

from replay.platform.exit_status import (
    BROKEN_PIPE,
    FINDING,
    INTERNAL_ERROR,
    INTERRUPTED,
    OutputFailed,
    OutputFile,
    status_of,
)


@contextmanager
def exit_with_status() -> Iterator[None]:
    """Run a command line; every way to end has the status and the one line that docs/replay.md describes.

    Python's development mode (`python -X dev`) shows the traceback of an internal error.
    """
    output = _guard_streams()
    try:
        yield
        status = 0
    except SystemExit as ended:
        status = _code_of(ended)
    except OutputFailed as failed:
        status = _report(failed)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        import traceback  # noqa: PLC0415 - most runs do not need it

        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{os.path.basename(place.filename)}, line {place.lineno}"  # noqa: PTH119 - cheap to import
        click.echo(f"Internal error: {type(error).__name__}: {error} ({where}). Please report it.", err=True)
        status = INTERNAL_ERROR
    try:
        sys.stdout.flush()
    except OutputFailed as failed:
        status = _report(failed)
    if output is not None and output.failure is not None:
        status = output.failure.status
    sys.exit(status)


class CommandLine(click.Command):
    """A command or group that is started by itself, with the exit statuses of this module."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Run the command as a program, and end with its status."""
        with exit_with_status():
            return super().__call__(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; errors that click would end with status 1 end with their own."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, click.Abort):
            click.echo("Interrupted.", err=True)
            sys.exit(INTERRUPTED)
        except OSError as error:
            name = "" if error.filename is None else f"{error.filename}: "
            click.echo(f"Error: {name}{error.strerror or error}.", err=True)
            sys.exit(status_of(error))


def _report(failed: OutputFailed) -> int:
    """Say that an output failed, and return the status; the closed end of a pipe needs no message."""
    if failed.status != BROKEN_PIPE:
        click.echo(f"Error: {failed}", err=True)
    return failed.status


def _code_of(ended: SystemExit) -> int:
    if isinstance(ended.code, str):
        click.echo(ended.code, err=True)
        return FINDING
    return ended.code or 0


def _guard_streams() -> OutputFile | None:
    """Replace the standard streams by guarded ones; return standard output, or None where a caller captures it.

    A stream that was closed before the start reports that on use, and no file that is opened later gets its number.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_WRONLY), "r", encoding="utf-8")
    output = None
    if sys.stdout is sys.__stdout__:
        closed = sys.stdout is None
        output = OutputFile(
            os.open(os.devnull, os.O_RDONLY) if closed else 1, "wb", "Standard output", closefd=False
        )
        sys.stdout = _text(io.BufferedWriter(output), sys.stdout)
    if sys.stderr is sys.__stderr__:
        closed = sys.stderr is None
        errors = OutputFile(
            os.open(os.devnull, os.O_RDONLY) if closed else 2,
            "wb",
            "Standard error",
            closefd=False,
            quiet=True,
        )
        sys.stderr = _text(io.BufferedWriter(errors), sys.stderr)
    return output


def _text(binary: io.BufferedWriter, like: TextIO | None) -> io.TextIOWrapper:
    """Return a text stream with the encoding and buffering of another one."""
    if not isinstance(like, io.TextIOWrapper):
        return io.TextIOWrapper(binary, encoding="utf-8", errors="replace", line_buffering=True)
    return io.TextIOWrapper(
        binary,
        encoding=like.encoding,
        errors=like.errors,
        line_buffering=like.line_buffering or like.write_through,
        write_through=like.write_through,
    )
