"""What can go wrong between the service and the store that keeps the log.

StoreError
├─ VersionConflict        someone else appended first, or the expected version lies ahead
├─ HistoryForked          the expected version is there, with another chain hash
├─ CommandIdReused        the command id is known, for a different request
├─ GameNotFound           no such game
├─ RequirementUnmet       a private field of the game has not the value that an append requires
├─ CheckpointMoved        another projector moved the checkpoint first
├─ StoreUnavailable       no answer for now: try again later
│   └─ ArchiveUnavailable     the game is archived, and the archive cannot be reached for now
├─ StoreDamaged           what is stored does not hold together: nothing is appended to it
│   └─ ArchiveDamaged         the archive's copy of a game is not the one that was written
├─ PartitionQuarantined   the game's partition is damaged, or has lost something: it takes nothing
└─ StoreRefused           the store answered and will not: someone has to act
    └─ StoreMisconfigured     refused at start: the store's settings or its installation do not fit ours

None of them knows HTTP; `service` maps them to problem documents.
"""

from typing import Final

from events.log.recorded import RecordedEvent

START_AGAIN: Final = (
    "Empty the store and begin again: remove an embedded store's data folder, or give another one; empty another "
    "server with FLUSHALL, and remove the data folder."
)
"""What to do with a store into which a backup was not restored to the end."""


class StoreError(Exception):
    """Base of everything a store raises; never raised itself."""


class VersionConflict(StoreError):
    """The game is not at the version the append expected.

    `missed` holds the first events that were appended after `expected`, in order, `MOST_MISSED` at most: if it ends
    before `actual`, read on behind it. It is empty when `expected` lies ahead of the game: then the caller has seen a
    version this store does not have.
    """

    def __init__(self, game_id: str, expected: int, actual: int, missed: tuple[RecordedEvent, ...]) -> None:
        """Name the game, the version that was expected, the version it is at, and the events in between."""
        super().__init__(f"Game {game_id} is at version {actual}, not at the expected version {expected}.")
        self.game_id = game_id
        self.expected = expected
        self.actual = actual
        self.missed = missed

    @property
    def is_whole(self) -> bool:
        """Whether `missed` holds every event after the expected version."""
        return self.expected + len(self.missed) == self.actual


class HistoryForked(StoreError):
    """The log holds another event at the expected version than the one that the append would continue.

    So it does when the store has lost the end of its log, in a failover say, and others have played on since.
    """

    def __init__(self, game_id: str, expected: int, actual: int, actual_hash: str) -> None:
        """Name the game, the version that was expected, and version and chain hash it is at."""
        super().__init__(
            f"Game {game_id} has another event at version {expected} than the one expected there;"
            f" it is at version {actual}."
        )
        self.game_id = game_id
        self.expected = expected
        self.actual = actual
        self.actual_hash = actual_hash


class CommandIdReused(StoreError):
    """The command id was used in this game before, with a different fingerprint; nothing was appended."""

    def __init__(self, game_id: str, command_id: str) -> None:
        """Name the game and the command id."""
        super().__init__(f"Command id {command_id!r} was used in game {game_id} for a different request.")
        self.game_id = game_id
        self.command_id = command_id


class GameNotFound(StoreError):
    """The store holds no game with this id."""

    def __init__(self, game_id: str) -> None:
        """Name the game that was asked for."""
        super().__init__(f"There is no game {game_id!r}.")
        self.game_id = game_id


class RequirementUnmet(StoreError):
    """A private field of the game has another value than the one an append requires; nothing was appended."""

    def __init__(self, game_id: str, field: str) -> None:
        """Name the game and the field."""
        super().__init__(f"Field {field!r} of game {game_id} has not the required value.")
        self.game_id = game_id
        self.field = field


class CheckpointMoved(StoreError):
    """The stored checkpoint is not the one the projection started from; nothing was applied.

    Another projector was faster, or an earlier attempt of this one was applied and only its answer was
    lost. Either way: go on from `actual`.
    """

    def __init__(self, projection: str, partition: int, expected: int, actual: int) -> None:
        """Name the projection, the partition, the position that was expected and the stored one."""
        super().__init__(
            f"Projection {projection} of partition {partition} stands at {actual}, not at {expected}."
        )
        self.projection = projection
        self.partition = partition
        self.expected = expected
        self.actual = actual


class StoreUnavailable(StoreError):
    """The store cannot be reached, is starting, or did not answer in time; try again later.

    An append that ends so may have been written. Sent again with the same command id it is written once.
    """


class ArchiveUnavailable(StoreUnavailable):
    """The game is archived, and its archive cannot be reached; the rest of the store can."""


class StoreDamaged(StoreError):
    """Head and stream of a game, or of a feed, disagree; nothing is appended until someone has looked."""


class ArchiveDamaged(StoreDamaged):
    """The file of an archived game is missing or changed: nothing of it is served until it is put back.

    It says nothing against the game, which was proved whole before it was archived.
    """


class PartitionQuarantined(StoreError):
    """A partition takes no appends until someone has looked at it; its games can be read."""

    def __init__(self, partition: int, reason: str) -> None:
        """Name the partition, and why."""
        super().__init__(f"Partition {partition} is quarantined: {reason}")
        self.partition = partition
        self.reason = reason


class StoreRefused(StoreError):
    """The store answered that it will not: out of memory, disk full, no permission, unknown command."""


class StoreMisconfigured(StoreRefused):
    """The store's settings are weaker than what is declared, or its installation differs from ours."""


class NotAsArchived(Exception):
    """A game is not as the caller saw it, so it was neither archived nor restored; the message says why."""
