"""The dispute logs of a store's games: read whole, and written entry after entry.

They stand in a stream of their own beside the game's log, which an archived game keeps. Two who write at once both
get in, one after the other: the store compares number and hash. What a step of a case brings about in the game itself
is appended in the same step of the store, so neither is ever there without the other.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from events.disputes.entries import DisputeLogBroken, Entry, next_entries, read_entries
from events.disputes.events import Happened
from events.disputes.evolve import fold
from events.disputes.state import FINAL, Case, Cases, ruled_result
from events.hash_chain import GENESIS
from events.partitions import is_game_id
from events.recorded import RecordedEvent
from events.redis_entries import RememberedAnswer, append_arguments
from events.redis_keys import GameKeys, dispute_queue_key, rulings_key
from events.redis_pool import Argument
from events.redis_store import RedisEventStore
from events.store import Head
from events.store_errors import (
    CommandIdReused,
    GameNotFound,
    PartitionQuarantined,
    StoreDamaged,
    StoreRefused,
)

QUEUE: Final = "queue"
ROWS: Final = "rows"
DUE: Final = "due"
RESULTS: Final = "results"
MOST_INDEXED: Final = 1000
"""Final rulings about one kind of thing that are found from other games: the newest."""
_FIELDS: Final = [b"l", b"h", b"k", b"a"]


class Remembered(msgspec.Struct, frozen=True):
    """The answer to a request that wrote something: which case, the last entry, and the status after it."""

    fingerprint: str
    case: int
    number: int
    hash: str
    status: str


class RuledResult(msgspec.Struct, frozen=True):
    """The result that an arbiter gave a finished game: `kind` is `annulled`, `awarded` or `replaced`."""

    kind: str
    winners: tuple[int, ...]
    scores: tuple[int, ...]


class Row(msgspec.Struct, frozen=True):
    """A case that has not ended, as the queue has it."""

    game: str
    dispute: int
    status: str
    reason: str
    version: int
    opened: int
    opener: str
    until: int | None
    arbiter: str | None
    entries: int
    """How many entries the game's dispute log had when the row was written."""
    pack_due: bool = False
    """Whether the case waits for an evidence pack."""


class Moved(Exception):
    """Somebody else has written first: look again, and decide again."""


@dataclass(frozen=True, slots=True)
class DisputeLog:
    """All cases of a game, with what was answered to each request."""

    game: str
    entries: tuple[Entry, ...]
    cases: Cases
    answers: dict[str, Remembered]

    @property
    def last(self) -> Entry | None:
        """The last entry."""
        return self.entries[-1] if self.entries else None

    @property
    def hash(self) -> str:
        """The hash after the last entry."""
        return self.entries[-1].hash if self.entries else GENESIS


@dataclass(frozen=True, slots=True)
class InTheGame:
    """What a step of a case brings about in the game's log: entries that follow this head."""

    head: Head
    entries: Sequence[RecordedEvent]


class Disputes:
    """The dispute logs in a store. Every method may raise StoreUnavailable and StoreDamaged."""

    def __init__(self, store: RedisEventStore) -> None:
        """Keep them in this store."""
        self._store = store

    def of(self, game: str) -> DisputeLog:
        """The cases of a game, archived or not; none for a game that does not exist."""
        lines, answers = [], {}
        for _, fields in self._store.connection.command("XRANGE", self._keys(game).disputes, "-", "+"):
            if fields[::2] != _FIELDS:
                raise StoreDamaged(f"A case of game {game} has other fields than it must: {fields[::2]!r}.")
            line, chain_hash, request, answer = fields[1::2]
            lines.append((line, chain_hash.decode()))
            if request:
                answers[request.decode()] = msgspec.json.decode(answer, type=Remembered)
        try:
            entries = tuple(read_entries(game, lines))
        except DisputeLogBroken as broken:
            raise StoreDamaged(f"Game {game}: {broken}.") from broken
        return DisputeLog(game, entries, fold(each.happened for each in entries), answers)

    def ruled(self, games: Sequence[str]) -> list[RuledResult | None]:
        """What rulings made of each of these games after its end; None where they left its result alone."""
        places: dict[int, list[str]] = {}
        for game in games:
            places.setdefault(self._store.partition_of(game), []).append(game)
        asked = [("HMGET", dispute_queue_key(each, RESULTS), *listed) for each, listed in places.items()]
        replies = self._store.connection.independent_commands(asked)
        found: dict[str, RuledResult] = {}
        for listed, stored in zip(places.values(), replies, strict=True):
            for game, result in zip(listed, stored, strict=True):
                if result is not None:
                    found[game] = msgspec.json.decode(result, type=RuledResult)
        return [found.get(game) for game in games]

    def extent(self, game: str) -> int:
        """How many entries the dispute log of a game has."""
        found: int = self._store.connection.command("XLEN", self._keys(game).disputes)
        return found

    def known(self, log: DisputeLog, who: str, request: str, fingerprint: str) -> Remembered | None:
        """What was answered to this request of theirs; None for a new one.

        Raises:
            CommandIdReused: it was another request then.
        """
        found = log.answers.get(_name(who, request))
        if found is not None and found.fingerprint != fingerprint:
            raise CommandIdReused(log.game, request)
        return found

    def append(  # noqa: PLR0917 - what an append is made of
        self,
        log: DisputeLog,
        happened: Sequence[Happened],
        who: str,
        request: str,
        fingerprint: str,
        in_the_game: InTheGame | None = None,
    ) -> tuple[Remembered, bool]:
        """Append events of one case, and what they bring about in the game; and whether the request was known.

        Raises:
            Moved: the cases, or the game, are not where they were seen.
            CommandIdReused, GameNotFound, PartitionQuarantined
        """
        entries = next_entries(log.game, log.last, happened)
        number = happened[0].case
        cases = fold(happened, log.cases)
        case = cases[number - 1]
        answer = Remembered(fingerprint, number, entries[-1].number, entries[-1].hash, case.status)
        keys = self._keys(log.game)
        names = [keys.head, keys.disputes, keys.disputes_index, keys.quarantine, *self._queue(log.game)]
        named = _name(who, request)
        arguments: list[Argument] = [log.game, len(log.entries), log.hash, named, msgspec.json.encode(answer)]
        arguments += (*_queued(log.game, case, len(log.entries) + len(entries)), _result(cases), len(entries))
        for entry in entries:
            arguments += (entry.line, entry.hash)
        if in_the_game is not None:
            names += (
                keys.log,
                keys.head,
                keys.commands,
                keys.private,
                keys.feed,
                keys.feed_head,
                keys.quarantine,
            )
            arguments += _append_arguments(log.game, in_the_game, f"dispute-{named}")
        known = (keys.disputes_index, f"request:{named}")
        match self._store.call_appending("dispute", keys, names, arguments, *known):
            case [b"appended"]:
                self._note_final(log.game, case)
                return answer, False
            case [b"known", stored]:
                remembered = msgspec.json.decode(stored, type=Remembered)
                if remembered.fingerprint != fingerprint:
                    raise CommandIdReused(log.game, request)
                return remembered, True
            case [b"conflict", _] | [b"game", b"conflict" | b"forked" | b"archived", *_]:
                raise Moved
            case [b"missing"]:
                raise GameNotFound(log.game)
            case [b"quarantined", reason]:
                raise PartitionQuarantined(self._store.partition_of(log.game), reason.decode())
            case [b"damaged", what] | [b"game", b"damaged", what]:
                raise StoreDamaged(f"Nothing was written about game {log.game}: {what.decode()}.")
            case other:
                raise StoreRefused(f"The store's dispute function gave an answer we do not know: {other!r}.")

    def queue_again(self) -> int:
        """Put every case of the store that has not ended into the queue, as its log says; returns how many there are.

        For a store into which a backup was put: the queue is no part of it.
        """
        queued = 0
        for game in self._games():
            while not self._queue_game(log := self.of(game)):
                pass
            queued += sum(not case.is_over for case in log.cases)
        return queued

    def _note_final(self, game: str, case: Case) -> None:
        """Put a case with a final ruling into the index by reason, which is only for finding examples."""
        if case.status == FINAL:
            key, name = rulings_key(case.reason), f"{game}/{case.number}"
            self._store.connection.command("ZADD", key, case.changed, name)
            self._store.connection.command("ZREMRANGEBYRANK", key, 0, -MOST_INDEXED - 1)

    def _queue_game(self, log: DisputeLog) -> bool:
        """Queue a game's cases as they stand in this log; False where it has moved on since."""
        names = (self._keys(log.game).disputes, *self._queue(log.game))
        for case in log.cases:
            arguments: list[Argument] = [len(log.entries), *_queued(log.game, case, len(log.entries))]
            arguments += (_result(log.cases), log.game)
            if self._store.functions.call("queue_dispute", names, arguments)[0] != b"queued":
                return False
        return True

    def _games(self) -> list[str]:
        """Every game that has cases."""
        ending = ":disputes"
        found: set[str] = set()
        for server in self._store.connection.servers():
            cursor = b"0"
            while True:
                cursor, names = server.command("SCAN", cursor, "MATCH", f"*:game:*{ending}", "COUNT", 1000)
                found.update(name.decode().removesuffix(ending).rpartition(":")[2] for name in names)
                if cursor == b"0":
                    break
        return sorted(found)

    def _queue(self, game: str) -> list[str]:
        partition = self._store.partition_of(game)
        return [dispute_queue_key(partition, part) for part in (QUEUE, ROWS, DUE, RESULTS)]

    def _keys(self, game: str) -> GameKeys:
        if not is_game_id(game):
            raise GameNotFound(game)
        return GameKeys(game, self._store.partitions)


def _queued(game: str, case: Case, entries: int) -> tuple[str, int, bytes, str]:
    """The name, time, row and deadline of a case in the queue; an ended one has neither row nor deadline."""
    row = Row(
        game=game,
        dispute=case.number,
        status=case.status,
        reason=case.reason,
        version=case.version,
        opened=case.opened,
        opener=case.opener.who,
        until=case.until,
        arbiter=case.arbiter.who if case.arbiter is not None else None,
        entries=entries,
        pack_due=case.pack_due,
    )
    until = "" if case.until is None else str(case.until)
    return f"{game}/{case.number}", case.opened, b"" if case.is_over else msgspec.json.encode(row), until


def _result(cases: Cases) -> bytes:
    """The result that rulings gave a finished game, as it is kept for the list; empty for none."""
    ruling = ruled_result(cases)
    return (
        b""
        if ruling is None
        else msgspec.json.encode(RuledResult(ruling.kind, ruling.winners, ruling.scores))
    )


def _append_arguments(game: str, done: InTheGame, command_id: str) -> list[Any]:
    last = done.entries[-1]
    answer = RememberedAnswer(command_id, done.entries[0].version, last.version, last.hash)
    return append_arguments(game, done.head, done.entries, command_id, answer, {}, {})


def _name(who: str, request: str) -> str:
    """How a request is remembered: of whom it is tells it from the same key of somebody else."""
    return hashlib.sha256(f"{who}/{request}".encode()).hexdigest()[:40]
