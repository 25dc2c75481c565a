"""A bar on the screen while a long record is verified; nothing where standard error is no terminal."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

SILENT: Final = 0.7
"""Seconds for which nothing is shown: most records are read by then."""
_BETWEEN: Final = 0.1
_EVERY: Final = 32
_WIDTH: Final = 30


@contextmanager
def progress(of: Callable[[], float] | None = None) -> Iterator[Callable[[int], None]]:
    """What to tell the version of each entry that was verified.

    Args:
        of: how much of the record was read, from 0 to 1; None where nobody knows how long it is.
    """
    if not sys.stderr.isatty():
        yield lambda _version: None
        return
    bar = _Bar(of)
    try:
        yield bar.report
    finally:
        bar.clear()


class _Bar:
    """One line on standard error that is written again and again."""

    def __init__(self, of: Callable[[], float] | None) -> None:
        self._of = of
        self._next = time.monotonic() + SILENT
        self._shown = False

    def report(self, version: int) -> None:
        if version % _EVERY or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _BETWEEN
        self._shown = True
        text = f"verifying: {version:,} entries"
        if self._of is not None:
            done = min(1.0, self._of())
            filled = round(done * _WIDTH)
            text = f"verifying [{'#' * filled}{'.' * (_WIDTH - filled)}] {done:4.0%}, {version:,} entries"
        sys.stderr.write(f"\r{text}\x1b[K")
        sys.stderr.flush()

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
