"""What is left of an archived game in the store, and who can read the rest."""

from typing import Protocol

import msgspec

from events.log.recorded import RecordedEvent


class Tombstone(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stands in a game's head for ever once its stream is in the archive; the game's id is never free again."""

    game: str
    version: int
    """Version of the last event."""
    hash: str
    """Chain hash of the last event, in hex."""
    file: str
    """Name of the record file, below the archive's address."""
    sha256: str
    """SHA-256 of that file, in hex."""
    size: int
    """Its size in bytes."""
    at: int
    """When the game was archived: milliseconds since 1970-01-01 UTC."""


class ArchivedLogs(Protocol):
    """Reads the logs of archived games."""

    def events(self, tombstone: Tombstone) -> tuple[RecordedEvent, ...]:
        """All entries of an archived game, exactly as they were stored.

        Raises:
            ArchiveUnavailable: the archive cannot be reached.
            ArchiveDamaged: the file is missing, or is not the one that was written.
        """
        ...
