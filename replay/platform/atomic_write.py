"""Files that are written completely or not at all."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that gets its name once it is complete; a device or pipe is written to directly.

    Raises:
        OSError: it cannot be written.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as there:
            yield there
        return
    growing = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with growing.open("xb") as file:
            yield file
        growing.replace(path)
    finally:
        growing.unlink(missing_ok=True)
