"""The store on Redis or Valkey: `EventStore` over the functions of `append_functions.lua`."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Self

import msgspec

from events.chain.hash_chain import GENESIS
from events.log.recorded import RecordedEvent
from events.store.errors import (
    GameNotFound,
    HistoryForked,
    PartitionQuarantined,
    RequirementUnmet,
    StoreDamaged,
    StoreError,
    StoreRefused,
    VersionConflict,
)
from events.store.event_store import (
    FOLLOWED_ENTRIES,
    NOTHING_PRIVATE,
    Appended,
    EventStore,
    FeedEntry,
    Head,
    IdempotencyRecord,
    Installation,
    LogWithCommand,
    check_append,
    conflict_with,
    first_answer,
)
from events.store.partitions import is_game_id, partition_of
from events.store.quarantine import Quarantine
from events.store.redis.archiving import RedisArchiving
from events.store.redis.client.connection import RedisConnection
from events.store.redis.client.opening import connect
from events.store.redis.client.pool import Argument
from events.store.redis.entries import (
    Entry,
    PreparedAppend,
    append_arguments,
    events_from_entries,
    feed_entry_from_entry,
)
from events.store.redis.functions import StoreFunctions
from events.store.redis.installation import fix_installation
from events.store.redis.keys import GameKeys, feed_head_key, feed_key
from events.store.redis.quarantine import RedisQuarantine
from events.store.remembered_commands import RememberedAnswer
from events.store.tombstone import ArchivedLogs

REPLICA_MILLISECONDS: Final = 2000
"""How long an append waits for a replica where one is required."""


class RedisEventStore:
    """The log on one Redis (7.0 or newer) or Valkey (8 or newer)."""

    def __init__(
        self,
        connection: RedisConnection,
        partitions: int | None = None,
        *,
        await_replica: bool = False,
        archived: ArchivedLogs | None = None,
        installation: Installation | None = None,
    ) -> None:
        """Load the functions, and read the installation or, at first use, fix it.

        `partitions` None takes the installation's number, and `DEFAULT_PARTITIONS` at first use. With
        `await_replica` an append is answered only when a replica has it. `archived` reads the archived games;
        `installation` is that of a store into which a backup is being restored, which nobody else may open.

        Raises:
            StoreMisconfigured: the installation has another number of partitions or another format.
            StoreUnavailable: the server cannot be reached.
            StoreRefused: the server does not let us load functions.
            ValueError: an impossible number of partitions.
        """
        self.connection = connection
        self.functions = StoreFunctions(connection)
        self._await_replica = await_replica
        self._installation = installation or fix_installation(connection, partitions)
        self.quarantine: Quarantine = RedisQuarantine(connection, self.partitions)
        self.archiving = RedisArchiving(connection, self.functions, self.partitions, archived)

    @classmethod
    def connect(cls, url: str, partitions: int | None = None, *, await_replica: bool = False) -> Self:
        """Open the store at an address; `service.startup.store_opening.open_store` also checks its durability."""
        return cls(connect(url), partitions, await_replica=await_replica)

    @property
    def installation(self) -> Installation:
        """What was fixed at first use."""
        return self._installation

    @property
    def awaits_replica(self) -> bool:
        """Whether an append is answered only when a replica has it."""
        return self._await_replica

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
        """Append events in one step; see `events.store.event_store.EventStore.append`.

        Raises `StoreUnavailable` also when a required replica did not acknowledge in time; the append then
        stands, and sending it again with the same command id waits again.
        """
        asked = self.prepare_append(
            game_id,
            events,
            expected_version=expected_version,
            expected_hash=expected_hash,
            command_id=command_id,
            fingerprint=fingerprint,
            private=private,
            required=required,
        )
        keys = asked.keys
        reply = self.call_appending("append", keys, asked.names, asked.arguments, keys.commands, command_id)
        return self.read_append(asked, reply)

    def prepare_append(
        self,
        game_id: str,
        events: Sequence[RecordedEvent],
        *,
        expected_version: int,
        expected_hash: str,
        command_id: str,
        fingerprint: str,
        private: Mapping[str, str],
        required: Mapping[str, str],
    ) -> PreparedAppend:
        """Check what is to be appended, and return what the append function has to be called with."""
        expected = Head(version=expected_version, hash=expected_hash)
        check_append(game_id, events, expected, command_id, fingerprint)
        answer = RememberedAnswer(fingerprint, events[0].version, events[-1].version, events[-1].hash)
        arguments = append_arguments(game_id, expected, events, command_id, answer, private, required)
        keys = GameKeys(game_id, self.partitions)
        return PreparedAppend(game_id, expected, command_id, answer, keys, arguments)

    def read_append(self, asked: PreparedAppend, reply: Any) -> Appended:
        """Return what the append function's reply means; see `append` for what is raised."""
        game_id, command_id, fingerprint = asked.game_id, asked.command_id, asked.answer.fingerprint
        match reply:
            case [b"appended"]:
                return msgspec.structs.replace(asked.answer.known().answer, duplicate=False)
            case [b"known", remembered]:
                known = msgspec.json.decode(remembered, type=RememberedAnswer).known()
                return first_answer(game_id, command_id, fingerprint, known)
            case [b"archived"]:
                if archived := self.idempotency_record(game_id, command_id):
                    return first_answer(game_id, command_id, fingerprint, archived)
                raise conflict_with(game_id, self.read(game_id), asked.expected.version, asked.expected.hash)
            case refusal:
                raise self._refusal(game_id, asked.expected, refusal)

    def read(self, game_id: str, after: int = 0, limit: int | None = None) -> tuple[RecordedEvent, ...]:
        """Return the events after a version; raises GameNotFound."""
        after = max(after, 0)
        if entries := self._stored(game_id, after, limit):
            return entries
        head = self.head(game_id)
        if head is None:
            raise GameNotFound(game_id)
        if after >= head.version or limit == 0:
            return ()
        archived = self.archiving.read(game_id, after, limit)
        # One that is not archived was restored just now, or its stream is damaged.
        if entries := self._stored(game_id, after, limit) if archived is None else archived:
            return entries
        raise StoreDamaged(f"Game {game_id} is at version {head.version}; its stream ends at {after}.")

    def _refusal(self, game_id: str, expected: Head, answer: Any) -> StoreError:
        """Why the append function has written nothing."""
        found: StoreError
        match answer:
            case [b"unmet", field]:
                found = RequirementUnmet(game_id, field.decode())
            case [b"quarantined", reason]:
                found = PartitionQuarantined(self.partition_of(game_id), reason.decode())
            case [b"conflict", 0, _]:
                found = GameNotFound(game_id)
            case [b"forked", actual, actual_hash]:
                found = HistoryForked(game_id, expected.version, actual, actual_hash.decode())
            case [b"conflict", actual, entries]:
                missed = events_from_entries(game_id, entries, after=expected.version)
                found = VersionConflict(game_id, expected.version, actual, missed)
            case [b"damaged", what]:
                found = StoreDamaged(f"Nothing was appended to game {game_id}: {what.decode()}.")
            case other:
                found = StoreRefused(f"The store's append function gave an answer we do not know: {other!r}.")
        return found

    def _stored(self, game_id: str, after: int, limit: int | None) -> tuple[RecordedEvent, ...]:
        if not is_game_id(game_id) or limit == 0:
            return ()
        log = GameKeys(game_id, self.partitions).log
        count = () if limit is None else ("COUNT", limit)
        entries = self.connection.command("XRANGE", log, f"{after + 1}-0", "+", *count)
        return events_from_entries(game_id, entries, after=after)

    def head(self, game_id: str) -> Head | None:
        """Return where the game stands, or None when it does not exist."""
        if not is_game_id(game_id):
            return None
        key = GameKeys(game_id, self.partitions).head
        version, chain_hash = self.connection.command("HMGET", key, "version", "hash")
        if version is None or chain_hash is None:
            return None
        return Head(version=int(version), hash=chain_hash.decode())

    def private(self, game_id: str) -> dict[str, str]:
        """Return the game's private fields; raises GameNotFound."""
        if self.head(game_id) is None:
            raise GameNotFound(game_id)
        found = self.connection.command("HGETALL", GameKeys(game_id, self.partitions).private)
        texts = map(bytes.decode, found)
        return dict(zip(texts, texts, strict=True))

    def idempotency_record(self, game_id: str, command_id: str) -> IdempotencyRecord | None:
        """Return fingerprint and first answer of a command appended to this game, or None.

        Where a replica is required this too is an acknowledgement, and raises `StoreUnavailable` without one.
        """
        if not is_game_id(game_id):
            return None
        keys = GameKeys(game_id, self.partitions)
        asked = ("HGET", keys.commands, command_id)
        remembered = self.connection.command(*asked)
        if remembered is not None and self._await_replica:
            # Whoever hears of it takes it as done.
            remembered = self.functions.read_acknowledged(asked, keys.acknowledged, REPLICA_MILLISECONDS)
        if remembered is None:
            return self.archiving.idempotency_record(game_id, command_id)
        return msgspec.json.decode(remembered, type=RememberedAnswer).known()

    def read_with_command(self, game_id: str, version: int, command_id: str) -> LogWithCommand:
        """Return what is known of a command and the game's events from a version on."""
        asked = self.log_with_command_questions(game_id, version, command_id)
        if asked is None:
            return LogWithCommand(None, ())
        remembered, stored = self.connection.commands(*asked)
        # Where it is remembered, or the game archived, there is more to it than reading.
        ask = remembered is not None or not stored
        known = self.idempotency_record(game_id, command_id) if ask else None
        return self.read_log_with_command(game_id, version, stored, known)

    def log_with_command_questions(
        self, game_id: str, version: int, command_id: str
    ) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return the commands that `read_with_command` begins with, or None for what cannot be a game."""
        if not is_game_id(game_id):
            return None
        keys = GameKeys(game_id, self.partitions)
        return ("HGET", keys.commands, command_id), ("XRANGE", keys.log, f"{max(version, 1)}-0", "+")

    def fields_with_log_questions(
        self, game_id: str, version: int, names: Sequence[str]
    ) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return the commands that read private fields of a game and its log, or None for what cannot be a game."""
        if not is_game_id(game_id):
            return None
        keys = GameKeys(game_id, self.partitions)
        return ("HMGET", keys.private, *names), ("XRANGE", keys.log, f"{max(version, 1)}-0", "+")

    def read_log_with_command(
        self, game_id: str, version: int, stored: Sequence[Entry], known: IdempotencyRecord | None = None
    ) -> LogWithCommand:
        """Return what these stream entries, from a version on, mean."""
        return LogWithCommand(known, events_from_entries(game_id, stored, after=max(version, 1) - 1))

    def read_feed(self, partition: int, after: int = 0, limit: int = 1000) -> tuple[FeedEntry, ...]:
        """Return a partition's feed entries after a position, at most `limit`."""
        if limit == 0:
            return ()
        entries = self.connection.command(
            "XRANGE", feed_key(partition), f"{max(after, 0) + 1}-0", "+", "COUNT", limit
        )
        return tuple(feed_entry_from_entry(entry) for entry in entries)

    def feed_end(self, partition: int) -> int:
        """Return the position of a partition's last feed entry; 0 when there is none."""
        return int(self.connection.command("GET", feed_head_key(partition)) or 0)

    def follow(
        self, positions: Mapping[int, int], timeout_seconds: float
    ) -> dict[int, tuple[FeedEntry, ...]]:
        """Wait until one of the partitions has something after its position, or time is up."""
        partitions = {feed_key(partition).encode(): partition for partition in positions}
        streams = {feed_key(partition): f"{after}-0" for partition, after in positions.items()}
        found = self.connection.read_streams(streams, FOLLOWED_ENTRIES, timeout_seconds)
        return {
            partitions[key]: tuple(feed_entry_from_entry(entry) for entry in entries)
            for key, entries in found
        }

    def ping(self) -> None:
        """Return when the store answers; raises StoreUnavailable when it does not."""
        self.connection.command("PING")

    def close(self) -> None:
        """Close all connections."""
        self.connection.close()

    def call_appending(
        self, function: str, keys: GameKeys, names: Sequence[str], arguments: Sequence[Argument], *known: str
    ) -> Any:
        """Call a function that appends; where a replica is required, return only when one has what it wrote.

        `known` are key and field of the hash in which it leaves its answer behind.
        """
        if not self._await_replica:
            return self.functions.call(function, names, arguments)
        return self.functions.append_acknowledged(
            names,
            arguments,
            ("HGET", *known),
            keys.acknowledged,
            REPLICA_MILLISECONDS,
            function=function,
        )


def require_redis(store: EventStore) -> RedisEventStore:
    """Return a store with its connection, for the modules that keep something of their own beside the log.

    Raises:
        TypeError: it is another kind of store.
    """
    if not isinstance(store, RedisEventStore):
        message = f"What is kept beside the log needs a store on Redis or Valkey, not {type(store).__name__}."
        raise TypeError(message)
    return store
