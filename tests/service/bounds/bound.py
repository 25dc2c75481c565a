"""A row of docs/limits.md, and how its figures are written."""

from typing import NamedTuple


class Bound(NamedTuple):
    """A row."""

    what: str
    most: str
    beyond: str
    """What whoever asks for more is told."""
    test: str
    """File and name of the test that tries it, below `tests/`; of several figures the tests of each, with `and`."""


def write_bytes(number: int) -> str:
    """A number of bytes in the largest unit that divides it."""
    for size, unit in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if number % size == 0:
            return f"{number // size} {unit}"
    return f"{number:,} bytes"


def write_seconds(number: float) -> str:
    """A number of seconds."""
    return f"{number:g} s"
