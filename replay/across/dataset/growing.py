"""A file of a part: its rows wait until they are a row group, and are written then, long before the part is full."""

import hashlib
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

from replay.across.dataset.arrow import parquet_writer, whole_table
from replay.across.dataset.columns import Table
from replay.across.dataset.manifest import WrittenFile
from replay.platform.atomic_write import sync_folder

ROWS_IN_GROUP: Final = 16_384
"""Rows with which a row group is full. A part has few files with so many: so few are open at a time."""


class GrowingFile:
    """A Parquet file that gets its name once it is whole and on the disk; the same rows always give the same bytes.

    Attributes:
        rows: how many were put in.
    """

    def __init__(self, path: Path, table: Table, audience: str) -> None:
        """Begin it; nothing is on the disk before a row group is full."""
        self.rows = 0
        self._path, self._table, self._audience = path, table, audience
        self._growing = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
        self._waiting: list[Any] = []
        self._size = 0
        self._file: BinaryIO | None = None
        self._writer: Any = None

    def add(self, batch: Any) -> None:
        """Take the rows of a game.

        Raises:
            OSError: they cannot be written.
        """
        self._waiting.append(batch)
        self._size += int(batch.num_rows)
        self.rows += int(batch.num_rows)
        if self._size >= ROWS_IN_GROUP:
            self._write()

    def finish(self, folder: Path) -> WrittenFile:
        """Write what waits, and give it its name; what it is, as seen from the dataset's folder.

        Raises:
            OSError: it cannot be written.
        """
        if self._waiting:
            self._write()
        file = self._begun()
        self._writer.close()
        file.flush()
        os.fsync(file.fileno())
        file.close()
        with self._growing.open("rb") as whole:
            digest = hashlib.file_digest(whole, "sha256").hexdigest()
        size = self._growing.stat().st_size
        self._growing.replace(self._path)
        sync_folder(self._path.parent)
        return WrittenFile(self._path.relative_to(folder).as_posix(), self.rows, size, digest)

    def discard(self) -> None:
        """Take away what was written of it."""
        if self._file is None:
            return
        with suppress(OSError):  # a full disk; a writer that is left open closes itself later, and complains
            self._writer.close()
        with suppress(OSError):  # what is not written yet finds no room either; the file closes all the same
            self._file.close()
        self._growing.unlink(missing_ok=True)

    def _begun(self) -> BinaryIO:
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._growing.open("xb")
            self._writer = parquet_writer(self._file, self._table, self._audience)
        return self._file

    def _write(self) -> None:
        self._begun()
        self._writer.write_table(whole_table(self._table, self._waiting, self._audience))
        self._waiting, self._size = [], 0
