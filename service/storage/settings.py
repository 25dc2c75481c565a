"""Where the store is, and how durable it is said to be."""

from collections.abc import Mapping
from pathlib import Path
from typing import Self

import msgspec

from events.store.errors import StoreUnavailable
from service.platform.configuration import DURABILITY, PARTITIONS, REDIS_URL, TRUST_DURABILITY, setting
from service.storage.levels import Durability


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
            BadSetting: a value cannot be understood; the sentence names the variable.
        """
        return cls(
            redis_url=REDIS_URL.value(environment) or None,
            data_folder=Path(setting("FIELDBOOK_DATA", environment)).absolute(),
            durability=Durability(DURABILITY.value(environment)),
            partitions=PARTITIONS.value(environment),
            name=setting("FIELDBOOK_NAME", environment) or None,
            trust_durability=TRUST_DURABILITY.value(environment) == "1",
            archive=setting("FIELDBOOK_ARCHIVE", environment) or None,
            archive_options=setting("FIELDBOOK_ARCHIVE_OPTIONS", environment),
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
            raise StoreUnavailable(
                f"No store has been started on {self.data_folder}. Start everything with `fieldbook up`, "
                "the store alone with `python -m service.embedded_store`, or set REDIS_URL."
            ) from None
