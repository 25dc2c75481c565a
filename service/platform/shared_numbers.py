"""Named numbers that several processes count, in memory that they share.

The memory is made before the processes are forked and is no file: a full disk cannot take it away. Each process
writes in a place of its own, and any of them can add up what all of them have written.
"""

import mmap
import struct
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

BYTES: Final = 4 << 20
"""Size of a place. Memory that is never written takes no room."""
_LENGTH: Final = struct.Struct("Q")
_NUMBER: Final = struct.Struct("d")


class SharedNumbers:
    """The places of all processes."""

    def __init__(self, places: int, size: int = BYTES) -> None:
        """Make room for so many processes; to be called before they are forked."""
        self._size = size
        self._memory = mmap.mmap(-1, places * size)
        self.places = range(places)

    def take(self, place: int) -> "OwnNumbers":
        """Return the place of this process, with the numbers of the process that had it before."""
        return OwnNumbers(self._memory, place * self._size, self._size)

    def sums(self) -> dict[bytes, float]:
        """Return the numbers of all processes, added up by name."""
        found: dict[bytes, float] = defaultdict(float)
        for place in self.places:
            for name, at in _entries(self._memory, place * self._size):
                (number,) = _NUMBER.unpack_from(self._memory, at)
                found[name] += number
        return dict(found)

    def clear(self, place: int, prefix: bytes) -> None:
        """Set the numbers of one process to 0 whose names begin so: those that end with the process."""
        for name, at in _entries(self._memory, place * self._size):
            if name.startswith(prefix):
                _NUMBER.pack_into(self._memory, at, 0.0)


class OwnNumbers:
    """The numbers of one process; not safe for several threads."""

    def __init__(self, memory: mmap.mmap, start: int, size: int) -> None:
        """Write here."""
        self._memory, self._start, self._end = memory, start, start + size
        self._places = dict(_entries(memory, start))

    def find(self, name: bytes) -> int | None:
        """Return where the number with this name is, 0 at first; None if there is no room for it."""
        at = self._places.get(name)
        return self._add(name) if at is None else at

    def read(self, at: int) -> float:
        """Return a number."""
        number: float = _NUMBER.unpack_from(self._memory, at)[0]
        return number

    def write(self, at: int, number: float) -> None:
        """Set a number. Its 8 bytes are aligned and copied at once: a reader sees the old or the new one."""
        self._memory[at : at + _NUMBER.size] = _NUMBER.pack(number)

    def _add(self, name: bytes) -> int | None:
        (used,) = _LENGTH.unpack_from(self._memory, self._start)
        begin = self._start + _LENGTH.size + used
        at = int(begin) + _LENGTH.size + _padded(len(name))
        if at + _NUMBER.size > self._end:
            return None
        self._memory[begin : begin + _LENGTH.size + len(name)] = _LENGTH.pack(len(name)) + name
        # Last of all, so that a reader sees whole entries only.
        self._memory[self._start : self._start + _LENGTH.size] = _LENGTH.pack(
            at + _NUMBER.size - self._start - _LENGTH.size
        )
        self._places[name] = at
        return at


def _entries(memory: mmap.mmap, start: int) -> Iterator[tuple[bytes, int]]:
    """Yield the names in a place, and where their numbers are."""
    (used,) = _LENGTH.unpack_from(memory, start)
    at = start + _LENGTH.size
    end = at + used
    while at < end:
        (length,) = _LENGTH.unpack_from(memory, at)
        name = memory[at + _LENGTH.size : at + _LENGTH.size + length]
        at += _LENGTH.size + _padded(length)
        yield name, at
        at += _NUMBER.size


def _padded(length: int) -> int:
    return -(-length // _NUMBER.size) * _NUMBER.size
