"""What is said at the start: a line of each process, and the report of `fieldbook up`."""

import logging
import os
from typing import Final

from events.redis_store import RedisEventStore
from events.store_errors import StoreError
from service.archive_settings import archive_settings
from service.catalogues import Catalogues
from service.configuration import effective, setting, unknown_variables
from service.durability import Durability
from service.release import release
from service.store_settings import StoreSettings
from service.web_settings import WebSettings

MEANING: Final = {
    Durability.MEMORY: "nothing outlives the store's process",
    Durability.LOCAL: "a power failure may cost the last second",
    Durability.FSYNC: "on the disk before it is acknowledged",
    Durability.REPLICATED: "on the disk and on a replica before it is acknowledged",
}
_log = logging.getLogger("fieldbook")


def say_that_it_starts(process: str, settings: StoreSettings, store: RedisEventStore) -> None:
    """Log what this process works with; a process that nobody started for us names unknown variables too."""
    _log.info(
        "%s starts: release %s, %s, durability %s, %d partitions, process %d",
        process,
        release(),
        shown_address(settings),
        settings.durability.value,
        store.partitions,
        os.getpid(),
    )
    if not setting("FIELDBOOK_PARENT"):
        for sentence in unknown_variables():
            _log.warning("%s", sentence)


def start_report(address: str, settings: StoreSettings, store: RedisEventStore) -> str:
    """What `fieldbook up` runs, in some lines for the person who started it."""
    web = WebSettings.from_environment()
    archive = archive_settings()
    lines = {
        "address": f"{address} ({web.processes} processes)",
        "store": f"{shown_address(settings)}, {server_of(store)}",
        "durability": f"{settings.durability.value}: {MEANING[settings.durability]}",
        "partitions": str(store.partitions),
        "archive": _shown("FIELDBOOK_ARCHIVE") + f", after {_shown('FIELDBOOK_ARCHIVE_AFTER')}"
        if archive.target is not None
        else "none",
        "queue": _shown("QUEUE_REDIS_URL"),
        "catalogues": ", ".join(Catalogues.from_environment().by_name),
        "limits": "off" if web.quotas is None else setting("FIELDBOOK_LIMITS"),
        "metrics": f"{address}/metrics" if web.metrics else "off",
        "data": str(settings.data_folder),
    }
    report = [f"  {name:<12}{text}" for name, text in lines.items()]
    return "\n".join(
        [f"Fieldbook {release()}", *report, *(f"  note: {each}" for each in unknown_variables())]
    )


def shown_address(settings: StoreSettings) -> str:
    """Where the store is, without a password."""
    return f"store {_shown('REDIS_URL')}" if settings.redis_url else "embedded store"


def server_of(store: RedisEventStore) -> str:
    """The server's name and version, as it says."""
    try:
        text: str = store.connection.command("INFO", "server").decode()
    except StoreError as error:
        return f"which does not say what it is ({error})"
    found = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    if "valkey_version" in found:
        return f"Valkey {found['valkey_version']}"
    return f"Redis {found.get('redis_version', '?')}"


def _shown(name: str) -> str:
    return next(each.shown for each in effective() if each.variable.name == name)
