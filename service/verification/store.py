"""What verification keeps in the store: reports and their verdicts, receipts, and the transparency log.

{pNN}:projection:validations-1:reports         hash: a game -> its reports, newest first, as JSON
{pNN}:projection:validations-1:valid, :invalid sorted sets: games by when they were created
{pNN}:projection:validations-1:unreadable      hash: a game -> why it was not judged, or who found it invalid
{pNN}:projection:validations-1:listed          that every report has its verdict in a sorted set
{pNN}:projection:validations-1:receipts/<game> hash: what a receipt is about -> the receipt as JSON
{p00}:projection:transparency-1:leaves, :places, :unlisted   the log: by place, by game, and what is not public
{p00}:projection:cosignatures-1:lines          sorted set: root and signature line of a witness, by the log's size

Everything here may raise `StoreUnavailable`.
"""

import base64
import logging
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from events.store.errors import GameNotFound, StoreDamaged, StoreRefused
from events.store.event_store import EventStore
from events.store.redis.keys import projection_key
from events.store.redis.redis_store import require_redis
from service.verification.receipts import PublishedReceipt

VALIDATIONS: Final = "validations-1"
VALID: Final = "valid"
INVALID: Final = "invalid"
PENDING: Final = "pending"
LOG: Final = "transparency-1"
LOG_PARTITION: Final = 0
LEAVES: Final = "leaves"
PLACES: Final = "places"
UNLISTED: Final = "unlisted"
"""The part of the log's keys that holds the places of games which are not public."""
COSIGNATURES: Final = "cosignatures-1"
"""Not among the log's own keys: a backup copies them as they are."""
_REPORTS: Final = "reports"
_UNREADABLE: Final = "unreadable"
MOST_REPORTS: Final = 20
"""Reports kept per game; the oldest go first."""
_FIRST: Final = 64
"""Signature lines that are looked at for the first of each witness."""
_log = logging.getLogger("fieldbook.validations")


class Unreadable(msgspec.Struct, frozen=True):
    """Why a game was not judged: a release could not read it, and says nothing against it.

    With a game that was found invalid it stands too: an older release cannot always tell what it does not know from
    what does not hold, so one that reads something else judges it again.
    """

    version: int
    release: str
    """What that release could read; see `service.verification.readable.readable_here`."""
    reason: str


class Validations:
    """The validator's reports, the verdict that the list shows, and which games this release cannot judge.

    Reports are no projection: nothing computes them again. A game's reports and the sorted set of its verdict, by
    which the list finds it, change in one step, and only if nobody else has changed them since they were read. So a
    job may run twice, and two workers may judge one game at once.
    """

    def __init__(self, store: EventStore) -> None:
        """Keep them in this store."""
        self._store = require_redis(store)
        self._command = self._store.connection.command

    def reports(self, game: str) -> list[dict[str, Any]]:
        """All reports on a game, newest first."""
        return _decode(self._get(game))

    def add(self, game: str, report: dict[str, Any]) -> None:
        """Keep a report. One on the same version by the same engine is replaced, so a job may run twice."""
        created = self._read_created(game)
        while True:
            stored = self._get(game)
            kept = [each for each in _decode(stored) if _about(each) != _about(report)]
            if self._replace(game, stored, msgspec.json.encode([report, *kept][:MOST_REPORTS]), created):
                self._command("HDEL", self._key_of(game, _UNREADABLE), game)
                return

    def verdict(self, game: str) -> str:
        """`pending`, or by the newest report `valid` or `invalid`."""
        return self.verdicts(self._store.partition_of(game), [game])[0]

    def verdicts(self, partition: int, games: Sequence[str]) -> list[str]:
        """The verdicts on several games of one partition, in order."""
        return [verdict_of(reports) for reports in self._command(*self.question(partition, games))]

    def question(self, partition: int, games: Sequence[str]) -> tuple[str, ...]:
        """The command that asks the store for the reports on several games of one partition, for `verdict_of`."""
        return ("HMGET", _key(partition, _REPORTS), *games)

    def verdict_keys(self, partition: int) -> tuple[str, str]:
        """The keys of the sorted sets of the games found valid, and of those found invalid."""
        return _key(partition, VALID), _key(partition, INVALID)

    def invalid(self, partition: int) -> list[str]:
        """The games of a partition that were found invalid."""
        return [each.decode() for each in self._command("ZRANGE", _key(partition, INVALID), 0, -1)]

    def unreadable(self, partition: int, games: Sequence[str]) -> list[Unreadable | None]:
        """Why games of a partition were not judged when it was tried; None for those judged since, or not tried."""
        stored = self._command("HMGET", _key(partition, _UNREADABLE), *games)
        return [msgspec.json.decode(why, type=Unreadable) if why is not None else None for why in stored]

    def note_unreadable(self, game: str, why: Unreadable) -> None:
        """Remember why the game was not judged, so that it is tried again only where that may have changed."""
        self._command("HSET", self._key_of(game, _UNREADABLE), game, msgspec.json.encode(why))

    def forget_unreadable(self) -> None:
        """Have all games that could not be read tried again."""
        for partition in range(self._store.partitions):
            self._command("UNLINK", _key(partition, _UNREADABLE))

    def _get(self, game: str) -> bytes:
        """The reports on a game as they are stored; empty where there are none."""
        return bytes(self._command("HGET", self._key_of(game, _REPORTS), game) or b"")

    def _replace(self, game: str, old: bytes, new: bytes, created: int) -> bool:
        """Keep other reports than those that were read; False when somebody has changed them since."""
        partition = self._store.partition_of(game)
        verdicts = self.verdict_keys(partition)
        if verdict_of(new) == INVALID:
            verdicts = verdicts[::-1]
        keys = (_key(partition, _REPORTS), *verdicts)
        match self._store.functions.call("report", keys, (game, old, new, created)):
            case [b"kept"]:
                return True
            case [b"elsewhere"]:
                return False
            case other:
                raise StoreRefused(f"The report on game {game} was not kept: {other!r}.")

    def _read_created(self, game: str) -> int:
        """When the game was created (milliseconds); 0 where its first entry is lost, as the list has it."""
        try:
            return next((entry.at for entry in self._store.read(game, 0, 1)), 0)
        except (GameNotFound, StoreDamaged):
            return 0

    def _key_of(self, game: str, part: str) -> str:
        return _key(self._store.partition_of(game), part)


def verdict_of(reports: bytes | None) -> str:
    """The verdict of the reports on a game as they are stored."""
    newest = next(iter(_decode(reports)), None)
    if newest is None:
        return PENDING
    return VALID if newest.get("ok") else INVALID


def _decode(stored: bytes | None) -> list[dict[str, Any]]:
    """Stored reports; none where they cannot be read, so that the game is judged again."""
    try:
        return msgspec.json.decode(stored, type=list[dict[str, Any]]) if stored else []
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        _log.error("the reports of a game cannot be read, it is judged again: %s", error)
        return []


def _about(report: dict[str, Any]) -> tuple[Any, Any]:
    return report.get("version"), report.get("engine_version")


class Receipts:
    """The signed receipts of audits, kept beside the validator's reports."""

    def __init__(self, store: EventStore) -> None:
        """Keep them in this store."""
        self._store = require_redis(store)

    def of(self, game: str) -> tuple[PublishedReceipt, ...]:
        """All receipts of a game, newest first."""
        stored = self._store.connection.command("HVALS", self._key(game))
        receipts = [msgspec.json.decode(each, type=PublishedReceipt) for each in stored]
        return tuple(sorted(receipts, key=lambda each: (each.at, each.system_version), reverse=True))

    def publish(self, game: str, receipts: tuple[PublishedReceipt, ...]) -> None:
        """Keep receipts, in one step. One on the same head by the same rules and engine is replaced.

        Each has a field of its own, so audits in several processes do not get into each other's way.
        """
        fields = [part for each in receipts for part in (each.about, msgspec.json.encode(each))]
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


class CosignatureRecords:
    """What witnesses have co-signed of the transparency log.

    A line stands with the root that it is about: should the store lose entries of the log and go on, what was
    co-signed of those is not handed out with others.
    """

    def __init__(self, store: EventStore) -> None:
        """Keep them in this store."""
        self._command = require_redis(store).connection.command
        self._key = projection_key(LOG_PARTITION, COSIGNATURES, "lines")

    def add(self, size: int, root: str, line: str) -> None:
        """Keep a witness's signature line on the log of this size; one that is there already stays the only one."""
        if not any(_signer(each) == _signer(line) for each in self.of(size, root)):
            self._command("ZADD", self._key, size, f"{root} {line}")

    def of(self, size: int, root: str) -> list[str]:
        """The signature lines on the log of this size with this root, one of each witness."""
        found = [member.decode().partition(" ") for member in self._command(*self._range(size, size))]
        lines = [line for of_root, _, line in found if of_root == root]
        return list({_signer(line): line for line in reversed(lines)}.values())[::-1]

    def first_sizes(self, beyond: int, most: int) -> list[int]:
        """The sizes larger than `beyond` that were the first for one witness or more, so many at most."""
        found = self._command(*self._range(f"({beyond}", "+inf"), "WITHSCORES", "LIMIT", 0, _FIRST)
        sizes: dict[tuple[str, ...], int] = {}
        for member, size in zip(found[::2], found[1::2], strict=True):
            sizes.setdefault(_signer(member.decode().partition(" ")[2]), int(float(size)))
        return sorted(set(sizes.values()))[:most]

    def last_size(self) -> int | None:
        """The largest size that a witness has co-signed; None where none has."""
        found = self._command("ZRANGE", self._key, -1, -1, "WITHSCORES")
        return int(float(found[1])) if found else None

    def _range(self, least: int | str, most: int | str) -> tuple[int | str, ...]:
        return "ZRANGEBYSCORE", self._key, least, most


def _signer(line: str) -> tuple[str, ...]:
    """Name and key id of a signature line: who made it."""
    _, name, value = line.split(" ")
    return name, base64.b64decode(value)[:4].hex()


def _key(partition: int, part: str) -> str:
    return projection_key(partition, VALIDATIONS, part)


def _log_key(part: str) -> str:
    return projection_key(LOG_PARTITION, LOG, part)
