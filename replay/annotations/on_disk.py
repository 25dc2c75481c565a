"""Files of annotations on disk: read within bounds, and replaced whole, so that nobody ever finds half of one."""

import os
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from replay.annotations.book import AnnotationBook
from replay.annotations.files import Binding, read_sets, write_file
from replay.sources import record_lines


def read_path(path: str) -> tuple[Binding, AnnotationBook]:
    """The sets in a file, or those that a record carries; `-` is standard input.

    Raises:
        SourceUnreadable: it cannot be opened.
        FileBroken, RecordBroken: it does not hold together.
    """
    with record_lines(path) as lines:
        return read_sets(lines)


def write_path(path: str, binding: Binding, book: AnnotationBook) -> None:
    """Write a file in place of what was there, in one step.

    Raises:
        OSError
    """
    place = Path(path)
    with NamedTemporaryFile(dir=place.parent, prefix=f".{place.name}.", delete=False) as file:
        try:
            file.writelines(write_file(binding, book))
            file.flush()
            os.fsync(file.fileno())
            # As a new file would be: readable as the umask has it.
            mask = os.umask(0)
            os.umask(mask)
            Path(file.name).chmod(0o666 & ~mask)
            Path(file.name).replace(place)
        except BaseException:
            with suppress(OSError):
                Path(file.name).unlink()
            raise
