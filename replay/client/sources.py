"""Opening a record: from a file, standard input or a game's address, plain or gzipped, and never too much of it."""

import gzip
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import IO, cast

from events.game.limits import LARGEST_RECORD
from events.game.record import LONGEST_LINE, RecordBroken
from replay.client.game_address import SourceUnreadable, fetch_record, parse_address

LARGEST = LARGEST_RECORD
"""Bytes of a record at most, after decompression."""
_GZIP = b"\x1f\x8b"


@contextmanager
def record_lines(source: str, token: str | None = None) -> Iterator[Iterator[bytes]]:
    """The lines of a record, read as they are asked for.

    Args:
        source: a file, `-` for standard input, or the address of a game.
        token: a key, a seat's or a spectator's token, for the service at that address.

    Raises:
        SourceUnreadable: it cannot be opened or read, or the service refuses.
        RecordBroken: while reading, when the record is larger than allowed or its compression is damaged.
    """
    game = parse_address(source)
    if game is not None:
        yield lines_in(fetch_record(game, token, LARGEST))
        return
    try:
        with sys.stdin.buffer if source == "-" else Path(source).open("rb") as opened:
            yield _lines(_decompress(opened))
    except OSError as error:
        raise SourceUnreadable(f"{source}: {error.strerror or error}") from error


def lines_in(content: bytes) -> Iterator[bytes]:
    """The lines of a record, from the content of its file.

    Raises:
        RecordBroken: while reading, as `record_lines` does.
    """
    return _lines(_decompress(BufferedReader(BytesIO(content))))


def _decompress(opened: IO[bytes]) -> IO[bytes]:
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
