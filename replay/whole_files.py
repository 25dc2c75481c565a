"""Files that are there whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which gets its name when it is complete; what is not a file is written to as it is.

    Raises:
        OSError: it cannot be written.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as there:
            yield there
        return
    growing = path.with_name(f"{path.name}.part")
    try:
        with growing.open("wb") as file:
            yield file
        growing.replace(path)
    finally:
        growing.unlink(missing_ok=True)
