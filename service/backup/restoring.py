"""Putting a backup into an empty store and an empty data folder, whole or not at all.

Every file is compared with the manifest before the first write. From then on the store is marked as unfinished, and
no process works with it; the mark goes when everything is there, was read back and was found as it was backed up.
"""

from pathlib import Path
from typing import Final

from events.log.recorded import RecordedEvent
from events.transparency.game_head import parse_game_head
from service.access.first_key import FILE as FIRST_KEY
from service.backup.files import (
    BackupUnusable,
    EntryLine,
    FeedLine,
    GameLine,
    KeyLine,
    LeafLine,
    Line,
    Manifest,
    read_file,
    read_lines,
    read_manifest,
)
from service.backup.restored import NotAsBackedUp, Restored, verify_restored
from service.backup.store import EmptyStore
from service.disputes.disputes import Disputes
from service.platform.clock import now_milliseconds
from service.platform.targets import Target, write_private
from service.storage.feed_watermarks import FILE as WITNESS
from service.tournaments.tournaments import Tournaments
from service.verification.signing_keys import FILE as SIGNING_KEYS
from service.verification.signing_keys import SigningKeys

FOLDER_FILES: Final = (SIGNING_KEYS, FIRST_KEY)


class PlaceOccupied(BackupUnusable):
    """The store or the data folder holds something already."""


def check_empty_folder(folder: Path) -> None:
    """Refuse a data folder of an installation, whose store need not even be started for that.

    Raises:
        PlaceOccupied: it is one.
    """
    for name in FOLDER_FILES:
        if (folder / name).exists():
            raise PlaceOccupied(
                f"{folder} holds {name} already. A backup is only restored into an empty data folder: set"
                " FIELDBOOK_DATA to a new one."
            )


class Restoring:
    """Restores one backup."""

    begun = False
    """Whether something was written: what goes wrong from then on leaves a store that no process works with."""

    def __init__(self, source: Target, store: EmptyStore, data_folder: Path) -> None:
        """Restore from this source into this store and this folder."""
        self._source = source
        self._store = store
        self._folder = data_folder
        self._game: GameLine | None = None
        self._entries: list[RecordedEvent] = []

    def run(self, name: str | None = None) -> tuple[Manifest, Restored]:
        """Restore everything and verify it; returns what the backup says that it holds, and what was found.

        `name` is what the service signs as, where it is configured.

        Raises:
            BackupUnusable, PlaceOccupied: the backup is not whole, or this is no empty place; nothing was written.
            NotAsBackedUp: what was read back is not what was backed up.
            StoreError, TargetUnavailable, OSError, SigningKeysUnusable
        """
        self._check_empty()
        manifest = read_manifest(self._source)
        for file in manifest.files:
            read_file(self._source, file)
        self.begun = True
        self._store.begin(manifest.installation)
        for line in read_lines(self._source, manifest):
            if not isinstance(line, EntryLine):
                self._finish_game()
            self._put(line)
        self._finish_game()
        self._store.end_feeds(manifest.feeds)
        for file in manifest.files:
            if file.name in FOLDER_FILES:
                self._folder.mkdir(parents=True, exist_ok=True)
                write_private(self._folder / file.name, read_file(self._source, file))
        # What the data folder has seen of another store, or of later times, is not to be missed in this one.
        (self._folder / WITNESS).unlink(missing_ok=True)
        store = self._store.opened()
        Disputes(store).queue_again()
        Tournaments(store).list_again(now_milliseconds())
        found = verify_restored(store, SigningKeys(self._folder, name), manifest)
        self._store.finish()
        return manifest, found

    def _check_empty(self) -> None:
        check_empty_folder(self._folder)
        if not self._store.is_empty():
            raise PlaceOccupied(
                "The store is not empty. A backup is only restored into an empty one: an embedded store is empty in a"
                f" new data folder instead of {self._folder}, another after FLUSHALL."
            )

    def _put(self, line: Line) -> None:
        match line:
            case KeyLine():
                self._store.put_key(line)
                if line.kind == "list" and not self._store.has_list(line):
                    raise NotAsBackedUp(f"The list {line.name} is another one than in the backup.")
            case LeafLine(text, unlisted):
                self._store.put_leaf(parse_game_head(text).game, text, unlisted=unlisted)
            case FeedLine():
                self._store.put_feed(line)
            case GameLine():
                self._game = line
            case EntryLine(event):
                self._entries.append(event)

    def _finish_game(self) -> None:
        """Write the game named last."""
        game, entries = self._game, self._entries
        self._game, self._entries = None, []
        if game is not None:
            self._store.put_game(game, entries)
