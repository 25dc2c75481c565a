"""Files of annotations on disk: read within bounds, added to, and replaced atomically."""

import os
import secrets
import stat
import time
from pathlib import Path
from typing import Any

from replay.annotations.book import AnnotationBook
from replay.annotations.content import KINDS, AnnotationRefused, check_vocabulary, parse_content
from replay.annotations.entries import AnnotationEntry, Author, Moment, new_entry
from replay.annotations.files import Binding, read_sets, write_file
from replay.annotations.sets import AnnotationSet
from replay.client.sources import record_lines
from replay.platform.output_file import ANNOTATIONS, open_output


def read_path(path: str) -> tuple[Binding, AnnotationBook]:
    """The sets in a file, or those that a record carries; `-` is standard input.

    Raises:
        SourceUnreadable: it cannot be opened.
        FileBroken, RecordBroken: it does not hold together.
    """
    with record_lines(path) as lines:
        return read_sets(lines)


def write_path(path: str, binding: Binding, book: AnnotationBook, *, force: bool | None = None) -> None:
    """Write sets to a file, or to standard output for `-`; an earlier file of annotations is replaced.

    Raises:
        OutputRefused, OutputFailed: as `open_output` does; a record that carries annotations is not replaced.
    """
    with open_output(Path(path), ANNOTATIONS, force=force) as file:
        file.writelines(write_file(binding, book))
        file.flush()
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            os.fsync(file.fileno())


def find_set(book: AnnotationBook, author: str) -> AnnotationSet | None:
    """The set that an author wrote in files; one that a service wrote cannot be added to in a file."""
    return next(
        (each for each in book.sets if (each.author.kind, each.author.name) == ("file", author)), None
    )


def append_as(
    book: AnnotationBook, author: str, kind: str, moment: Moment, data: dict[str, Any], *, seats: int
) -> AnnotationEntry:
    """Add an entry to the set of an author, which begins with it where there is none.

    `seats` is how many the table has.

    Raises:
        AnnotationRefused, AnnotationBroken: it says nothing that can be written, or may not follow.
    """
    content = parse_content(kind, data)
    if content is None:
        raise AnnotationRefused("bad_annotation", f"There are {', '.join(KINDS)}.")
    check_vocabulary(content, seats)
    own = find_set(book, author) or AnnotationSet()
    now = time.time_ns() // 1_000_000
    entry = new_entry(
        game=book.game,
        set_id=own.id or secrets.token_hex(10),
        number=own.number + 1,
        previous=own.head,
        author=own.author if own.number else Author("file", author),
        at=max(now, own.entries[-1].at) if own.number else now,
        kind=kind,
        moment=moment,
        data=data,
    )
    book.append(entry)
    return entry
