"""What is said at the start: a line of each process, and the report of `fieldbook up`."""

import logging
import os
from typing import Final

from service.archive.files import archive_target
from service.catalogues.catalogues import Catalogues
from service.platform.configuration import effective, setting
from service.platform.release import release
from service.startup.checks import setting_notes
from service.startup.web_settings import WebSettings
from service.storage.levels import Durability
from service.storage.server import describe_server
from service.storage.settings import StoreSettings
from service.storage.store import Store

MEANING: Final = {
    Durability.MEMORY: "nothing outlives the store's process",
    Durability.LOCAL: "a power failure may cost the last second",
    Durability.FSYNC: "on the disk before it is acknowledged",
    Durability.REPLICATED: "on the disk and on a replica before it is acknowledged",
}
_log = logging.getLogger("fieldbook")


def say_that_it_starts(process: str, settings: StoreSettings, store: Store) -> None:
    """Log what this process works with; a process that nobody started for us names unknown variables too."""
    _log.info(
        "%s starts: release %s, %s, durability %s, %d partitions, process %d",
        process,
        release(),
        hide_password(settings),
        settings.durability.value,
        store.partitions,
        os.getpid(),
    )
    if not setting("FIELDBOOK_PARENT"):
        for sentence in setting_notes():
            _log.warning("%s", sentence)


def start_report(address: str, settings: StoreSettings, store: Store) -> str:
    """What `fieldbook up` runs, in some lines for the person who started it."""
    web = WebSettings.from_environment()
    lines = {
        "address": f"{address} ({web.processes} processes)",
        "store": f"{hide_password(settings)}, {describe_server(store)}",
        "durability": f"{settings.durability.value}: {MEANING[settings.durability]}",
        "partitions": str(store.partitions),
        "archive": _show("FIELDBOOK_ARCHIVE") + f", after {_show('FIELDBOOK_ARCHIVE_AFTER')}"
        if archive_target(settings) is not None
        else "none",
        "queue": _show("QUEUE_REDIS_URL"),
        "catalogues": ", ".join(Catalogues.from_environment().by_name),
        "limits": "off" if web.quotas is None else setting("FIELDBOOK_LIMITS"),
        "metrics": f"{address}/metrics" if web.metrics else "off",
        "data": str(settings.data_folder),
    }
    report = [f"  {name:<12}{text}" for name, text in lines.items()]
    return "\n".join([f"Fieldbook {release()}", *report, *(f"  note: {each}" for each in setting_notes())])


def hide_password(settings: StoreSettings) -> str:
    """Where the store is, without a password."""
    return f"store {_show('REDIS_URL')}" if settings.redis_url else "embedded store"


def _show(name: str) -> str:
    return next(each.shown for each in effective() if each.variable.name == name)
