"""The dispute logs of a store's games: read as far as they are new, and written entry after entry.

What was read is kept, so that of a log only what follows is read and checked. The store is asked for the last entry
that is known too: where it has another one there, as after a restored backup, the log is read anew.

They stand in a stream of their own beside the game's log, which an archived game keeps. Two who write at once both
get in, one after the other: the store compares number and hash. What a step of a case brings about in the game itself
is appended in the same step of the store, so neither is ever there without the other.
"""

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from events.chain.hash_chain import GENESIS
from events.disputes.entries import DisputeEntry, DisputeLogBroken, next_entries, read_entries
from events.disputes.events import CaseEventRecord
from events.disputes.evolve import fold
from events.disputes.state import Case, Cases, find_result_ruling
from events.store.errors import CommandIdReused, StoreDamaged
from events.store.event_store import EventStore
from service.disputes.store import DisputeRecords, InTheGame, QueuedCase, StoredEntry
from service.storage.kept_readings import KeptReadings

KEPT_BYTES: Final = 16_000_000
"""Bytes of dispute logs that a process keeps in memory: those of some ten games whose parties say all they may."""
_BESIDE_A_LINE: Final = 400
"""Bytes that an entry takes beside its line, and a log without any."""
_log = logging.getLogger("fieldbook.disputes")


class CaseAnswer(msgspec.Struct, frozen=True):
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
    arbiter_name: str | None = None
    """What whoever has claimed the case is called."""


@dataclass(frozen=True, slots=True)
class DisputeLog:
    """All cases of a game, with what was answered to each request."""

    game: str
    entries: tuple[DisputeEntry, ...]
    cases: Cases
    answers: Mapping[str, CaseAnswer]
    size: int = 0
    """Bytes that it takes, about."""

    @property
    def last(self) -> DisputeEntry | None:
        """The last entry."""
        return self.entries[-1] if self.entries else None

    @property
    def hash(self) -> str:
        """The hash after the last entry."""
        return self.entries[-1].hash if self.entries else GENESIS


class Disputes:
    """The dispute logs in a store. Every method may raise StoreUnavailable and StoreDamaged."""

    def __init__(self, store: EventStore) -> None:
        """Keep them in this store."""
        self._records = DisputeRecords(store)
        self._kept = KeptReadings[DisputeLog](KEPT_BYTES)

    def of(self, game: str) -> DisputeLog:
        """The cases of a game, archived or not; none for a game that does not exist."""
        known = self._kept.find_or_read(game, lambda: self._read(game))
        found = list(self._records.entries(game, max(1, len(known.entries))))
        if known.last is not None:
            # A log of which the last known entry is another one, or gone, is not the one that was read.
            if not found or found[0].hash != known.hash:
                log, size = self._read(game)
                self._kept.keep(game, log, size)
                return log
            del found[0]
        if not found:
            return known
        log = _follow(known, found)
        self._kept.keep(game, log, log.size)
        return log

    def _read(self, game: str) -> tuple[DisputeLog, int]:
        """The whole log of a game, and how many bytes it takes."""
        log = _follow(DisputeLog(game, (), (), {}, _BESIDE_A_LINE), list(self._records.entries(game)))
        return log, log.size

    def ruled(self, games: Sequence[str]) -> list[RuledResult | None]:
        """What rulings made of each of these games after its end; None where they left its result alone."""
        found = self._records.results(games)
        return [self._read_result(game, found[game]) if game in found else None for game in games]

    def all_ruled(self) -> dict[str, RuledResult]:
        """What rulings made of games after their end, of all games whose result they did not leave alone."""
        found = self._records.all_results()
        results = {game: self._read_result(game, each) for game, each in found.items() if each}
        return {game: result for game, result in results.items() if result is not None}

    def _read_result(self, game: str, stored: bytes) -> RuledResult | None:
        """Return a kept result; find it in the dispute log of the game where what is kept cannot be read."""
        try:
            return msgspec.json.decode(stored, type=RuledResult)
        except msgspec.DecodeError as error:
            _log.error(
                "game %s: its kept ruling cannot be read, and is taken from its cases: %s", game, error
            )
            return _find_result(self.of(game).cases)

    def extent(self, game: str) -> int:
        """How many entries the dispute log of a game has."""
        return self._records.count(game)

    def known(self, log: DisputeLog, who: str, request: str, fingerprint: str) -> CaseAnswer | None:
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
        happened: Sequence[CaseEventRecord],
        who: str,
        request: str,
        fingerprint: str,
        in_the_game: InTheGame | None = None,
    ) -> tuple[CaseAnswer, bool]:
        """Append events of one case, and what they bring about in the game; and whether the request was known.

        Raises:
            Moved: the cases, or the game, are not where they were seen.
            CommandIdReused, GameNotFound, PartitionQuarantined
        """
        entries = next_entries(log.game, log.last, happened)
        number = happened[0].case
        cases = fold(happened, log.cases)
        case = cases[number - 1]
        answer = CaseAnswer(fingerprint, number, entries[-1].number, entries[-1].hash, case.status)
        stored = self._records.append(
            log.game,
            (len(log.entries), log.hash),
            _name(who, request),
            msgspec.json.encode(answer),
            _describe_queued(log.game, case, len(log.entries) + len(entries)),
            _result(cases),
            entries,
            in_the_game,
        )
        if stored is None:
            return answer, False
        remembered = msgspec.json.decode(stored, type=CaseAnswer)
        if remembered.fingerprint != fingerprint:
            raise CommandIdReused(log.game, request)
        return remembered, True

    def queue_again(self) -> int:
        """Put every case of the store that has not ended into the queue, as its log says; returns how many there are.

        For a store into which a backup was put: the queue is no part of it.
        """
        queued = 0
        for game in self._records.games():
            while not self._queue_again(log := self.of(game)):
                pass
            queued += sum(not case.is_over for case in log.cases)
        return queued

    def _queue_again(self, log: DisputeLog) -> bool:
        """Queue a game's cases as they stand in this log; False where it has moved on since."""
        size, result = len(log.entries), _result(log.cases)
        return all(
            self._records.queue_again(log.game, size, _describe_queued(log.game, case, size), result)
            for case in log.cases
        )


def _follow(log: DisputeLog, found: Sequence[StoredEntry]) -> DisputeLog:
    """A log with the entries that follow.

    Raises:
        StoreDamaged: they do not.
    """
    try:
        answers = {
            each.request: msgspec.json.decode(each.answer, type=CaseAnswer) for each in found if each.request
        }
        new = read_entries(log.game, [(each.line, each.hash) for each in found], log.entries)
    except (DisputeLogBroken, msgspec.DecodeError) as broken:
        raise StoreDamaged(f"Game {log.game}: {broken}.") from broken
    return DisputeLog(
        log.game,
        (*log.entries, *new),
        fold((each.happened for each in new), log.cases),
        {**log.answers, **answers},
        log.size + sum(len(each.line) + _BESIDE_A_LINE for each in found),
    )


def _describe_queued(game: str, case: Case, entries: int) -> QueuedCase:
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
        arbiter_name=case.arbiter.name if case.arbiter is not None else None,
    )
    due = "" if case.due is None else str(case.due)
    stored = b"" if case.is_over else msgspec.json.encode(row)
    return QueuedCase(f"{game}/{case.number}", case.opened, stored, due)


def _result(cases: Cases) -> bytes:
    """The result that rulings gave a finished game, as it is kept for the list; empty for none."""
    result = _find_result(cases)
    return b"" if result is None else msgspec.json.encode(result)


def _find_result(cases: Cases) -> RuledResult | None:
    ruling = find_result_ruling(cases)
    return None if ruling is None else RuledResult(ruling.kind, ruling.winners, ruling.scores)


def _name(who: str, request: str) -> str:
    """How a request is remembered: of whom it is tells it from the same key of somebody else."""
    return hashlib.sha256(f"{who}/{request}".encode()).hexdigest()[:40]
