"""Where the store is, and how durable it is said to be.

REDIS_URL                     address of an external server; without it the embedded store is used
FIELDBOOK_DATA                data folder, default ./data; the embedded store lives in its folder `store`
FIELDBOOK_DURABILITY          memory, local, fsync (default) or replicated
FIELDBOOK_PARTITIONS          number of partitions, fixed at first use; default 16, or what is fixed already
FIELDBOOK_NAME                what the service signs as, fixed at first use; by default a name is made up
FIELDBOOK_TRUST_DURABILITY    1: believe FIELDBOOK_DURABILITY where the server does not show its settings
FIELDBOOK_PARENT              id of a process with whose end the embedded store ends, besides its parent's
FIELDBOOK_STORE_PROGRAM       server program for the embedded store, instead of the one installed with us
FIELDBOOK_ARCHIVE             where archived games are, see service.archive.settings
FIELDBOOK_ARCHIVE_OPTIONS     options of its file system
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Self

import msgspec

from events.store.errors import StoreMisconfigured, StoreUnavailable
from events.store.partitions import check_partitions
from service.storage.durability import Durability


class StoreSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is configured about the store."""

    redis_url: str | None
    """Address of an external server, or None for the embedded store."""
    data_folder: Path
    """Absolute path of the data folder."""
    durability: Durability
    """The level that is declared."""
    partitions: int | None
    """Configured number of partitions, or None to take what the installation has."""
    name: str | None
    """What the service signs as; None for a name made up at the first start."""
    trust_durability: bool
    """Believe the declared level where the server hides its settings."""
    archive: str | None
    """Address of the archive, or None where there is none."""
    archive_options: str
    """Options of the archive's file system, as a JSON object; may be empty."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """Read the settings from environment variables; empty ones count as absent.

        Raises:
            StoreMisconfigured: a value cannot be understood; the sentence names the variable.
        """
        given = {name: value for name, value in (environment or os.environ).items() if value}
        level = given.get("FIELDBOOK_DURABILITY", Durability.FSYNC.value)
        if level not in set(Durability):
            message = f"FIELDBOOK_DURABILITY must be one of {', '.join(Durability)}, not {level!r}."
            raise StoreMisconfigured(message)
        trust = given.get("FIELDBOOK_TRUST_DURABILITY", "0")
        if trust not in {"0", "1"}:
            message = f"FIELDBOOK_TRUST_DURABILITY must be 0 or 1, not {trust!r}."
            raise StoreMisconfigured(message)
        return cls(
            redis_url=given.get("REDIS_URL"),
            data_folder=Path(given.get("FIELDBOOK_DATA", "data")).absolute(),
            durability=Durability(level),
            partitions=_partitions(given.get("FIELDBOOK_PARTITIONS")),
            name=given.get("FIELDBOOK_NAME"),
            trust_durability=trust == "1",
            archive=given.get("FIELDBOOK_ARCHIVE"),
            archive_options=given.get("FIELDBOOK_ARCHIVE_OPTIONS", ""),
        )

    @property
    def store_folder(self) -> Path:
        """The embedded store's folder."""
        return self.data_folder / "store"

    @property
    def address_file(self) -> Path:
        """The file in which the embedded store says where it listens."""
        return self.store_folder / "address"

    def address(self) -> str:
        """Return the server's address.

        Raises:
            StoreUnavailable: the embedded store has not been started yet.
        """
        if self.redis_url:
            return self.redis_url
        try:
            return self.address_file.read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            message = (
                f"No store has been started on {self.data_folder}. Start everything with `make run`, "
                "the store alone with `python -m service.embedded_store`, or set REDIS_URL."
            )
            raise StoreUnavailable(message) from None


def _partitions(text: str | None) -> int | None:
    """Read the number of partitions; raises StoreMisconfigured."""
    if text is None:
        return None
    try:
        return check_partitions(int(text))
    except ValueError as error:
        message = f"FIELDBOOK_PARTITIONS: {error}"
        raise StoreMisconfigured(message) from error
