"""Archived games on Redis or Valkey: replacing a stream by a tombstone, reading on behind it, and putting it back."""

from collections.abc import Sequence
from typing import Any

import msgspec

from events.log.recorded import RecordedEvent
from events.store.errors import ArchiveUnavailable, NotAsArchived, StoreDamaged
from events.store.event_store import IdempotencyRecord
from events.store.redis.client.connection import RedisConnection
from events.store.redis.client.pool import Argument
from events.store.redis.entries import event_values
from events.store.redis.functions import StoreFunctions
from events.store.redis.keys import GameKeys
from events.store.remembered_commands import PackedCommands, RememberedAnswer, pack_commands, unpack_commands
from events.store.tombstone import ArchivedLogs, Tombstone


class RedisArchiving:
    """The archived games of one store; every method may raise what a store raises."""

    def __init__(
        self,
        connection: RedisConnection,
        functions: StoreFunctions,
        partitions: int,
        logs: ArchivedLogs | None,
    ) -> None:
        """Read what is archived from `logs`; without them archived games cannot be read."""
        self._connection = connection
        self._functions = functions
        self._partitions = partitions
        self._logs = logs

    def tombstone(self, game_id: str) -> Tombstone | None:
        """The tombstone of an archived game; None for every other game."""
        found = self._connection.command("HGET", self._keys(game_id).head, "archive")
        return None if found is None else _tombstone(found)

    def read(self, game_id: str, after: int, limit: int | None) -> tuple[RecordedEvent, ...] | None:
        """As `EventStore.read`, of an archived game; None when the game is not archived."""
        tombstone = self.tombstone(game_id)
        if tombstone is None:
            return None
        if self._logs is None:
            raise ArchiveUnavailable(
                f"Game {game_id} is archived, and no archive is configured. Set FIELDBOOK_ARCHIVE as it was."
            )
        entries = self._logs.events(tombstone)
        return entries[after:] if limit is None else entries[after : after + limit]

    def idempotency_record(self, game_id: str, command_id: str) -> IdempotencyRecord | None:
        """As `EventStore.idempotency_record`, of an archived game; None when it is not archived."""
        packed = self._connection.command("HGET", self._keys(game_id).head, "commands")
        if packed is None:
            return None
        remembered = dict(unpack_commands(packed)).get(command_id)
        return None if remembered is None else remembered.known()

    def commands(self, game_id: str) -> PackedCommands:
        """All that is remembered of a game's commands, in the order in which they were appended."""
        keys = self._keys(game_id)
        packed = self._connection.command("HGET", keys.head, "commands")
        if packed is not None:
            return unpack_commands(packed)
        found = self._connection.command("HGETALL", keys.commands)
        answers = [msgspec.json.decode(answer, type=RememberedAnswer) for answer in found[1::2]]
        names = [name.decode() for name in found[::2]]
        return sorted(zip(names, answers, strict=True), key=lambda each: (each[1].first_version, each[0]))

    def archive(self, tombstone: Tombstone, commands: PackedCommands) -> None:
        """Replace a game's stream and commands by its tombstone, in one step.

        Archived in the same file before, it is left as it is.

        Raises:
            NotAsArchived: the game is not at the tombstone's head, or is archived elsewhere.
        """
        keys = self._keys(tombstone.game)
        arguments: list[Argument] = [
            tombstone.version,
            tombstone.hash,
            len(commands),
            msgspec.json.encode(tombstone),
            pack_commands(commands),
        ]
        match self._call("archive", keys, arguments):
            case [b"archived"]:
                return
            case [b"known", found] if _tombstone(found).file == tombstone.file:
                return
            case [_, what]:
                raise NotAsArchived(f"Game {tombstone.game} was not archived: {what.decode()}.")

    def restored_at(self, game_id: str) -> int:
        """When a game was put back, in milliseconds since 1970-01-01 UTC; 0 for one that never was archived."""
        return int(self._connection.command("HGET", self._keys(game_id).head, "restored") or 0)

    def restore(self, tombstone: Tombstone, entries: Sequence[RecordedEvent], at: int = 0) -> None:
        """Put an archived game's stream and commands back, in one step, and keep the time where it is given.

        Raises:
            NotAsArchived: the game is not archived so, or these are not its entries.
        """
        commands = self.commands(tombstone.game)
        stored = self._connection.command("HGET", self._keys(tombstone.game).head, "archive")
        if stored is None or _tombstone(stored) != tombstone:
            raise NotAsArchived(f"Game {tombstone.game} is not archived in {tombstone.file}.")
        arguments: list[Argument] = [stored, len(entries), len(commands), at]
        for entry in entries:
            arguments.extend(event_values(entry))
        for command_id, answer in commands:
            arguments.extend((command_id, msgspec.json.encode(answer)))
        match self._call("restore", self._keys(tombstone.game), arguments):
            case [b"restored"]:
                return
            case [_, what]:
                raise NotAsArchived(f"Game {tombstone.game} was not restored: {what.decode()}.")

    def _call(self, function: str, keys: GameKeys, arguments: Sequence[Argument]) -> Any:
        names = [keys.log, keys.head, keys.commands]
        if function == "archive":
            names.append(keys.quarantine)
        return self._functions.call(function, names, arguments)

    def _keys(self, game_id: str) -> GameKeys:
        return GameKeys(game_id, self._partitions)


def _tombstone(stored: bytes) -> Tombstone:
    try:
        return msgspec.json.decode(stored, type=Tombstone)
    except msgspec.DecodeError as error:
        raise StoreDamaged(f"The tombstone of an archived game cannot be read: {error}") from error
