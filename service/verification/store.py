"""What verification keeps in the store: reports and their verdicts, receipts, and the transparency log.

{pNN}:projection:validations-1:reports         hash: a game -> its reports, newest first, as JSON
{pNN}:projection:validations-1:valid, :invalid sorted sets: games by when they were created
{pNN}:projection:validations-1:unreadable      hash: a game -> why it was not judged
{pNN}:projection:validations-1:listed          that every report has its verdict in a sorted set
{pNN}:projection:validations-1:receipts/<game> hash: what a receipt is about -> the receipt as JSON
{p00}:projection:transparency-1:leaves, :places, :unlisted   the log: by place, by game, and what is not public

Everything here may raise `StoreUnavailable`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from events.store.errors import StoreRefused
from events.store.event_store import EventStore
from events.store.redis.keys import projection_key
from events.store.redis.redis_store import require_redis

VALIDATIONS: Final = "validations-1"
VALID: Final = "valid"
INVALID: Final = "invalid"
LOG: Final = "transparency-1"
LOG_PARTITION: Final = 0
LEAVES: Final = "leaves"
PLACES: Final = "places"
UNLISTED: Final = "unlisted"
"""The part of the log's keys that holds the places of games which are not public."""
_REPORTS: Final = "reports"
_UNREADABLE: Final = "unreadable"
_LISTED: Final = "listed"
"""The part that says that every report has its verdict in a sorted set; releases before had none."""
_CHUNK: Final = 500


class ReportRecords:
    """The reports on finished games, as they are kept."""

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the logs of this store."""
        self._store = require_redis(store)
        self._command = self._store.connection.command

    def get(self, game: str) -> bytes:
        """The reports on a game; empty where there are none."""
        return bytes(self._command("HGET", self._key_of(game, _REPORTS), game) or b"")

    def several(self, partition: int, games: Sequence[str]) -> list[bytes | None]:
        """The reports on several games of one partition, in order."""
        found: list[bytes | None] = self._command(*self.question(partition, games))
        return found

    def question(self, partition: int, games: Sequence[str]) -> tuple[str, ...]:
        """The command that asks for them, to be sent together with others."""
        return ("HMGET", _key(partition, _REPORTS), *games)

    def verdict_keys(self, partition: int) -> tuple[str, str]:
        """The keys of the sorted sets of the games found valid, and of those found invalid."""
        return _key(partition, VALID), _key(partition, INVALID)

    def replace(self, game: str, old: bytes, new: bytes, created: int, verdict: str) -> bool:
        """Keep other reports than those that were read; False when somebody has changed them since.

        Raises:
            StoreRefused
        """
        partition = self._store.partition_of(game)
        verdicts = self.verdict_keys(partition)
        if verdict == INVALID:
            verdicts = verdicts[::-1]
        keys = (_key(partition, _REPORTS), *verdicts)
        match self._store.functions.call("report", keys, (game, old, new, created)):
            case [b"kept"]:
                return True
            case [b"elsewhere"]:
                return False
            case other:
                raise StoreRefused(f"The report on game {game} was not kept: {other!r}.")

    def games(self, partition: int) -> Iterator[str]:
        """The games of a partition with reports; some perhaps twice."""
        cursor = b"0"
        while True:
            cursor, found = self._command("HSCAN", _key(partition, _REPORTS), cursor, "COUNT", _CHUNK)
            yield from (name.decode() for name in found[::2])
            if cursor == b"0":
                return

    def is_listed(self, partition: int) -> bool:
        """Whether every report of a partition has its verdict in a sorted set."""
        return bool(self._command("EXISTS", _key(partition, _LISTED)))

    def mark_listed(self, partition: int) -> None:
        """Note that this is so from now on."""
        self._command("SET", _key(partition, _LISTED), 1)

    def unreadable(self, partition: int, games: Sequence[str]) -> list[bytes | None]:
        """Why games of a partition were not judged, in order; None where nothing is noted."""
        found: list[bytes | None] = self._command("HMGET", _key(partition, _UNREADABLE), *games)
        return found

    def note_unreadable(self, game: str, why: bytes) -> None:
        """Note why a game was not judged."""
        self._command("HSET", self._key_of(game, _UNREADABLE), game, why)

    def forget_unreadable(self, game: str) -> None:
        """Forget why a game was not judged."""
        self._command("HDEL", self._key_of(game, _UNREADABLE), game)

    def forget_all_unreadable(self) -> None:
        """Forget why any game was not judged."""
        for partition in range(self._store.partitions):
            self._command("UNLINK", _key(partition, _UNREADABLE))

    def _key_of(self, game: str, part: str) -> str:
        return _key(self._store.partition_of(game), part)


class ReceiptRecords:
    """The receipts of audits, as they are kept."""

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the logs of this store."""
        self._store = require_redis(store)

    def of(self, game: str) -> list[bytes]:
        """All receipts of a game."""
        found: list[bytes] = self._store.connection.command("HVALS", self._key(game))
        return found

    def put(self, game: str, receipts: Mapping[str, bytes]) -> None:
        """Keep receipts by what they are about, in one step."""
        fields = [each for pair in receipts.items() for each in pair]
        self._store.connection.command("HSET", self._key(game), *fields)

    def _key(self, game: str) -> str:
        return _key(self._store.partition_of(game), f"receipts/{game}")


class LeafRecords:
    """The transparency log's leaves; they are appended by `service.storage.checkpoints`."""

    def __init__(self, store: EventStore) -> None:
        """Read those of this store."""
        self._command = require_redis(store).connection.command

    def place_of(self, game: str) -> int | None:
        """A game's place in the log; None while it is not logged."""
        found = self._command("HGET", _log_key(PLACES), game)
        return int(found) if found is not None else None

    def at(self, places: Sequence[int]) -> list[bytes | None]:
        """The leaves at these places; None for one that is not there."""
        found: list[bytes | None] = self._command("HMGET", _log_key(LEAVES), *places)
        return found

    def are_unlisted(self, places: Sequence[int]) -> list[bool]:
        """Which of these places are of games that are not public."""
        return [bool(each) for each in self._command("SMISMEMBER", _log_key(UNLISTED), *places)]

    def unlisted(self) -> frozenset[int]:
        """The places of all games that are not public."""
        return frozenset(int(each) for each in self._command("SMEMBERS", _log_key(UNLISTED)))


def _key(partition: int, part: str) -> str:
    return projection_key(partition, VALIDATIONS, part)


def _log_key(part: str) -> str:
    return projection_key(LOG_PARTITION, LOG, part)
