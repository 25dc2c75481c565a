"""What the store has acknowledged, remembered outside of it.

A store whose append-only file was cut off, or whose replica took over without its last writes, holds together: it
is only older than it was. Nothing in it can tell. So the projector, which follows all feeds anyway, notes in a small
file of the data folder how far each feed had come, and its last entries.

The file is written at most some times a second and brought to the disk rarely: it need not know the very last append,
and must never know more than the store acknowledged.
"""

import logging
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from events.store.errors import StoreMisconfigured
from events.store.event_store import FeedEntry

FILE: Final = "witness.json"
"""Name of the file in the data folder."""
REMEMBERED: Final = 8
"""Entries that are remembered of each feed: so many games can be named that a loss concerns."""
SAVE_SECONDS: Final = 0.25
SYNC_SECONDS: Final = 10.0
_log = logging.getLogger("fieldbook.partitions")


class Testimony(msgspec.Struct, frozen=True):
    """The file's content."""

    installation: str
    feeds: dict[str, tuple[FeedEntry, ...]]
    """By the partition's number: the last entries of its feed, in order."""


def testimony_in(folder: Path) -> Testimony | None:
    """What was remembered in a data folder; None where nothing was, or where it cannot be read."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=Testimony)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def check_installation(folder: Path, installation: str) -> None:
    """Refuse a store that is not the one whose log this data folder has seen.

    Raises:
        StoreMisconfigured: it holds another installation.
    """
    found = testimony_in(folder)
    if found is not None and found.installation != installation:
        raise StoreMisconfigured(
            f"The data folder {folder} belongs to installation {found.installation}, and the store holds"
            f" installation {installation}: either REDIS_URL or FIELDBOOK_DATA is wrong, or the store has lost"
            f" everything. If this is meant, remove {folder / FILE}."
        )


class FeedWatermarks:
    """Remembers how far each feed had come; for one process at a time."""

    def __init__(self, folder: Path, installation: str) -> None:
        """Go on with what the data folder remembers of this installation."""
        self._path = folder / FILE
        self._installation = installation
        found = testimony_in(folder)
        known = found.feeds if found is not None and found.installation == installation else {}
        self._feeds = {int(partition): entries for partition, entries in known.items()}
        self._contradicted: set[int] = set()
        self._changed = False
        self._saved_at = self._synced_at = float("-inf")

    @property
    def feeds(self) -> Mapping[int, tuple[FeedEntry, ...]]:
        """The last entries seen of each feed, in order."""
        return self._feeds

    def see(self, partition: int, entries: tuple[FeedEntry, ...]) -> None:
        """Remember these entries of a feed, where they are further than what is remembered.

        Where they contradict it the feed has lost something: then what was seen before is kept, until it is
        forgotten.
        """
        known = self._feeds.get(partition, ())
        before = {entry.position: entry for entry in known}
        if any(before.get(entry.position, entry) != entry for entry in entries):
            self._contradicted.add(partition)
        if partition in self._contradicted:
            return
        last = known[-1].position if known else 0
        further = tuple(entry for entry in entries if entry.position > last)
        if further:
            # Without a gap: what is remembered is one stretch of the feed.
            joined = (*known, *further) if further[0].position == last + 1 else further
            self._feeds[partition] = joined[-REMEMBERED:]
            self._changed = True
            self.save()

    def forget(self, partition: int) -> None:
        """Begin anew with a feed: what was seen of it is not to be missed any more."""
        self._contradicted.discard(partition)
        if self._feeds.pop(partition, None) is not None:
            self._changed = True
            self.save(now=True)

    def save(self, *, now: bool = False) -> None:
        """Write the file where something has changed and the last time is long enough ago, or `now`."""
        at = time.monotonic()
        if not self._changed or (not now and at - self._saved_at < SAVE_SECONDS):
            return
        try:
            self._write(at, sync=now or at - self._synced_at >= SYNC_SECONDS)
        except OSError as error:
            # Nothing is lost by it but the memory of the last moments.
            _log.warning("what was seen of the feeds cannot be written down: %s", error)
        self._saved_at = at

    def _write(self, at: float, *, sync: bool) -> None:
        feeds = {str(partition): entries for partition, entries in sorted(self._feeds.items())}
        content = msgspec.json.encode(Testimony(self._installation, feeds))
        written = self._path.with_name(f".{FILE}.{os.getpid()}")
        with written.open("wb") as file:
            file.write(content)
            if sync:
                file.flush()
                os.fsync(file.fileno())
                self._synced_at = at
        written.replace(self._path)
        self._changed = False
