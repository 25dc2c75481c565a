"""The store of the log: what every store promises, whatever keeps the bytes.

`tests/events/store/store_contract.py` is this promise as tests; every store passes the same ones.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol

import msgspec

from events.chain.hash_chain import GENESIS
from events.log.recorded import RecordedEvent
from events.store.errors import CommandIdReused, HistoryForked, VersionConflict
from events.store.partitions import is_game_id
from events.store.quarantine import Quarantine

FORMAT: Final = 1
"""Version of the key scheme and of what stands in the keys."""

DEFAULT_PARTITIONS: Final = 16
"""Number of partitions of a new installation when none is configured."""

LONGEST_COMMAND_ID: Final = 255
"""Characters of a command id or fingerprint at most."""

MOST_MISSED: Final = 64
"""Events that a conflict names at most."""

FOLLOWED_ENTRIES: Final = 1000
"""Feed entries per partition in one answer of `follow` at most."""

NOTHING_PRIVATE: Final[Mapping[str, str]] = MappingProxyType({})
"""The private fields of an append that writes or requires none."""


class Appended(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to an append; the same for ever for the same command id."""

    first_version: int
    """Version of the first event of this append."""
    last_version: int
    """Version of its last event: the game's version right after it."""
    head_hash: str
    """Chain hash of its last event, in hex."""
    duplicate: bool = False
    """True when this command id was appended before and nothing was written now."""


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """Where a game stands."""

    version: int
    """Version of the last event."""
    hash: str
    """Chain hash of the last event, in hex."""


class FeedEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One append, as a partition's feed tells it."""

    position: int
    """Place in the feed: 1, 2, 3 and so on without a gap, in the order of the appends."""
    game_id: str
    """The game that was appended to."""
    first_version: int
    """Version of the first event of the append."""
    last_version: int
    """Version of its last event."""
    hash: str
    """Chain hash of its last event, in hex."""


class Installation(msgspec.Struct, frozen=True, kw_only=True):
    """What is fixed when a store is used for the first time; every later process reads the same."""

    format: int
    """Version of the key scheme."""
    partitions: int
    """Number of partitions; it decides where a game's keys are and can never change."""
    installation_id: str
    """Random name of this installation, in hex."""
    token_key: str
    """Random key for signing tokens, in hex; a secret."""


class IdempotencyRecord(NamedTuple):
    """What the store keeps about a command it has appended."""

    fingerprint: str
    """Fingerprint of the request."""
    answer: Appended
    """The first answer, with `duplicate` set."""


class LogWithCommand(NamedTuple):
    """What a look at a game shows: whether a command is known, and where the log goes on."""

    known: IdempotencyRecord | None
    """The command, if it was appended."""
    entries: tuple[RecordedEvent, ...]
    """The events from a version on, that one included; none where they have to be read from an archive."""


class EventStore(Protocol):
    """Keeps every game's events in order, for ever, and a gapless feed per partition.

    Safe to use from many threads at once. Besides the errors named below every method may raise
    `StoreUnavailable`, `StoreRefused` and `StoreDamaged` of `events.store.errors`.
    """

    quarantine: Quarantine
    """The partitions that take no appends."""

    @property
    def installation(self) -> Installation:
        """What was fixed at first use."""
        ...

    @property
    def partitions(self) -> int:
        """Number of partitions."""
        ...

    def partition_of(self, game_id: str) -> int:
        """Return the partition, counted from 0, whose feed tells of this game."""
        ...

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
        """Append events, numbered on from `expected_version`, in one step that happens wholly or not at all.

        `expected_version` 0 creates the game. `expected_hash` is the chain hash of the event that the first
        one is linked to: nothing is ever appended that does not continue the chain. `private` are fields set
        in the same step in the game's private record, which is no part of the log; `required` are fields of it
        that must have these values, also where the command id is known: who was admitted by one is admitted no
        moment longer than it has its value. A command id that was
        appended before gets its first answer with `duplicate` set, whatever is expected, and nothing is
        written; so an append without an answer can be sent again. Command ids are remembered as long as the
        game.

        Raises:
            RequirementUnmet: a required private field has another value, or none.
            CommandIdReused: the command id is known with another fingerprint.
            GameNotFound: the game does not exist and `expected_version` is not 0.
            HistoryForked: the game has the expected version with another chain hash.
            VersionConflict: the game is at another version.
            PartitionQuarantined: nothing is appended to the game's partition for now.
            ValueError: the request itself makes no sense (see `check_append`).
        """
        ...

    def read(self, game_id: str, after: int = 0, limit: int | None = None) -> tuple[RecordedEvent, ...]:
        """Return the game's events with a version greater than `after`, in order, at most `limit` of them.

        Raises:
            GameNotFound: the game does not exist.
        """
        ...

    def head(self, game_id: str) -> Head | None:
        """Return where the game stands, or None when it does not exist."""
        ...

    def private(self, game_id: str) -> dict[str, str]:
        """Return the game's private fields.

        Raises:
            GameNotFound: the game does not exist.
        """
        ...

    def idempotency_record(self, game_id: str, command_id: str) -> IdempotencyRecord | None:
        """Return fingerprint and first answer of a command appended to this game, or None."""
        ...

    def read_with_command(self, game_id: str, version: int, command_id: str) -> LogWithCommand:
        """Return, by one question, what is known of a command and the game's events from a version on."""
        ...

    def read_feed(self, partition: int, after: int = 0, limit: int = 1000) -> tuple[FeedEntry, ...]:
        """Return at most `limit` entries of a partition's feed, in order, from after position `after`."""
        ...

    def feed_end(self, partition: int) -> int:
        """Return the position of a partition's last feed entry; 0 when there is none."""
        ...

    def follow(
        self, positions: Mapping[int, int], timeout_seconds: float
    ) -> dict[int, tuple[FeedEntry, ...]]:
        """Wait until one of the partitions has something after its position, or time is up.

        `positions` maps partitions to the position last seen. The answer holds only partitions that have
        something, each with some of its next entries; it is empty when time is up.
        """
        ...

    def ping(self) -> None:
        """Return when the store answers; raises `StoreUnavailable` when it does not."""
        ...


def check_append(
    game_id: str,
    events: Sequence[RecordedEvent],
    expected: Head,
    command_id: str,
    fingerprint: str,
) -> None:
    """Refuse an append that no store could answer sensibly.

    Raises:
        ValueError: bad game id, no events, events not numbered on from the expected version, an expected hash
            that no such version has, or a command id or fingerprint that is empty or too long.
    """
    if not is_game_id(game_id):
        message = f"{game_id!r} cannot be a game id: 1 to 64 letters, digits, '-' and '_'."
        raise ValueError(message)
    if expected.version < 0 or not events:
        message = "An append needs at least one event and an expected version of 0 or more."
        raise ValueError(message)
    versions = [event.version for event in events]
    if versions != list(range(expected.version + 1, expected.version + 1 + len(events))):
        message = f"Events after version {expected.version} must be numbered on from it, not {versions}."
        raise ValueError(message)
    if (expected.version == 0) != (expected.hash == GENESIS):
        message = f"Version {expected.version} cannot have the chain hash {expected.hash!r}."
        raise ValueError(message)
    for text in (command_id, fingerprint):
        if not 1 <= len(text) <= LONGEST_COMMAND_ID:
            message = f"Command id and fingerprint need 1 to {LONGEST_COMMAND_ID} characters."
            raise ValueError(message)


def first_answer(game_id: str, command_id: str, fingerprint: str, known: IdempotencyRecord) -> Appended:
    """The first answer to a command id that is known.

    Raises:
        CommandIdReused: it is known with another fingerprint.
    """
    if known.fingerprint != fingerprint:
        raise CommandIdReused(game_id, command_id)
    return known.answer


def conflict_with(
    game_id: str, events: Sequence[RecordedEvent], expected_version: int, expected_hash: str
) -> HistoryForked | VersionConflict:
    """Why an append that expects this version and hash cannot be made to a game that holds these events.

    `events` are all of the game's, at least one.
    """
    head = events[-1]
    if 0 < expected_version <= head.version and events[expected_version - 1].hash != expected_hash:
        return HistoryForked(game_id, expected_version, head.version, head.hash)
    missed = tuple(events[expected_version : expected_version + MOST_MISSED])
    return VersionConflict(game_id, expected_version, head.version, missed)
