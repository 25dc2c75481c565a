"""Files that are written completely or not at all."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from replay.platform.exit_status import OutputFailed, OutputFile, buffered


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that gets its name once it is complete; a device or pipe is written to directly.

    A file that is replaced keeps its permissions.

    Raises:
        OutputFailed: it cannot be written; an earlier file is still there.
    """
    if path.exists() and not path.is_file():
        with buffered(_open(path, "wb", path)) as there:
            yield there
        return
    growing = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with buffered(_open(growing, "xb", path)) as file:
            if path.exists():
                growing.chmod(stat.S_IMODE(path.stat().st_mode))
            yield file
        try:
            growing.replace(path)
        except OSError as error:
            raise OutputFailed(str(path), error) from error
    finally:
        growing.unlink(missing_ok=True)


def _open(path: Path, mode: str, named: Path) -> OutputFile:
    try:
        return OutputFile(str(path), mode, str(named))
    except OSError as error:
        raise OutputFailed(str(named), error) from error


def write_durably(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Write a file that is there whole, or as it was before, whatever happens; returns once it is on the disk.

    Raises:
        OSError: it cannot be written.
    """
    growing = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with open(os.open(growing, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:  # noqa: PTH123
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        growing.replace(path)
        sync_folder(path.parent)
    finally:
        growing.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Return once the names in a folder are on the disk.

    Raises:
        OSError: they cannot be written.
    """
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
