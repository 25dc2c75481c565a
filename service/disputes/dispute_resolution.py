"""Settling disputes: commands to cases, the deadlines that pass, and what a final ruling does to the game.

The log of a game's cases is the truth about deadlines. Whoever writes next about a case, a person or the worker,
first writes down what has lapsed by then. A timer only has it looked at: a job that comes late, twice or never
changes only when.

What rulings do to a running game is the affair of an `RulingEffects`. Its entries and the event of the case are
appended in one step of the store, so a ruling is applied once, or not at all. Where there is none, rulings stay as
they are given.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from events.disputes.commands import CaseCommand, Command, MakeFinal, PassDeadline
from events.disputes.decide import case_number, decide
from events.disputes.events import CaseEvent, CaseEventRecord, RulingGiven
from events.disputes.evolve import fold
from events.disputes.facts import SERVICE, GameFacts, Limits, Person
from events.disputes.state import Case, Cases, why_final
from events.log.recorded import RecordedEvent
from events.store.event_store import Head
from service.disputes.disputes import CaseAnswer, DisputeLog, Disputes
from service.disputes.game_facts import Facts, RewindFacts
from service.disputes.ruling_application import RULED, RulingApplication
from service.disputes.settings import dispute_limits
from service.disputes.store import InTheGame, Moved
from service.play.command_handling import TooBusy
from service.play.game_courses import GameCourses
from service.play.tables import LoadedGame, Tables
from service.storage.store import Store

_TRIES: Final = 20


class RulingEffects(Protocol):
    """What the steps of cases bring about in their games."""

    def find_applied(self, loaded: LoadedGame, case: int) -> Head | None:
        """Where the game's log stood after the ruling of a case was applied; None where it was not."""

    def check(self, loaded: LoadedGame, case: int, ruling: RulingGiven, by: Person) -> None:
        """Refuse a ruling that could not be applied to the game as it stands.

        Raises:
            DisputeRefused
        """

    def entries(
        self, loaded: LoadedGame, before: Case | None, after: Case, at: int, *, is_final: bool
    ) -> Sequence[RecordedEvent]:
        """The entries that a step of a case adds to the game's log; none where it changes nothing there.

        `before` is the case before the step, None for one that is opened with it, and `after` the case afterwards.
        With `is_final` the ruling that `after` has is to be applied, for good. A game that has been given the ruling
        already, as one can be that was restored from a backup, gets no more entries.
        """


@dataclass(frozen=True, slots=True)
class DisputeRequest:
    """What somebody asks of a case."""

    game: str
    case: int
    """Its number; 0 for one that is to be opened."""
    command: Command
    by: Person
    at: int
    request: str
    fingerprint: str
    arbitrates: bool = False


class DisputeResolution:
    """Commands to the cases of a store's games. Every method may raise what a store raises."""

    def __init__(
        self,
        store: Store,
        tables: Tables,
        limits: Limits,
        application: RulingEffects | None = None,
        course: RewindFacts | None = None,
    ) -> None:
        """Settle the cases of this store within these limits."""
        self.disputes = Disputes(store)
        self.limits = limits
        self._tables = tables
        self._application = application
        self._facts = Facts(store, tables, course)

    def send(self, wish: DisputeRequest) -> tuple[CaseAnswer, bool]:
        """Do what somebody asks of a case; where it stands then, and whether the request had been answered before.

        Raises:
            DisputeRefused: it may not be, and nothing of it is written.
            TooBusy: others were faster every time.
            CommandIdReused, GameNotFound, PartitionQuarantined
        """
        for _ in range(_TRIES):
            log = self.disputes.of(wish.game)
            if known := self.disputes.known(log, wish.by.who, wish.request, wish.fingerprint):
                return known, True
            try:
                if self._pass_one(log, wish.at):
                    continue
                return self._decide_and_write(log, wish)
            except Moved:
                continue
        raise TooBusy

    def pass_deadlines(self, game: str, at: int) -> None:
        """Write down what has lapsed or become final in a game by now; does nothing where nothing has.

        Raises:
            TooBusy: others were faster every time.
            GameNotFound, PartitionQuarantined
        """
        for _ in range(_TRIES):
            try:
                if not self._pass_one(self.disputes.of(game), at):
                    return
            except Moved:
                continue
        raise TooBusy

    def _decide_and_write(self, log: DisputeLog, wish: DisputeRequest) -> tuple[CaseAnswer, bool]:
        loaded = self._tables.newest(wish.game)
        facts = self._facts.of(loaded, wish.command)
        at = _not_before(log, wish.at)
        step = CaseCommand(wish.case, wish.command, wish.by, at, wish.arbitrates)
        events = decide(log.cases, step, facts, self.limits)
        number = case_number(log.cases, step)
        self._check(loaded, number, events, wish.by)
        if not events:
            return CaseAnswer(
                wish.fingerprint, number, len(log.entries), log.hash, log.cases[number - 1].status
            ), False
        happened = [CaseEventRecord(number, at, wish.by, event) for event in events]
        return self._write(log, loaded, facts, happened, wish)

    def _check(self, loaded: LoadedGame, case: int, events: Sequence[CaseEvent], by: Person) -> None:
        for event in events:
            if isinstance(event, RulingGiven) and self._application is not None:
                self._application.check(loaded, case, event, by)

    def preview(self, wish: DisputeRequest) -> tuple[Case, LoadedGame]:
        """A case as a step would leave it, and the game that it is about; nothing is written.

        Raises:
            DisputeRefused: it may not be.
            GameNotFound
        """
        log, loaded = self.disputes.of(wish.game), self._tables.newest(wish.game)
        step = CaseCommand(wish.case, wish.command, wish.by, _not_before(log, wish.at), wish.arbitrates)
        events = decide(log.cases, step, self._facts.of(loaded, wish.command), self.limits)
        number = case_number(log.cases, step)
        self._check(loaded, number, events, wish.by)
        cases = fold([CaseEventRecord(number, step.at, wish.by, event) for event in events], log.cases)
        return cases[number - 1], loaded

    def _pass_one(self, log: DisputeLog, at: int) -> bool:
        """Write down the first thing that has lapsed or become final; False where nothing has.

        Raises:
            Moved
        """
        if not any(case.until is not None and (case.rulings or case.is_late(at)) for case in log.cases):
            return False
        at = _not_before(log, at)
        loaded = self._tables.newest(log.game)
        facts = self._facts.of(loaded)
        for case in log.cases:
            events = self._lapse(log.cases, case, facts, at)
            if not events and (self._application is None or why_final(case, facts, at) is None):
                continue
            happened = [CaseEventRecord(case.number, at, SERVICE, event) for event in events]
            request = f"deadline/{case.number}/{len(log.entries)}"
            wish = DisputeRequest(log.game, case.number, PassDeadline(), SERVICE, at, request, "")
            self._write(log, loaded, facts, happened, wish)
            return True
        return False

    def _lapse(self, cases: Cases, case: Case, facts: GameFacts, at: int) -> tuple[CaseEvent, ...]:
        return decide(cases, CaseCommand(case.number, PassDeadline(), SERVICE, at), facts, self.limits)

    def _write(
        self,
        log: DisputeLog,
        loaded: LoadedGame,
        facts: GameFacts,
        happened: list[CaseEventRecord],
        wish: DisputeRequest,
    ) -> tuple[CaseAnswer, bool]:
        """Append what happened, what it brings about in the game, and that a ruling is final where it is."""
        number = happened[0].case if happened else wish.case
        at = happened[0].at if happened else wish.at
        before = log.cases[number - 1] if number <= len(log.cases) else None
        cases = fold(happened, log.cases)
        in_the_game = None
        if self._application is not None:
            is_final = why_final(cases[number - 1], facts, at) is not None
            done = self._application.find_applied(loaded, number) if is_final else None
            entries: Sequence[RecordedEvent] = ()
            if done is None:
                entries = self._application.entries(loaded, before, cases[number - 1], at, is_final=is_final)
            head = Head(version=loaded.table.version, hash=loaded.table.hash)
            if entries:
                in_the_game = InTheGame(head, entries)
                head = Head(version=entries[-1].version, hash=entries[-1].hash)
            if is_final:
                applied = done is not None or any(each.type == RULED for each in entries)
                final = _make_final(done or head, applied=applied)
                events = decide(cases, CaseCommand(number, final, SERVICE, at), facts, self.limits)
                happened += [CaseEventRecord(number, at, SERVICE, event) for event in events]
        return self.disputes.append(log, happened, wish.by.who, wish.request, wish.fingerprint, in_the_game)


def _make_final(head: Head, *, applied: bool) -> MakeFinal:
    return MakeFinal(applied=applied, game_version=head.version, game_hash=head.hash)


def open_dispute_resolution(store: Store, tables: Tables) -> DisputeResolution:
    """What settles the cases of this store, as it is configured."""
    return DisputeResolution(
        store, tables, dispute_limits(), RulingApplication(store, tables), GameCourses(store, tables)
    )


def _not_before(log: DisputeLog, at: int) -> int:
    """The time of the next entry: clocks of several machines differ, and a log never goes back."""
    return max(at, log.last.happened.at) if log.last is not None else at
