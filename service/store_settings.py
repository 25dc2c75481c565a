"""Where the store is, how durable it is said to be, and whether the server really is that durable.

REDIS_URL                     address of an external server; without it the embedded store is used
FIELDBOOK_DATA                data folder, default ./data; the embedded store lives in its folder `store`
FIELDBOOK_DURABILITY          memory, local, fsync (default) or replicated
FIELDBOOK_PARTITIONS          number of partitions, fixed at first use; default 16, or what is fixed already
FIELDBOOK_NAME                what the service signs as, fixed at first use; by default a name is made up
FIELDBOOK_TRUST_DURABILITY    1: believe FIELDBOOK_DURABILITY where the server does not show its settings
FIELDBOOK_PARENT              id of a process with whose end the embedded store ends, besides its parent's
FIELDBOOK_STORE_PROGRAM       server program for the embedded store, instead of the one installed with us

Where archived games are read from stands in service.archive_settings.
"""

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

import msgspec

from events.partitions import check_partitions
from events.redis_connection import RedisConnection
from events.redis_store import RedisEventStore
from events.store_errors import StoreMisconfigured, StoreUnavailable
from service.archive_files import ArchiveFiles
from service.archive_settings import archive_settings
from service.durability import Durability, check_server
from service.targets import Target

START_SECONDS: Final = 30.0
"""How long a process waits for the store when it starts; a long log takes a while to load."""

PAUSE_SECONDS: Final = 0.1


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
    archive: Target | None = None
    """Where archived games are, or None."""

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
            archive=archive_settings(given).target,
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


def open_store(settings: StoreSettings | None = None, wait_seconds: float = START_SECONDS) -> RedisEventStore:
    """Open the configured store, after waiting up to `wait_seconds` for it to come up.

    Raises:
        StoreUnavailable: it did not come up in time.
        StoreMisconfigured: its settings are weaker than what is declared, or its installation differs.
        StoreRefused: it does not let us do what the log needs.
    """
    settings = settings or StoreSettings.from_environment()
    archived = ArchiveFiles(settings.archive) if settings.archive is not None else None
    deadline = time.monotonic() + wait_seconds
    while True:
        try:
            connection = RedisConnection(settings.address())
            check_server(connection, settings.durability, trust=settings.trust_durability)
            return RedisEventStore(
                connection,
                settings.partitions,
                await_replica=settings.durability is Durability.REPLICATED,
                archived=archived,
            )
        except StoreUnavailable:
            if time.monotonic() >= deadline:
                raise
            time.sleep(PAUSE_SECONDS)


def _partitions(text: str | None) -> int | None:
    """Read the number of partitions; raises StoreMisconfigured."""
    if text is None:
        return None
    try:
        return check_partitions(int(text))
    except ValueError as error:
        message = f"FIELDBOOK_PARTITIONS: {error}"
        raise StoreMisconfigured(message) from error
