"""Opening the configured store: waiting for it, and making sure that it is as durable as declared."""

import logging
import time
from typing import Final

from events.store.errors import StoreUnavailable
from events.store.redis.client.opening import connect
from events.store.redis.redis_store import RedisEventStore
from service.archive.files import ArchiveFiles, archive_target
from service.storage.durability import check_server, describe_durability
from service.storage.feed_watermarks import check_installation
from service.storage.levels import Durability
from service.storage.settings import StoreSettings

START_SECONDS: Final = 30.0
"""How long a process waits for the store when it starts; a long log takes a while to load."""

PAUSE_SECONDS: Final = 0.02
_log = logging.getLogger("fieldbook.store")


def open_store(
    settings: StoreSettings | None = None, wait_seconds: float = START_SECONDS, *, quietly: bool = False
) -> RedisEventStore:
    """Open the configured store, after waiting up to `wait_seconds` for it to come up.

    How durable it is goes to the log, but where `quietly` says that this process's parent has said so.

    Raises:
        StoreUnavailable: it did not come up in time.
        StoreMisconfigured: its settings are weaker than what is declared, or its installation differs from the
            configured one, or from the one that this data folder has seen.
        StoreRefused: it does not let us do what the log needs.
    """
    settings = settings or StoreSettings.from_environment()
    target = archive_target(settings)
    archived = ArchiveFiles(target) if target is not None else None
    deadline = time.monotonic() + wait_seconds
    while True:
        try:
            connection = connect(settings.address())
            check_server(connection, settings.durability, trust=settings.trust_durability)
            store = RedisEventStore(
                connection,
                settings.partitions,
                await_replica=settings.durability is Durability.REPLICATED,
                archived=archived,
            )
        except StoreUnavailable:
            if time.monotonic() >= deadline:
                raise
            time.sleep(PAUSE_SECONDS)
        else:
            if settings.durability is not Durability.MEMORY:
                check_installation(settings.data_folder, store.installation.installation_id)
            if not quietly:
                _log.info("%s", describe_durability(store, settings.durability))
            return store
