"""Copying a whole installation while play goes on.

What a backup promises: every game stands in it as it stood at the cut, which lies after the backup's beginning. The
cut is the end of each feed. A game lies in one feed, and is copied up to the version that its feed had told of by
then, with the commands and the seats' tokens up to there; logs only ever grow, so that part stands still meanwhile.
What refers to games (reports, the transparency log, keys) is copied before the cut is taken, so nothing in a backup
refers to a game, or to a version, that is not in it. Left out are keys that expire and what is computed again: the
list of games, the bots' places, the job queue.
"""

import hashlib
from contextlib import suppress
from typing import Final

import msgspec

from events.domain_events import SeatTaken
from events.game.dealing import log_salt_key
from events.log.codec import EVENT_TYPES, decode_event
from events.log.recorded import RecordedEvent
from events.log.stored_chain import ChainBroken, check_chain
from events.store.errors import GameNotFound, StoreDamaged
from events.store.remembered_commands import PackedCommands
from service.access.first_key import FILE as FIRST_KEY
from service.access.game_access import SECRET
from service.access.tokens import is_token_field
from service.backup.files import (
    FORMAT,
    MANIFEST,
    BackupUnusable,
    EntryLine,
    FeedLine,
    FileLine,
    GameLine,
    LeafLine,
    LineWriter,
    Manifest,
    write_file,
    write_manifest,
)
from service.backup.store import game_keys, kept_keys
from service.platform.targets import Target, TargetUnavailable
from service.storage.settings import StoreSettings
from service.storage.store import Store
from service.verification.signing_keys import FILE as SIGNING_KEYS
from service.verification.signing_keys import SigningKeys
from service.verification.transparency_log import TransparencyLog

_CHUNK: Final = 1000
_LOOKS: Final = 3
"""How often a game's commands are read at most: it may be archived or restored between two reads."""


class Copied(msgspec.Struct):
    """What a backup has copied so far."""

    games: int = 0
    events: int = 0
    archived: int = 0
    damaged: dict[str, str] = msgspec.field(default_factory=dict)
    """Games that do not hold together and were copied as they are, with what is wrong."""


class BackingUp:
    """Makes one backup of an installation."""

    def __init__(self, store: Store, settings: StoreSettings, target: Target) -> None:
        """Copy what is in this store and in the data folder to this target.

        Raises:
            BackupUnusable: the data folder holds no signing keys, so it is not this installation's.
        """
        if not (settings.data_folder / SIGNING_KEYS).exists():
            raise BackupUnusable(
                f"{settings.data_folder} holds no {SIGNING_KEYS}. Set FIELDBOOK_DATA as it was."
            )
        self._store = store
        self._folder = settings.data_folder
        self._keys = SigningKeys(settings.data_folder, settings.name)
        self._target = target
        self.copied = Copied()

    def run(self, at: int) -> Manifest:
        """Make the backup; `at` is the time of day in milliseconds since the epoch.

        What went wrong leaves the target as it was.

        Raises:
            BackupUnusable: the target holds something already.
            StoreError, TargetUnavailable
        """
        if names := self._target.names():
            what = (
                "is not empty"
                if MANIFEST in names
                else "holds something, perhaps a backup that was not finished"
            )
            raise BackupUnusable(f"{self._target.address} {what}. Give every backup a place of its own.")
        files: list[FileLine] = []
        try:
            manifest = self._copy(at, files)
            write_manifest(self._target, manifest)
        except BaseException:
            with suppress(TargetUnavailable):
                self._target.remove([*(file.name for file in files), MANIFEST])
            raise
        return manifest

    def _copy(self, at: int, files: list[FileLine]) -> Manifest:
        """Copy everything; `files` is told each file that is written."""
        heads: dict[str, str] = {}
        with LineWriter(self._target, files) as writer:
            for line in kept_keys(self._store):
                writer.put(line)
            checkpoint = self._put_log(writer)
            ends = [self._store.feed_end(partition) for partition in range(self._store.partitions)]
            for partition, end in enumerate(ends):
                for game, version in self._put_feed(writer, partition, end).items():
                    try:
                        heads[game] = self._put_game(writer, game, version)
                    except (StoreDamaged, GameNotFound) as damaged:
                        self._put_as_it_is(writer, game, str(damaged))
        for name in (SIGNING_KEYS, FIRST_KEY):
            path = self._folder / name
            if path.exists():
                files.append(write_file(self._target, name, path.read_bytes()))
        return Manifest(
            format=FORMAT,
            made=at,
            installation=self._store.installation,
            feeds=ends,
            games=len(heads),
            heads=digest_heads(heads),
            damaged=self.copied.damaged,
            checkpoint=checkpoint,
            files=files,
        )

    def _put_log(self, writer: LineWriter) -> str:
        log = TransparencyLog(self._store, self._keys)
        size = log.size()
        unlisted = log.unlisted()
        for first in range(0, size, _CHUNK):
            for place, text in enumerate(log.entries(first, min(_CHUNK, size - first)), first):
                writer.put(LeafLine(text, place in unlisted))
        return log.checkpoint(size)

    def _put_feed(self, writer: LineWriter, partition: int, end: int) -> dict[str, int]:
        """Copy a feed; returns each of its games with the version that the feed tells of last."""
        versions: dict[str, int] = {}
        position = 0
        while position < end:
            for entry in self._store.read_feed(partition, position, min(_CHUNK, end - position)):
                position += 1
                if entry.position != position:
                    raise StoreDamaged(f"The feed of partition {partition} has no position {position}.")
                writer.put(
                    FeedLine(
                        partition,
                        position,
                        entry.game_id,
                        entry.first_version,
                        entry.last_version,
                        entry.hash,
                    )
                )
                versions[entry.game_id] = entry.last_version
        return versions

    def _put_game(self, writer: LineWriter, game: str, version: int) -> str:
        """Copy a game up to a version; returns the line that the digest of all heads runs over."""
        tombstone = self._store.archiving.tombstone(game)
        archived = tombstone is not None and tombstone.version == version
        entries = () if archived else self._store.read(game, 0, version)
        if not archived and len(entries) != version:
            raise StoreDamaged(f"Game {game} has {len(entries)} entries, and its feed tells of {version}.")
        head = tombstone.hash if archived and tombstone is not None else entries[-1].hash
        private = self._store.private(game)
        if not archived:
            _check_chain(game, entries, private)
            private = _without_later_seats(private, entries)
        kept = tombstone if archived else None
        writer.put(GameLine(game, version, head, private, self._commands(game, version), kept))
        for entry in entries:
            writer.put(EntryLine(entry))
        self.copied.games += 1
        self.copied.events += len(entries)
        self.copied.archived += archived
        return f"{game} {version} {head}\n"

    def _commands(self, game: str, version: int) -> PackedCommands:
        """The commands up to a version; each entry was brought about by exactly one of them."""
        for _ in range(_LOOKS):
            found = [each for each in self._store.archiving.commands(game) if each[1].last_version <= version]
            if sum(answer.last_version - answer.first_version + 1 for _, answer in found) == version:
                return found
        raise StoreDamaged(f"The commands of game {game} do not account for its {version} entries.")

    def _put_as_it_is(self, writer: LineWriter, game: str, reason: str) -> None:
        """Copy the keys of a game that does not hold together, so that one damaged game hinders no backup."""
        for line in game_keys(self._store, game):
            writer.put(line)
        self.copied.damaged[game] = reason


def digest_heads(heads: dict[str, str]) -> str:
    """SHA-256 over the heads of all games, in the order of their ids."""
    return hashlib.sha256("".join(heads[game] for game in sorted(heads)).encode()).hexdigest()


def _check_chain(game: str, entries: tuple[RecordedEvent, ...], private: dict[str, str]) -> None:
    """Find damage now, and not when the backup is needed; without its secret a chain cannot be computed.

    Raises:
        StoreDamaged
    """
    if SECRET in private:
        try:
            check_chain(entries, log_salt_key(entries[0], private[SECRET]))
        except ChainBroken as broken:
            raise StoreDamaged(f"Game {game}: {broken}.") from broken


def _without_later_seats(private: dict[str, str], entries: tuple[RecordedEvent, ...]) -> dict[str, str]:
    """The private fields without the tokens of seats that were taken after these entries."""
    events = [decode_event(entry) for entry in entries if EVENT_TYPES.get(entry.type) is SeatTaken]
    taken = {str(event.seat) for event in events if isinstance(event, SeatTaken)}
    return {name: text for name, text in private.items() if not is_token_field(name) or text in taken}
