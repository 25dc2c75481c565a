"""Opening a record: from a file or standard input, plain or gzipped, and never too much of it."""

import gzip
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from events.record import LONGEST_LINE, RecordBroken

LARGEST = 256 * 1024 * 1024
"""Bytes of a record at most, after decompression: some five hundred times a whole game."""
_GZIP = b"\x1f\x8b"


class SourceUnreadable(Exception):
    """There is no such file, or it cannot be opened; the message says which and why."""


@contextmanager
def record_lines(source: str) -> Iterator[Iterator[bytes]]:
    """The lines of a record, read as they are asked for; `-` is standard input.

    Raises:
        SourceUnreadable: the file cannot be opened or read.
        RecordBroken: while reading, when the record is larger than allowed or its compression is damaged.
    """
    try:
        with sys.stdin.buffer if source == "-" else Path(source).open("rb") as opened:
            yield _lines(_decompressed(opened))
    except OSError as error:
        raise SourceUnreadable(f"{source}: {error.strerror or error}") from error


def _decompressed(opened: IO[bytes]) -> IO[bytes]:
    start = opened.peek(2)[:2] if hasattr(opened, "peek") else b""
    return cast("IO[bytes]", gzip.GzipFile(fileobj=opened)) if start == _GZIP else opened


def _lines(opened: IO[bytes]) -> Iterator[bytes]:
    read = number = 0
    try:
        while line := opened.readline(LONGEST_LINE + 2):
            read += len(line)
            if read > LARGEST:
                raise RecordBroken(number, f"the record is larger than {LARGEST} bytes")
            yield line
            number += 1
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise RecordBroken(number, f"its compression is damaged or cut off: {error}") from error
