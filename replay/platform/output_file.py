"""Files that commands write: never over a file that the command reads, nor over a file of another kind."""

import os
import re
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from replay.platform.atomic_write import atomic_write
from replay.platform.exit_status import OutputFile, buffered

_LONGEST_START: Final = 4096
"""Bytes by which a file is recognised."""
_STREAM: Final = re.compile(r"/dev/(?:fd/)?(stdin|stdout|stderr|\d+)|/proc/self/fd/(\d+)")
_DESCRIPTORS: Final = {"stdin": 0, "stdout": 1, "stderr": 2}


class OutputRefused(Exception):
    """A file is not written; the message names it, and says why and what to do."""


class Kind(NamedTuple):
    """A kind of file.

    Attributes:
        name: its name in messages.
        start: how its files begin; None where none is replaced, because each is worth keeping.
    """

    name: str
    start: re.Pattern[bytes] | None


RECORD: Final = Kind("a record", None)
ANNOTATIONS: Final = Kind("a file of annotations", re.compile(rb'\{"annotations":'))
BRANCH: Final = Kind("a branch token", re.compile(rb"\s*fbb1\."))
PAGE: Final = Kind("an HTML page", re.compile(rb"\s*<!doctype html", re.IGNORECASE))
MARKDOWN: Final = Kind("a Markdown report of a game", re.compile(rb"# [^\n]+\n\n## [^\n]+\n\n- \*\*"))
CSV: Final = Kind("a CSV table of events", re.compile(rb"game,version,at,"))
PARQUET: Final = Kind("a Parquet file", re.compile(rb"PAR1"))
FIGURES: Final = Kind("the data of a report", re.compile(rb'\{\s*"overview":'))
CHARTS: Final = {
    ".svg": Kind("an SVG picture", re.compile(rb"\s*<(\?xml|!doctype svg|svg)", re.IGNORECASE)),
    ".png": Kind("a PNG picture", re.compile(rb"\x89PNG\r\n")),
    ".pdf": Kind("a PDF document", re.compile(rb"%PDF-")),
}
_RECORD_START: Final = re.compile(rb'\s*\{\s*"record"')


def check_output(
    path: Path, kind: Kind, inputs: Sequence[str | Path] = (), *, force: bool | None = None
) -> None:
    """Check that a file can be written, before the work whose result it takes.

    Args:
        path: the file, or `-` for standard output; a device or pipe takes anything.
        kind: what is written into it; an existing file is replaced only where it is of this kind, or empty.
        inputs: what the command reads: files, folders, addresses or `-`. No `force` allows writing over one.
        force: whether a file of another kind is replaced; None where a command does not offer that.

    Raises:
        OutputRefused: it cannot be written, or must not be replaced.
    """
    try:
        _check(path, kind, inputs, force=force)
    except OSError as error:
        raise OutputRefused(f"{path} cannot be written: {error.strerror or error}.") from error


@contextmanager
def open_output(
    path: Path, kind: Kind, inputs: Sequence[str | Path] = (), *, force: bool | None = None
) -> Iterator[BinaryIO]:
    """Open a file for writing that replaces an earlier one once it is complete; arguments as for `check_output`.

    A symbolic link stays, and its target is replaced. A device, a pipe or a stream such as /dev/stdout is written to
    directly.

    Raises:
        OutputRefused: it cannot be written, or must not be replaced.
        OutputFailed: writing failed, for example because the disk is full; an earlier file is still there.
    """
    check_output(path, kind, inputs, force=force)
    stream = _descriptor(path)
    if stream is not None:
        sys.stdout.flush()
        with buffered(OutputFile(stream, "wb", str(path), closefd=False)) as file:
            yield file
        return
    with atomic_write(Path(os.path.realpath(path))) as file:
        yield file


def _check(path: Path, kind: Kind, inputs: Sequence[str | Path], *, force: bool | None) -> None:
    stream = _descriptor(path)
    there = _status(path) if stream is None else os.fstat(stream)
    if there is None:
        _check_folder(path)
        return
    if stat.S_ISDIR(there.st_mode):
        raise OutputRefused(f"{path} is a folder: name a file.")
    if not stat.S_ISREG(there.st_mode):
        return
    read = next((each for each in inputs if _reads(each, there)), None)
    if read is not None:
        raise OutputRefused(
            f"{path} is {_named(read)}, which this command reads: name another file to write."
        )
    if stream is None:
        _check_kind(path, kind, force=force)


def _check_folder(path: Path) -> None:
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise OutputRefused(f"{path} cannot be written: there is no folder {folder}.")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OutputRefused(f"{path} cannot be written: permission denied in {folder}.")


def _check_kind(path: Path, kind: Kind, *, force: bool | None) -> None:
    """Check that an existing file may be replaced by one of this kind."""
    if not os.access(path, os.W_OK):
        raise OutputRefused(f"{path} is read-only: name another file.")
    with path.open("rb") as file:
        start = file.read(_LONGEST_START)
    if not start or force or (kind.start is not None and kind.start.match(start)):
        return
    if _RECORD_START.match(start):
        what = "a record"
    else:
        what = "a file that exists" if kind is RECORD else f"not {kind.name}"
    how = "" if force is None else ", or replace it with --force"
    raise OutputRefused(f"{path} is {what}: name another file{how}.")


def _named(source: str | Path) -> str:
    if source == "-":
        return "standard input"
    return f"in {source}" if Path(source).is_dir() else str(source)


def _reads(source: str | Path, there: os.stat_result) -> bool:
    """Return whether a source is a file, or holds it."""
    if source == "-":
        return os.path.samestat(os.fstat(0), there)
    found = _status(Path(source))
    if found is None or not stat.S_ISDIR(found.st_mode):
        return found is not None and os.path.samestat(found, there)
    inside = (_status(Path(folder, name)) for folder, _, names in os.walk(source) for name in names)
    return any(each is not None and os.path.samestat(each, there) for each in inside)


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _descriptor(path: Path) -> int | None:
    """Return the open descriptor that `-` or a path such as /dev/stdout names."""
    if str(path) == "-":
        return _DESCRIPTORS["stdout"]
    found = _STREAM.fullmatch(os.path.abspath(path))  # noqa: PTH100 - Path.resolve would follow the link
    if found is None:
        return None
    name = found[1] or found[2]
    return _DESCRIPTORS[name] if name in _DESCRIPTORS else int(name)
