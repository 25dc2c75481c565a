"""An answer of many short lines, in fewer and longer pieces.

Each piece of an answer in parts is made by a thread and sent by the event loop, which answers everybody's commands:
line by line, one download of a long game would have it turn some ten thousand times.
"""

from collections.abc import Iterable, Iterator
from typing import Final

PIECE: Final = 32 * 1024
"""Bytes from which on a piece is sent."""


def joined(lines: Iterable[bytes], piece: int = PIECE) -> Iterator[bytes]:
    r"""The same bytes in pieces of so many at least, but for the last; a piece ends with a line.

    >>> [*joined([b"a\n", b"b\n", b"c\n"], piece=3)]
    [b'a\nb\n', b'c\n']
    """
    waiting: list[bytes] = []
    size = 0
    for line in lines:
        waiting.append(line)
        size += len(line)
        if size >= piece:
            yield b"".join(waiting)
            waiting, size = [], 0
    if waiting:
        yield b"".join(waiting)
