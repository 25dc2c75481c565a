"""Auditing many games: by workers or in this process, from where an earlier run stopped.

What is done stands in the store, as receipts; the queue is only a hint. So a run may be stopped at any moment and
started again, several may go on at once, and losing the queue costs nothing but the jobs under way.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec
from rq import Queue
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job

from events.chain.canonical import canonical, sha256_hex
from events.domain_events import GameCreated
from events.log.codec import decode_event
from events.log.upcasting import UndecodableEvent
from events.rules.definition.rule_system import ENGINE_VERSION
from events.rules.errors import UnknownSystem
from events.rules.systems.registry import system_named
from events.store.errors import ArchiveUnavailable, GameNotFound, StoreDamaged
from events.store.event_store import EventStore
from events.transparency.audit_receipt import AGREES, INVALID
from service.platform.clock import now_milliseconds
from service.storage.queues import LostJobs, count_workers, is_over
from service.verification.auditing import Auditor, concerns, is_complete
from service.verification.receipts import PublishedReceipt
from service.verification.store import Receipts
from service.verification.stored_record import GameUnreadable

JOB: Final = "service.jobs.jobs.audit_games"
JOB_SECONDS: Final = 300
KEPT_SECONDS: Final = 600
"""How long a job that is over is kept, for the run that waits for it."""
AHEAD: Final = 4
"""Jobs in the queue for each worker, and as many besides: each is looked at whenever the run looks."""
MOST_WAITING: Final = 32
"""Jobs in the queue at once: whoever stops a run leaves no more behind."""
MOST_TOGETHER: Final = 8
"""Games in a job: for each job a worker starts a process, which opens the store."""
LONGEST: Final = 10_000
"""Entries from which on no more games come into a job: it has to be done in time."""
_SHARES: Final = 16
"""A job takes so small a part of what is left to do, so that in the end no worker waits long for another."""
MOST_TRIES: Final = 3
POLL_SECONDS: Final = 0.2
DESERTED_SECONDS: Final = 15.0
"""After so long without any worker a run gives up."""

AGREE: Final = "agree"
DIFFER_PINNED: Final = "differ pinned"
DIFFER_TODAY: Final = "differ today"
IS_INVALID: Final = "invalid"
NOT_DONE: Final = "not done"
OUTCOMES: Final = (AGREE, DIFFER_PINNED, DIFFER_TODAY, IS_INVALID, NOT_DONE)
FINDINGS: Final = (DIFFER_PINNED, IS_INVALID, NOT_DONE)
"""The outcomes with which something is wrong; that today's rules would answer otherwise is none."""


class NoWorkers(Exception):
    """Nobody takes jobs from the queue; the message says what to do."""


class Outcome(msgspec.Struct, frozen=True):
    """What has come out for a game."""

    game: str
    outcome: str
    """One of `OUTCOMES`."""
    reason: str = ""
    """What differs or is wrong, in a sentence; empty where nothing is."""


class AuditRun:
    """An audit of some games of a store."""

    def __init__(self, store: EventStore, games: Sequence[str], *, again: bool = False) -> None:
        """Audit these games; with `again` also those that have their receipts."""
        self._store = store
        self._receipts = Receipts(store)
        self._since = now_milliseconds() if again else 0
        self._again = again
        self._lost = LostJobs()
        self.done: list[Outcome] = []
        """The games that were audited before, by this engine and today's rules."""
        self.to_do: list[str] = []
        """The others."""
        for game in games:
            found = self._outcome(game)
            if found is None:
                self.to_do.append(game)
            else:
                self.done.append(found)

    def here(self, auditor: Auditor) -> Iterator[Outcome]:
        """Audit what is to do in this process, one game after the other."""
        for game in self.to_do:
            try:
                receipts = auditor.audit(game, now_milliseconds(), again=self._again)
            except (GameUnreadable, GameNotFound, ArchiveUnavailable) as reason:
                yield Outcome(game, NOT_DONE, str(reason))
            else:
                yield _outcome(game, receipts)

    def by_workers(
        self, queue: Queue, patience: float = DESERTED_SECONDS, pause: Callable[[float], object] = time.sleep
    ) -> Iterator[Outcome]:
        """Have workers audit what is to do, and wait for them; outcomes come in the order in which they are there.

        `pause` is called between two looks, with the seconds that it is meant to take.

        Raises:
            NoWorkers: for `patience` seconds there was none.
        """
        waiting = list(reversed(self.to_do))
        under_way: dict[str, _Job] = {}
        attended = time.monotonic()
        while waiting or under_way:
            workers = count_workers(queue.connection)
            while waiting and len(under_way) < min(MOST_WAITING, AHEAD * (1 + workers)):
                self._enqueue(queue, under_way, self._next_games(waiting))
            yield from self._over(queue, under_way)
            if workers:
                attended = time.monotonic()
            elif under_way and time.monotonic() - attended >= patience:
                left = len(waiting) + sum(len(asked.games) for asked in under_way.values())
                raise NoWorkers(
                    f"No worker takes from the queue, and {left} games are not audited. "
                    "Start one (fieldbook worker) and run this again, or audit in this process with --here."
                )
            if under_way:
                pause(POLL_SECONDS)

    def _next_games(self, waiting: list[str]) -> list[str]:
        """The games of the next job, which are taken from the end of those that wait."""
        games: list[str] = []
        entries, most = 0, min(MOST_TOGETHER, 1 + len(waiting) // _SHARES)
        while waiting and len(games) < most and entries < LONGEST:
            games.append(waiting.pop())
            entries += self._version(games[-1])
        return games

    def _over(self, queue: Queue, under_way: dict[str, "_Job"]) -> list[Outcome]:
        """What has come out of the jobs that are over; a game for which that is nothing is asked again by itself."""
        found = Job.fetch_many([*under_way], connection=queue.connection, serializer=queue.serializer)
        over = []
        for (name, asked), job in zip([*under_way.items()], found, strict=True):
            if job is not None and not is_over(job):
                if not self._lost.is_lost(queue, job):
                    continue
                job.delete()
            del under_way[name]
            returned = job.return_value() if job is not None and job.is_finished else None
            reasons = returned if isinstance(returned, dict) else {}
            for game in asked.games:
                outcome = self._outcome(game)
                if outcome is None and game in reasons:
                    outcome = Outcome(game, NOT_DONE, str(reasons[game]))
                if outcome is None and asked.tries == MOST_TRIES:
                    outcome = Outcome(game, NOT_DONE, _failure(job))
                if outcome is None:
                    self._enqueue(queue, under_way, [game], asked.tries + 1)
                else:
                    over.append(outcome)
        return over

    def _enqueue(self, queue: Queue, under_way: dict[str, "_Job"], games: list[str], tries: int = 1) -> None:
        """Enqueue an audit of games, unless it is in the queue; a job that is over makes way for the new one."""
        name = self._job_id(games)
        under_way[name] = _Job(games, tries)
        options: dict[str, Any] = {
            "kwargs": {"games": games, "again": self._again},
            "job_id": name,
            "unique": True,
            "job_timeout": JOB_SECONDS,
            "result_ttl": KEPT_SECONDS,
            "failure_ttl": KEPT_SECONDS,
        }
        try:
            queue.enqueue(JOB, **options)
        except DuplicateJobError:
            try:
                job = Job.fetch(name, connection=queue.connection, serializer=queue.serializer)
                if is_over(job):
                    job.delete()
                    queue.enqueue(JOB, **options)
            except (NoSuchJobError, DuplicateJobError):
                return  # somebody else was faster, or it has just gone: the next look tells

    def _job_id(self, games: Sequence[str]) -> str:
        """The same in every run that asks the same of these games."""
        asked = [
            f"{game}-{self._version(game)}-{ENGINE_VERSION}-{self._todays_version(game)}" for game in games
        ]
        return f"audit-{asked[0] if len(asked) == 1 else sha256_hex(canonical(asked))}"

    def _version(self, game: str) -> int:
        head = self._store.head(game)
        return head.version if head is not None else 0

    def _todays_version(self, game: str) -> int:
        """The version of a game's rule system that is today's; 0 where the game does not say."""
        try:
            created = decode_event(self._store.read(game, 0, 1)[0])
            return system_named(created.system).version if isinstance(created, GameCreated) else 0
        except (
            GameNotFound,
            ArchiveUnavailable,
            StoreDamaged,
            UndecodableEvent,
            UnknownSystem,
            LookupError,
        ):
            return 0

    def _outcome(self, game: str) -> Outcome | None:
        """The outcome by the receipts that are there; None where an audit would say more."""
        head = self._store.head(game)
        if head is None:
            return None
        known = tuple(
            each for each in self._receipts.of(game) if concerns(each, head) and each.at >= self._since
        )
        return _outcome(game, known) if is_complete(known) else None


class _Job(msgspec.Struct):
    """A job that a run waits for."""

    games: list[str]
    tries: int


def _outcome(game: str, receipts: Sequence[PublishedReceipt]) -> Outcome:
    for receipt in receipts:
        if receipt.result == INVALID:
            finding = receipt.findings[0]
            return Outcome(game, IS_INVALID, f"version {finding.version}: {finding.reason} [{finding.check}]")
    for outcome, pinned in ((DIFFER_PINNED, True), (DIFFER_TODAY, False)):
        for receipt in receipts:
            if receipt.pinned is pinned and receipt.result != AGREES:
                first = receipt.differences[0]
                reason = (
                    f"{receipt.differing} of {receipt.commands} commands, first version {first.version}: "
                )
                return Outcome(game, outcome, f"{reason}{first.command}: {first.reason}")
    return Outcome(game, AGREE)


def _failure(job: Job | None) -> str:
    """Why a job failed, in its last line; the worker's log has the rest."""
    result = job.latest_result() if job is not None else None
    lines = (result.exc_string or "").strip().splitlines() if result is not None else []
    return f"the job failed {MOST_TRIES} times: {lines[-1] if lines else 'it is gone'}"
