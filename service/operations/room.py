"""The room that is left: the memory of the store's server, and the disk of the data folder."""

import shutil
from pathlib import Path
from typing import NamedTuple

from service.platform.configuration import DISK_RESERVE, setting
from service.storage.server import NEARLY_FULL, MemoryUse, memory_use
from service.storage.store import Store

_GIGABYTE = 1 << 30


class DiskUse(NamedTuple):
    """The disk of the data folder, in bytes, which is not that of an external store."""

    free: int
    size: int


class Room(NamedTuple):
    """The room of an installation, as this process sees it."""

    memory: MemoryUse
    disk: DiskUse | None
    """None if it cannot be read."""
    reserve: int
    """Free space on the disk below which the service is degraded; 0 for no bound."""

    def shortages(self) -> dict[str, str]:
        """Return a sentence for the operator for each resource that runs out."""
        found = {}
        if self.memory.filled > NEARLY_FULL:
            found["memory"] = (
                f"The store uses {self.memory.filled:.0%} of its memory limit of {_size(self.memory.limit)}: no new"
                " games are set up, and at the limit nothing is written. Raise FIELDBOOK_STORE_MEMORY, or archive"
                " games."
            )
        if self.disk is not None and self.disk.free < self.reserve:
            found["disk"] = (
                f"The disk of the data folder has {_size(self.disk.free)} free, less than FIELDBOOK_DISK_RESERVE"
                f" ({_size(self.reserve)}): when it is full nothing is written. Free space, or move the data folder."
            )
        return found


def find_room(store: Store) -> Room:
    """Return the room that is left.

    Raises:
        StoreError
    """
    return Room(memory_use(store), _disk_use(), DISK_RESERVE.value() or 0)


def _disk_use() -> DiskUse | None:
    folder = Path(setting("FIELDBOOK_DATA")).absolute()
    try:
        usage = shutil.disk_usage(next(each for each in (folder, *folder.parents) if each.exists()))
    except OSError:
        return None
    # A file system without storage, such as that of processes, has size 0.
    return DiskUse(usage.free, usage.total) if usage.total else None


def _size(number: int) -> str:
    return f"{number / _GIGABYTE:.2f} GB"
