"""The files of the archive: one gzipped record of scope `all` per game, named by the game and its own hash.

The file's name holds the hash of its content, so writing a game twice never changes a file that is referred to.
What is read is compared with the tombstone's hash first; a file that differs is refused, never served.
"""

import gzip
import hashlib
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Final

from events.game.limits import LARGEST_RECORD
from events.game.record import Header, RecordBroken, read_record, write_record
from events.log.disclosure import Form, rebuild_event
from events.log.recorded import RecordedEvent
from events.store.errors import ArchiveDamaged, ArchiveUnavailable, StoreMisconfigured
from events.store.tombstone import Tombstone
from service.platform.targets import BadTarget, FileMissing, Target, TargetUnavailable, open_target
from service.storage.kept_readings import KeptReadings
from service.storage.settings import StoreSettings

CACHED_BYTES: Final = 96 * 1024 * 1024
"""Bytes of archived records, as lines, that a process keeps in memory: three of the longest, or 300 usual ones."""
_LEVEL: Final = 6


def archive_target(settings: StoreSettings) -> Target | None:
    """Where finished games are archived; None where there is no archive.

    Raises:
        StoreMisconfigured: address or options cannot be understood.
    """
    if settings.archive is None:
        return None
    try:
        return open_target(settings.archive, settings.archive_options)
    except BadTarget as error:
        raise StoreMisconfigured(f"FIELDBOOK_ARCHIVE: {error}") from error


def record_bytes(header: Header, forms: Iterable[Form]) -> bytes:
    """The content of a file of the archive, which is this record of scope `all`.

    Raises:
        RecordBroken: it is larger than any reader reads.
    """
    content = b"".join(write_record(header, forms))
    if len(content) > LARGEST_RECORD:
        raise RecordBroken(
            0, f"its record has {len(content)} bytes; what is read has {LARGEST_RECORD} at most"
        )
    return gzip.compress(content, _LEVEL, mtime=0)


def tombstone_of(game: str, entries: Sequence[RecordedEvent], content: bytes, at: int) -> Tombstone:
    """What is to be left of a game whose record has this content."""
    digest = hashlib.sha256(content).hexdigest()
    last = entries[-1]
    return Tombstone(
        game=game,
        version=last.version,
        hash=last.hash,
        file=f"games/{game}.{digest[:16]}.ndjson.gz",
        sha256=digest,
        size=len(content),
        at=at,
    )


def record_lines(content: bytes, tombstone: Tombstone) -> list[bytes]:
    """The lines of an archived record, from a file's content.

    Raises:
        ArchiveDamaged: it is not the file that was written.
    """
    if len(content) != tombstone.size or hashlib.sha256(content).hexdigest() != tombstone.sha256:
        raise ArchiveDamaged(
            f"The archive's file {tombstone.file} is not the one that was written: it has {len(content)} bytes "
            f"and another SHA-256 than the {tombstone.size} bytes of game {tombstone.game}."
        )
    return BytesIO(gzip.decompress(content)).readlines()


def entries_in(lines: Sequence[bytes], tombstone: Tombstone) -> tuple[RecordedEvent, ...]:
    """The entries that an archived record holds.

    Raises:
        ArchiveDamaged: it is not the record of this game up to this head.
    """
    try:
        header, forms = read_record(lines)
        entries = tuple(map(rebuild_event, forms))
    except (RecordBroken, LookupError) as error:
        raise ArchiveDamaged(f"The archive's file {tombstone.file} cannot be read: {error}") from error
    if header.game != tombstone.game or (len(entries), entries[-1].hash) != (
        tombstone.version,
        tombstone.hash,
    ):
        raise ArchiveDamaged(f"The archive's file {tombstone.file} holds another game than {tombstone.game}.")
    return entries


class ArchiveFiles:
    """Reads archived logs (`events.store.tombstone.ArchivedLogs`); safe to use from many threads.

    A log that many ask for is read once, and two different ones at a time.
    """

    def __init__(self, target: Target) -> None:
        """Read them from this target."""
        self._target = target
        self._readings = KeptReadings[tuple[RecordedEvent, ...]](CACHED_BYTES)

    def events(self, tombstone: Tombstone) -> tuple[RecordedEvent, ...]:
        """All entries of an archived game, exactly as they were stored.

        Raises:
            ArchiveUnavailable, ArchiveDamaged
        """
        return self._readings.find_or_read(tombstone.sha256, lambda: self._read(tombstone))

    def _read(self, tombstone: Tombstone) -> tuple[tuple[RecordedEvent, ...], int]:
        lines = self.lines(tombstone)
        return entries_in(lines, tombstone), sum(map(len, lines))

    def lines(self, tombstone: Tombstone) -> list[bytes]:
        """The lines of an archived game's record, fresh from the target.

        Raises:
            ArchiveUnavailable, ArchiveDamaged
        """
        try:
            return record_lines(self._target.read(tombstone.file), tombstone)
        except FileMissing as missing:
            if self._is_there():
                raise ArchiveDamaged(
                    f"The archived game {tombstone.game} is missing: {missing}."
                ) from missing
            raise ArchiveUnavailable(f"The archive is not there: {self._target.address}.") from missing
        except TargetUnavailable as error:
            raise ArchiveUnavailable(str(error)) from error

    def _is_there(self) -> bool:
        try:
            return self._target.is_there()
        except TargetUnavailable as error:
            raise ArchiveUnavailable(str(error)) from error
