"""Copying a whole installation while play goes on.

What a backup promises: every game stands in it as it stood at the cut, which lies after the backup's beginning. The
cut is the end of each feed. A game lies in one feed, and is copied up to the version that its feed had told of by
then, with the commands and the seats' tokens up to there; logs only ever grow, so that part stands still meanwhile.
What refers to games (reports, the transparency log, keys) is copied before the cut is taken, so nothing in a backup
refers to a game, or to a version, that is not in it. Left out are keys that expire and what is computed again: the
list of games, the bots' places, the job queue.
"""

import hashlib
import re
from typing import Final

import msgspec

from events.codec import EVENT_TYPES, decode_event
from events.domain_events import SeatTaken
from events.recorded import RecordedEvent
from events.redis_entries import PackedCommands
from events.redis_keys import INSTALLATION
from events.redis_store import RedisEventStore
from events.store_errors import StoreDamaged
from service.backup_files import (
    FORMAT,
    BackupUnusable,
    EntryLine,
    FeedLine,
    FileLine,
    GameLine,
    KeyLine,
    LeafLine,
    LineWriter,
    Manifest,
    write_file,
    write_manifest,
)
from service.bot_players import BOTS
from service.first_key import FILE as FIRST_KEY
from service.read_models import GAMES
from service.signing_keys import FILE as SIGNING_KEYS
from service.signing_keys import SigningKeys
from service.store_settings import StoreSettings
from service.targets import Target
from service.tokens import is_token_field
from service.transparency_log import LOG, TransparencyLog

LEFT_OUT: Final = re.compile(
    rf"rq:.*|\{{p\d\d\}}:(game:.*|feed|feed:head|acknowledged|projection:({GAMES}|{BOTS}|{LOG}):.*)|{INSTALLATION}"
)
"""Keys that are copied in another way, computed again, or only hints."""
_CHUNK: Final = 1000
_LOOKS: Final = 3
"""How often a game's commands are read at most: it may be archived or restored between two reads."""


class Copied(msgspec.Struct):
    """What a backup has copied so far."""

    games: int = 0
    events: int = 0
    archived: int = 0


class BackingUp:
    """Makes one backup of an installation."""

    def __init__(self, store: RedisEventStore, settings: StoreSettings, target: Target) -> None:
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

        Raises:
            BackupUnusable: the target holds something already.
            StoreError, TargetUnavailable
        """
        if self._target.names():
            raise BackupUnusable(
                f"{self._target.address} is not empty. Give every backup a place of its own."
            )
        heads: dict[str, str] = {}
        with LineWriter(self._target) as writer:
            self._put_keys(writer)
            checkpoint = self._put_log(writer)
            ends = [self._store.feed_end(partition) for partition in range(self._store.partitions)]
            for partition, end in enumerate(ends):
                for game, version in self._put_feed(writer, partition, end).items():
                    heads[game] = self._put_game(writer, game, version)
        manifest = Manifest(
            format=FORMAT,
            made=at,
            installation=self._store.installation,
            feeds=ends,
            games=len(heads),
            heads=digest_of(heads),
            checkpoint=checkpoint,
            files=[*writer.files, *self._folder_files()],
        )
        write_manifest(self._target, manifest)
        return manifest

    def _put_keys(self, writer: LineWriter) -> None:
        command, cursor = self._store.connection.command, b"0"
        names: set[str] = set()
        while True:
            cursor, found = command("SCAN", cursor, "COUNT", _CHUNK)
            names.update(name.decode() for name in found)
            if cursor == b"0":
                break
        for name in sorted(names):
            if LEFT_OUT.fullmatch(name) is None and command("PTTL", name) == -1:
                writer.put(self._key(name))

    def _key(self, name: str) -> KeyLine:
        command = self._store.connection.command
        kind: str = command("TYPE", name).decode()
        match kind:
            case "string":
                return KeyLine(name, kind, [command("GET", name)])
            case "hash":
                return KeyLine(name, kind, command("HGETALL", name))
            case "list":
                return KeyLine(name, kind, command("LRANGE", name, 0, -1))
            case "set":
                return KeyLine(name, kind, sorted(command("SMEMBERS", name)))
            case "zset":
                found = command("ZRANGE", name, 0, -1, "WITHSCORES")
                return KeyLine(
                    name, kind, [each for pair in zip(found[1::2], found[::2], strict=True) for each in pair]
                )
            case "stream":
                return KeyLine(
                    name, kind, [], [(each[0], each[1]) for each in command("XRANGE", name, "-", "+")]
                )
            case _:
                raise BackupUnusable(f"The key {name} is of the kind {kind}, which no backup knows.")

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
                    FeedLine(partition, position, entry.game_id, entry.first_version, entry.last_version)
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

    def _folder_files(self) -> list[FileLine]:
        found = [write_file(self._target, SIGNING_KEYS, (self._folder / SIGNING_KEYS).read_bytes())]
        first_key = self._folder / FIRST_KEY
        if first_key.exists():
            found.append(write_file(self._target, FIRST_KEY, first_key.read_bytes()))
        return found


def digest_of(heads: dict[str, str]) -> str:
    """SHA-256 over the heads of all games, in the order of their ids."""
    return hashlib.sha256("".join(heads[game] for game in sorted(heads)).encode()).hexdigest()


def _without_later_seats(private: dict[str, str], entries: tuple[RecordedEvent, ...]) -> dict[str, str]:
    """The private fields without the tokens of seats that were taken after these entries."""
    events = [decode_event(entry) for entry in entries if EVENT_TYPES.get(entry.type) is SeatTaken]
    taken = {str(event.seat) for event in events if isinstance(event, SeatTaken)}
    return {name: text for name, text in private.items() if not is_token_field(name) or text in taken}
