"""Where the store is, and how durable it is said to be."""

from collections.abc import Mapping
from pathlib import Path
from typing import Self

import msgspec

from events.store.errors import StoreMisconfigured, StoreUnavailable
from events.store.partitions import check_partitions
from service.platform.configuration import setting
from service.platform.setting_kinds import whole
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
            StoreMisconfigured: a value cannot be understood; the sentence names the variable.
        """
        level = setting("FIELDBOOK_DURABILITY", environment)
        if level not in set(Durability):
            raise StoreMisconfigured(
                f"FIELDBOOK_DURABILITY must be one of {', '.join(Durability)}, not {level!r}."
            )
        trust = setting("FIELDBOOK_TRUST_DURABILITY", environment)
        if trust not in {"0", "1"}:
            raise StoreMisconfigured(f"FIELDBOOK_TRUST_DURABILITY must be 0 or 1, not {trust!r}.")
        return cls(
            redis_url=setting("REDIS_URL", environment) or None,
            data_folder=Path(setting("FIELDBOOK_DATA", environment)).absolute(),
            durability=Durability(level),
            partitions=_partitions(setting("FIELDBOOK_PARTITIONS", environment)),
            name=setting("FIELDBOOK_NAME", environment) or None,
            trust_durability=trust == "1",
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


def _partitions(text: str) -> int | None:
    """Read the number of partitions; raises StoreMisconfigured."""
    if not text:
        return None
    try:
        return check_partitions(whole(0, 9999)(text))
    except ValueError as error:
        raise StoreMisconfigured(f"FIELDBOOK_PARTITIONS: {error}") from error
