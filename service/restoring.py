"""Putting a backup into an empty store and an empty data folder, whole or not at all.

Every file is compared with the manifest before the first write. From then on the store is marked as unfinished, and
no process works with it; the mark goes when everything is there, was read back and was found as it was backed up.
"""

import os
from pathlib import Path
from typing import Final

import msgspec

from events.recorded import RecordedEvent
from events.redis_archiving import RedisArchiving
from events.redis_connection import RedisConnection
from events.redis_entries import pack_commands
from events.redis_functions import StoreFunctions
from events.redis_installation import mark_finished, mark_unfinished
from events.redis_keys import GameKeys, feed_head_key, feed_key, projection_key
from events.redis_store import RedisEventStore
from events.tombstone import Tombstone
from events.transparency.game_head import parse_game_head
from service.backup_files import (
    BackupUnusable,
    EntryLine,
    FeedLine,
    GameLine,
    KeyLine,
    LeafLine,
    Line,
    Manifest,
    lines_in,
    read_file,
    read_manifest,
)
from service.checkpoints import CHECKPOINT
from service.disputes import Disputes
from service.first_key import FILE as FIRST_KEY
from service.restored import NotAsBackedUp, Restored, verify_restored
from service.signing_keys import FILE as SIGNING_KEYS
from service.signing_keys import SigningKeys
from service.targets import Target
from service.transparency_log import LOG, UNLISTED
from service.witness import FILE as WITNESS

FOLDER_FILES: Final = (SIGNING_KEYS, FIRST_KEY)
_LOG_PARTITION: Final = 0
_AT_ONCE: Final = 1000
_ADDING: Final = {"string": "SET", "hash": "HSET", "list": "RPUSH", "set": "SADD", "zset": "ZADD"}


class Restoring:
    """Restores one backup."""

    begun = False
    """Whether something was written: what goes wrong from then on leaves a store that no process works with."""

    def __init__(self, source: Target, connection: RedisConnection, data_folder: Path) -> None:
        """Restore from this source into the store behind this connection, and into this folder."""
        self._source = source
        self._connection = connection
        self._folder = data_folder
        self._leaves = 0
        self._game: GameLine | None = None
        self._entries: list[RecordedEvent] = []

    def run(self, name: str | None = None) -> tuple[Manifest, Restored]:
        """Restore everything and verify it; returns what the backup says that it holds, and what was found.

        `name` is what the service signs as, where it is configured.

        Raises:
            BackupUnusable: the backup is not whole, or this is no empty place; nothing was written.
            NotAsBackedUp: what was read back is not what was backed up.
            StoreError, TargetUnavailable, OSError, SigningKeysUnusable
        """
        self._check_empty()
        manifest = read_manifest(self._source)
        for file in manifest.files:
            read_file(self._source, file)
        installation = manifest.installation
        command = self._connection.command
        self.begun = True
        mark_unfinished(self._connection, installation)
        archiving = RedisArchiving(
            self._connection, StoreFunctions(self._connection), installation.partitions, None
        )
        for line in lines_in(self._source, manifest):
            if not isinstance(line, EntryLine):
                self._finish_game(archiving, installation.partitions)
            self._put(line, installation.partitions)
        self._finish_game(archiving, installation.partitions)
        command("SET", projection_key(_LOG_PARTITION, LOG, CHECKPOINT), self._leaves)
        for partition, end in enumerate(manifest.feeds):
            if end:
                command("SET", feed_head_key(partition), end)
        for file in manifest.files:
            if file.name in FOLDER_FILES:
                _write_private(self._folder / file.name, read_file(self._source, file))
        # What the data folder has seen of another store, or of later times, is not to be missed in this one.
        (self._folder / WITNESS).unlink(missing_ok=True)
        store = RedisEventStore(self._connection, installation=installation)
        Disputes(store).queue_again()
        found = verify_restored(store, SigningKeys(self._folder, name), manifest)
        mark_finished(self._connection, installation)
        return manifest, found

    def _check_empty(self) -> None:
        if self._connection.command("DBSIZE"):
            raise BackupUnusable(
                "The store is not empty. A backup is only restored into an empty one: an embedded store is empty in a"
                f" new data folder instead of {self._folder}, another after FLUSHALL."
            )
        for name in FOLDER_FILES:
            if (self._folder / name).exists():
                raise BackupUnusable(
                    f"{self._folder} holds {name} already. A backup is only restored into an empty data folder."
                )

    def _put(self, line: Line, partitions: int) -> None:
        command = self._connection.command
        match line:
            case KeyLine():
                self._put_key(line)
            case LeafLine(text, unlisted):
                head = parse_game_head(text)
                command("HSET", projection_key(_LOG_PARTITION, LOG, "leaves"), self._leaves, text)
                command("HSET", projection_key(_LOG_PARTITION, LOG, "places"), head.game, self._leaves)
                if unlisted:
                    command("SADD", projection_key(_LOG_PARTITION, LOG, UNLISTED), self._leaves)
                self._leaves += 1
            case FeedLine(partition, position, game, first, last, chain_hash):
                hashed = ("h", chain_hash) if chain_hash else ()
                told = ("g", game, "f", first, "l", last, *hashed)
                command("XADD", feed_key(partition), f"{position}-0", *told)
            case GameLine():
                keys = GameKeys(line.game, partitions)
                for name, text in line.private.items():
                    command("HSET", keys.private, name, text)
                self._game = line
            case EntryLine(event):
                self._entries.append(event)

    def _put_key(self, line: KeyLine) -> None:
        command = self._connection.command
        for values in _batches(line.values):
            command(_ADDING[line.kind], line.name, *values)
        if line.kind == "list" and command("LLEN", line.name) != len(line.values):
            raise NotAsBackedUp(f"The list {line.name} is another one than in the backup.")
        for entry_id, fields in line.entries:
            command("XADD", line.name, entry_id, *fields)

    def _finish_game(self, archiving: RedisArchiving, partitions: int) -> None:
        """Write the game named last, in one step: as an archived one, and one with entries is taken out again."""
        game, entries = self._game, self._entries
        self._game, self._entries = None, []
        if game is None:
            return
        tombstone = game.tombstone or Tombstone(
            game=game.game, version=game.version, hash=game.hash, file="", sha256="", size=0, at=0
        )
        fields = ("version", game.version, "hash", game.hash, "archive", msgspec.json.encode(tombstone))
        packed = pack_commands(game.commands)
        self._connection.command("HSET", GameKeys(game.game, partitions).head, *fields, "commands", packed)
        if game.tombstone is None:
            archiving.restore(tombstone, entries)


def _batches(values: list[bytes]) -> list[list[bytes]]:
    """Values in pieces that one command takes; pairs stay together."""
    return [values[start : start + _AT_ONCE] for start in range(0, len(values), _AT_ONCE)]


def _write_private(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
