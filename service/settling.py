"""Settling disputes: commands to cases, the deadlines that pass, and what a final ruling does to the game.

The log of a game's cases is the truth about deadlines. Whoever writes next about a case, a person or the worker,
first writes down what has lapsed by then. RQ only knocks: a job that comes late, twice or never changes only when.

What rulings do to a running game is the affair of an `Application`. Its entries and the event of the case are
appended in one step of the store, so a ruling is applied once, or not at all. Where there is none, rulings stay as
they are given.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from events.disputes.commands import Command, MakeFinal, PassDeadline, Step
from events.disputes.decide import decide, number_of
from events.disputes.events import CaseEvent, Happened, RulingGiven
from events.disputes.evolve import fold
from events.disputes.facts import GameFacts, Limits
from events.disputes.people import SERVICE, Person
from events.disputes.state import Case, Cases, why_final
from events.recorded import RecordedEvent
from events.redis_store import RedisEventStore
from events.store import Head
from service.command_handling import TooBusy
from service.dispute_settings import dispute_limits
from service.disputes import DisputeLog, Disputes, InTheGame, Moved, Remembered
from service.game_courses import GameCourses
from service.game_facts import Course, Facts
from service.ruling_games import RulingGames
from service.tables import Sitting, Tables

_TRIES: Final = 20
RULED: Final = "ruling_made"
"""The type of the entry by which a ruling is applied."""


class Application(Protocol):
    """What the steps of cases bring about in their games."""

    def check(self, sitting: Sitting, case: int, ruling: RulingGiven, by: Person) -> None:
        """Refuse a ruling that could not be applied to the game as it stands.

        Raises:
            DisputeRefused
        """

    def entries(
        self, sitting: Sitting, before: Case | None, after: Case, at: int, *, is_final: bool
    ) -> Sequence[RecordedEvent]:
        """The entries that a step of a case adds to the game's log; none where it changes nothing there.

        `before` is the case before the step, None for one that is opened with it, and `after` the case afterwards.
        With `is_final` the ruling that `after` has is to be applied, for good. A game that has been given the ruling
        already, as one can be that was restored from a backup, gets no more entries.
        """


@dataclass(frozen=True, slots=True)
class Wish:
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


class Settling:
    """Commands to the cases of a store's games. Every method may raise what a store raises."""

    def __init__(
        self,
        store: RedisEventStore,
        tables: Tables,
        limits: Limits,
        application: Application | None = None,
        course: Course | None = None,
    ) -> None:
        """Settle the cases of this store within these limits."""
        self.disputes = Disputes(store)
        self.limits = limits
        self._tables = tables
        self._application = application
        self._facts = Facts(store, tables, course)

    def send(self, wish: Wish) -> tuple[Remembered, bool]:
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
                if self._pass(log, wish.at):
                    continue
                return self._sent(log, wish)
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
                if not self._pass(self.disputes.of(game), at):
                    return
            except Moved:
                continue
        raise TooBusy

    def _sent(self, log: DisputeLog, wish: Wish) -> tuple[Remembered, bool]:
        sitting = self._tables.newest(wish.game)
        facts = self._facts.of(sitting, wish.command)
        at = _not_before(log, wish.at)
        step = Step(wish.case, wish.command, wish.by, at, wish.arbitrates)
        events = decide(log.cases, step, facts, self.limits)
        number = number_of(log.cases, step)
        self._check(sitting, number, events, wish.by)
        if not events:
            return Remembered(
                wish.fingerprint, number, len(log.entries), log.hash, log.cases[number - 1].status
            ), False
        happened = [Happened(number, at, wish.by, event) for event in events]
        return self._write(log, sitting, facts, happened, wish)

    def _check(self, sitting: Sitting, case: int, events: Sequence[CaseEvent], by: Person) -> None:
        for event in events:
            if isinstance(event, RulingGiven) and self._application is not None:
                self._application.check(sitting, case, event, by)

    def foreseen(self, wish: Wish) -> tuple[Case, Sitting]:
        """A case as a step would leave it, and the game that it is about; nothing is written.

        Raises:
            DisputeRefused: it may not be.
            GameNotFound
        """
        log, sitting = self.disputes.of(wish.game), self._tables.newest(wish.game)
        step = Step(wish.case, wish.command, wish.by, _not_before(log, wish.at), wish.arbitrates)
        events = decide(log.cases, step, self._facts.of(sitting, wish.command), self.limits)
        number = number_of(log.cases, step)
        self._check(sitting, number, events, wish.by)
        cases = fold([Happened(number, step.at, wish.by, event) for event in events], log.cases)
        return cases[number - 1], sitting

    def _pass(self, log: DisputeLog, at: int) -> bool:
        """Write down the first thing that has lapsed or become final; False where nothing has.

        Raises:
            Moved
        """
        if not any(case.until is not None and (case.rulings or case.is_late(at)) for case in log.cases):
            return False
        at = _not_before(log, at)
        sitting = self._tables.newest(log.game)
        facts = self._facts.of(sitting)
        for case in log.cases:
            events = self._lapsed(log.cases, case, facts, at)
            if not events and (self._application is None or why_final(case, facts, at) is None):
                continue
            happened = [Happened(case.number, at, SERVICE, event) for event in events]
            request = f"deadline/{case.number}/{len(log.entries)}"
            wish = Wish(log.game, case.number, PassDeadline(), SERVICE, at, request, "")
            self._write(log, sitting, facts, happened, wish)
            return True
        return False

    def _lapsed(self, cases: Cases, case: Case, facts: GameFacts, at: int) -> tuple[CaseEvent, ...]:
        return decide(cases, Step(case.number, PassDeadline(), SERVICE, at), facts, self.limits)

    def _write(
        self, log: DisputeLog, sitting: Sitting, facts: GameFacts, happened: list[Happened], wish: Wish
    ) -> tuple[Remembered, bool]:
        """Append what happened, what it brings about in the game, and that a ruling is final where it is."""
        number = happened[0].case if happened else wish.case
        at = happened[0].at if happened else wish.at
        before = log.cases[number - 1] if number <= len(log.cases) else None
        cases = fold(happened, log.cases)
        in_the_game = None
        if self._application is not None:
            is_final = why_final(cases[number - 1], facts, at) is not None
            entries = self._application.entries(sitting, before, cases[number - 1], at, is_final=is_final)
            table = sitting.table
            if entries:
                in_the_game = InTheGame(Head(version=table.version, hash=table.hash), entries)
            if is_final:
                head = (entries[-1].version, entries[-1].hash) if entries else (table.version, table.hash)
                final = MakeFinal(
                    applied=any(each.type == RULED for each in entries),
                    game_version=head[0],
                    game_hash=head[1],
                )
                events = decide(cases, Step(number, final, SERVICE, at), facts, self.limits)
                happened += [Happened(number, at, SERVICE, event) for event in events]
        return self.disputes.append(log, happened, wish.by.who, wish.request, wish.fingerprint, in_the_game)


def settling(store: RedisEventStore, tables: Tables) -> Settling:
    """What settles the cases of this store, as it is configured."""
    return Settling(store, tables, dispute_limits(), RulingGames(tables), GameCourses(store, tables))


def _not_before(log: DisputeLog, at: int) -> int:
    """The time of the next entry: clocks of several machines differ, and a log never goes back."""
    return max(at, log.last.happened.at) if log.last is not None else at
