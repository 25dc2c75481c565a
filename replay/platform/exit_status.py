"""Exit statuses of all commands, and files whose failed writes are told apart from everything else.

docs/replay.md lists the statuses. A failed write must not look like a finding, so it never ends with 1, and it must
not be caught with the errors of input files, so `OutputFailed` is no OSError.
"""

import errno
import io
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Final

FINDING: Final = 1
"""A record does not verify, a check fails, or a service refuses."""
WRONG_USE: Final = 2
"""Wrong options, or an input that cannot be read."""
INTERNAL_ERROR: Final = 70
"""A defect of the program (EX_SOFTWARE)."""
WRITE_FAILED: Final = 74
"""An output cannot be written (EX_IOERR)."""
INTERRUPTED: Final = 128 + signal.SIGINT
"""Ctrl-C."""
BROKEN_PIPE: Final = 128 + signal.SIGPIPE
"""The reader of standard output has closed it, as `head` does."""
_NO_SPACE: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""Errors that only a write reports."""


class OutputFailed(Exception):
    """An output cannot be written; no finding, and nothing wrong with an input."""

    def __init__(self, name: str, error: OSError) -> None:
        """Name the output and the error of the operating system."""
        super().__init__(f"{name} cannot be written: {error.strerror or error}.")
        self.status: Final = BROKEN_PIPE if error.errno == errno.EPIPE else WRITE_FAILED


class OutputFile(io.FileIO):
    """A file whose failed writes raise `OutputFailed`; after the first failure nothing more is written."""

    def __init__(
        self, target: str | int, mode: str, label: str, *, closefd: bool = True, quiet: bool = False
    ) -> None:
        """Open a path or a descriptor.

        Args:
            target: the path or the descriptor.
            mode: as for `open`.
            label: its name in messages.
            closefd: whether closing it closes the descriptor.
            quiet: whether failures are only remembered: where messages cannot be written, none can say so.
        """
        super().__init__(target, mode, closefd=closefd)
        self.failure: OutputFailed | None = None
        self._label, self._quiet = label, quiet

    def write(self, data: Any, /) -> int:
        """Write bytes.

        Raises:
            OutputFailed: they cannot be written.
        """
        if self.failure is None:
            try:
                return super().write(data)
            except OSError as error:
                self.failure = OutputFailed(self._label, error)
                if not self._quiet:
                    raise self.failure from error
        return memoryview(data).nbytes


@contextmanager
def buffered(output: OutputFile) -> Iterator[BinaryIO]:
    """Buffer what is written to a file, and close it.

    Raises:
        OutputFailed: a write failed, even if the caller has caught the exception.
    """
    with io.BufferedWriter(output) as file:
        yield file
    if output.failure is not None:
        raise output.failure


def status_of(error: BaseException | None, otherwise: int = WRONG_USE) -> int:
    """Return the exit status for an error: a full disk, also as its cause, is no wrong use and no finding."""
    while error is not None:
        if isinstance(error, OutputFailed):
            return error.status
        if isinstance(error, OSError) and error.errno in _NO_SPACE:
            return WRITE_FAILED
        error = error.__cause__
    return otherwise
