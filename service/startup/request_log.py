"""Where the lines of requests go under `fieldbook up`: to a file, so that address and key stay in sight."""

import logging
import sys
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, Final

from honcho.printer import Printer

FILE_BYTES: Final = 10_000_000
EARLIER_FILES: Final = 2
"""How many files of that size are kept besides the one that is written."""
_MARKS: Final = ("INFO fieldbook.requests: ", '"logger":"fieldbook.requests"')
"""What a request's line has in either form of the log."""


class RequestLog(Printer):  # type: ignore[misc] # honcho is not typed
    """honcho's printer, with the lines of requests in a file of limited size."""

    def __init__(self, file: Path) -> None:
        """Print on standard output, and write what is said of requests to this file."""
        super().__init__(sys.stdout)
        file.parent.mkdir(parents=True, exist_ok=True)
        self._file = RotatingFileHandler(
            file, maxBytes=FILE_BYTES, backupCount=EARLIER_FILES, encoding="utf-8", delay=True
        )
        self._file.setFormatter(logging.Formatter("%(message)s"))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def write(self, message: Any) -> None:
        """Print what a process has said, or write it to the file."""
        text = message.data.decode("utf-8", "replace") if isinstance(message.data, bytes) else message.data
        told, kept = _split(text, lambda line: any(mark in line for mark in _MARKS))
        if kept:
            begin = f"{message.time.isoformat(timespec='milliseconds')} {message.name} "
            said = "\n".join(begin + line for line in kept)
            self._file.emit(logging.LogRecord("requests", logging.INFO, "", 0, said, None, None))
        if told:
            super().write(message._replace(data="\n".join(told)))


def _split(text: str, is_kept: Callable[[str], bool]) -> tuple[list[str], list[str]]:
    """The lines of a text that are to be told, and those that are kept elsewhere."""
    lines = text.removesuffix("\n").split("\n") if text else []
    return [each for each in lines if not is_kept(each)], [each for each in lines if is_kept(each)]
