"""A store in this process's memory, under the full contract: what folding costs beside it, and what a model holds."""

import secrets
import threading
import time
from collections.abc import Mapping, Sequence

import msgspec

from events.chain.hash_chain import GENESIS
from events.log.recorded import RecordedEvent
from events.store.errors import GameNotFound, PartitionQuarantined, RequirementUnmet
from events.store.event_store import (
    DEFAULT_PARTITIONS,
    FORMAT,
    NOTHING_PRIVATE,
    Appended,
    FeedEntry,
    Head,
    IdempotencyRecord,
    Installation,
    LogWithCommand,
    check_append,
    conflict_with,
    first_answer,
)
from events.store.partitions import check_partitions, partition_of
from events.store.quarantine import Quarantine


class MemoryQuarantine:
    """`Quarantine` of a store in memory."""

    def __init__(self) -> None:
        """Start with no partition quarantined."""
        self._reasons: dict[int, str] = {}
        self._accepted: dict[int, str] = {}

    def reasons(self) -> dict[int, str]:
        """Return every quarantined partition with its reason."""
        return dict(sorted(self._reasons.items()))

    def put(self, partition: int, reason: str) -> None:
        """Take no appends to a partition from now on."""
        self._reasons[partition] = reason

    def release(self, partition: int, accepted: str = "") -> None:
        """Take appends again."""
        self._accepted[partition] = accepted
        self._reasons.pop(partition, None)

    def accepted(self, partition: int) -> str:
        """Return the damage that was accepted when the partition was released last."""
        return self._accepted.get(partition, "")

    def was_released(self, partition: int) -> bool:
        """Say whether the partition was ever released."""
        return partition in self._accepted


class StoredGame:
    """Everything kept about one game."""

    def __init__(self) -> None:
        """Start with no events."""
        self.events: list[RecordedEvent] = []
        self.commands: dict[str, IdempotencyRecord] = {}
        self.private: dict[str, str] = {}


class MemoryEventStore:
    """`events.store.event_store.EventStore` in memory; one lock makes every append one step."""

    def __init__(self, partitions: int = DEFAULT_PARTITIONS) -> None:
        """Make an empty store with its own installation.

        Raises:
            ValueError: an impossible number of partitions.
        """
        self._installation = Installation(
            format=FORMAT,
            partitions=check_partitions(partitions),
            installation_id=secrets.token_hex(8),
            token_key=secrets.token_hex(32),
        )
        self._games: dict[str, StoredGame] = {}
        self._feeds: list[list[FeedEntry]] = [[] for _ in range(partitions)]
        self.quarantine: Quarantine = MemoryQuarantine()
        self._changed = threading.Condition()

    @property
    def installation(self) -> Installation:
        """What was fixed when this store was made."""
        return self._installation

    @property
    def partitions(self) -> int:
        """Number of partitions."""
        return self._installation.partitions

    def partition_of(self, game_id: str) -> int:
        """Return the partition, counted from 0, whose feed tells of this game."""
        return partition_of(game_id, self.partitions)

    def append(
        self,
        game_id: str,
        events: Sequence[RecordedEvent],
        *,
        expected_version: int,
        command_id: str,
        fingerprint: str,
        expected_hash: str = GENESIS,
        private: Mapping[str, str] = NOTHING_PRIVATE,
        required: Mapping[str, str] = NOTHING_PRIVATE,
    ) -> Appended:
        """Append events in one step; see `events.store.event_store.EventStore.append`."""
        expected = Head(version=expected_version, hash=expected_hash)
        check_append(game_id, events, expected, command_id, fingerprint)
        with self._changed:
            game = self._games.get(game_id, StoredGame())
            for field, value in required.items():
                if game.private.get(field) != value:
                    raise RequirementUnmet(game_id, field)
            if known := game.commands.get(command_id):
                return first_answer(game_id, command_id, fingerprint, known)
            partition = self.partition_of(game_id)
            if reason := self.quarantine.reasons().get(partition):
                raise PartitionQuarantined(partition, reason)
            if not game.events and expected_version > 0:
                raise GameNotFound(game_id)
            if game.events and expected != Head(version=len(game.events), hash=game.events[-1].hash):
                raise conflict_with(game_id, game.events, expected_version, expected_hash)
            answer = Appended(
                first_version=events[0].version, last_version=events[-1].version, head_hash=events[-1].hash
            )
            game.events.extend(events)
            game.private.update(private)
            game.commands[command_id] = IdempotencyRecord(
                fingerprint=fingerprint, answer=msgspec.structs.replace(answer, duplicate=True)
            )
            self._games[game_id] = game
            feed = self._feeds[partition]
            feed.append(
                FeedEntry(
                    position=len(feed) + 1,
                    game_id=game_id,
                    first_version=answer.first_version,
                    last_version=answer.last_version,
                    hash=answer.head_hash,
                )
            )
            self._changed.notify_all()
            return answer

    def read(self, game_id: str, after: int = 0, limit: int | None = None) -> tuple[RecordedEvent, ...]:
        """Return the events after a version; raises GameNotFound."""
        start = max(after, 0)
        end = None if limit is None else start + limit
        with self._changed:
            return tuple(self._game(game_id).events[start:end])

    def head(self, game_id: str) -> Head | None:
        """Return where the game stands, or None when it does not exist."""
        with self._changed:
            game = self._games.get(game_id)
            return Head(version=len(game.events), hash=game.events[-1].hash) if game else None

    def private(self, game_id: str) -> dict[str, str]:
        """Return a copy of the game's private fields; raises GameNotFound."""
        with self._changed:
            return dict(self._game(game_id).private)

    def idempotency_record(self, game_id: str, command_id: str) -> IdempotencyRecord | None:
        """Return fingerprint and first answer of a command appended to this game, or None."""
        with self._changed:
            game = self._games.get(game_id)
            return game.commands.get(command_id) if game else None

    def read_with_command(self, game_id: str, version: int, command_id: str) -> LogWithCommand:
        """Return what is known of a command and the game's events from a version on."""
        with self._changed:
            game = self._games.get(game_id, StoredGame())
            return LogWithCommand(game.commands.get(command_id), tuple(game.events[max(version, 1) - 1 :]))

    def read_feed(self, partition: int, after: int = 0, limit: int = 1000) -> tuple[FeedEntry, ...]:
        """Return a partition's feed entries after a position, at most `limit`."""
        with self._changed:
            return tuple(self._feeds[partition][after : after + limit])

    def feed_end(self, partition: int) -> int:
        """Return the position of a partition's last feed entry; 0 when there is none."""
        with self._changed:
            return len(self._feeds[partition])

    def follow(
        self, positions: Mapping[int, int], timeout_seconds: float
    ) -> dict[int, tuple[FeedEntry, ...]]:
        """Wait until one of the partitions has something after its position, or time is up."""
        deadline = time.monotonic() + timeout_seconds
        with self._changed:
            while True:
                found = {
                    partition: entries
                    for partition, after in positions.items()
                    if (entries := self.read_feed(partition, after))
                }
                left = deadline - time.monotonic()
                if found or left <= 0:
                    return found
                self._changed.wait(left)

    def ping(self) -> None:
        """Return at once: memory always answers."""

    def _game(self, game_id: str) -> StoredGame:
        """Return the stored game; raises GameNotFound."""
        try:
            return self._games[game_id]
        except KeyError:
            raise GameNotFound(game_id) from None
