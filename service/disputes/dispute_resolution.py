"""Settling disputes: commands to cases, the deadlines that pass, and what a final ruling does to the game.

The log of a game's cases is the truth about deadlines. Whoever writes next about a case, a person or the worker,
first writes down what has lapsed by then. A timer only has it looked at: a job that comes late, twice or never
changes only when.

What rulings do to a running game is the affair of `RulingApplication`. Its entries and the event of the case are
appended in one step of the store, so a ruling is applied once, or not at all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from events.disputes.commands import CaseCommand, Command, MakeFinal, PassDeadline
from events.disputes.decide import case_number, decide
from events.disputes.events import CaseEvent, CaseEventRecord, RulingGiven
from events.disputes.evolve import fold
from events.disputes.facts import SERVICE, GameFacts, Limits, Person
from events.disputes.state import ACCEPTANCE, POSSIBLE, Case, Cases, list_awaited, why_final
from events.log.actors import ACTOR_NUMBERS
from events.log.recorded import RecordedEvent
from events.store.event_store import Head
from service.disputes.disputes import CaseAnswer, DisputeLog, Disputes
from service.disputes.game_facts import Facts
from service.disputes.ruling_application import RULED, RulingApplication
from service.disputes.store import InTheGame, Moved
from service.platform.configuration import (
    APPEAL_SECONDS,
    CLAIM_SECONDS,
    DISPUTE_SECONDS,
    PAUSE_SECONDS,
    RULING_SECONDS,
)
from service.play.command_handling import CommandHandling
from service.play.outcome import TooBusy
from service.play.tables import LoadedGame, Tables
from service.storage.store import Store

_TRIES: Final = 20


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
        application: RulingApplication | None = None,
    ) -> None:
        """Settle the cases of this store, whose tables these are, within these limits."""
        self.disputes = Disputes(store)
        self.limits = limits
        self._tables = tables
        self._handling = CommandHandling(store, tables)
        self._application = application or RulingApplication(store, tables)
        self._facts = Facts(store, tables)

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

    def list_awaited(self, game: str, cases: Cases) -> list[tuple[str, ...]]:
        """Of each of these cases, who could still accept its ruling, which stands as soon as all of them have.

        Raises:
            GameNotFound, PartitionQuarantined
        """
        if not any(ACCEPTANCE in POSSIBLE[case.status] for case in cases):
            return [()] * len(cases)
        facts = self._facts.of(self._tables.newest(game))
        return [list_awaited(case, facts) for case in cases]

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
            if isinstance(event, RulingGiven):
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
        if not any(
            case.is_pause_over(at) or (case.until is not None and (case.rulings or case.is_late(at)))
            for case in log.cases
        ):
            return False
        at = _not_before(log, at)
        loaded = self._tables.newest(log.game)
        facts = self._facts.of(loaded)
        for case in log.cases:
            events = self._lapse(log.cases, case, facts, at)
            if not events and why_final(case, facts, at) is None:
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
        """Append what happened, what it brings about in the game, and that a ruling is final where it is.

        Raises:
            Moved: the game or its cases have; also where time was over in the game, which is recorded by then.
        """
        number = happened[0].case if happened else wish.case
        at = happened[0].at if happened else wish.at
        before = log.cases[number - 1] if number <= len(log.cases) else None
        cases = fold(happened, log.cases)
        is_final = why_final(cases[number - 1], facts, at) is not None
        done = self._application.find_applied(loaded, number) if is_final else None
        entries: Sequence[RecordedEvent] = ()
        if done is None:
            entries = self._application.entries(loaded, before, cases[number - 1], at, is_final=is_final)
        in_the_game, head = None, Head(version=loaded.table.version, hash=loaded.table.hash)
        if entries:
            if self._handling.record_overdue(loaded, at, ACTOR_NUMBERS.get(wish.by.who)):
                raise Moved
            in_the_game = InTheGame(head, entries)
            head = Head(version=entries[-1].version, hash=entries[-1].hash)
        if is_final:
            applied = done is not None or any(each.type == RULED for each in entries)
            stands = done or head
            final = MakeFinal(applied=applied, game_version=stands.version, game_hash=stands.hash)
            events = decide(cases, CaseCommand(number, final, SERVICE, at), facts, self.limits)
            happened += [CaseEventRecord(number, at, SERVICE, event) for event in events]
        return self.disputes.append(log, happened, wish.by.who, wish.request, wish.fingerprint, in_the_game)


def open_dispute_resolution(store: Store, tables: Tables) -> DisputeResolution:
    """What settles the cases of this store, as it is configured."""
    return DisputeResolution(store, tables, dispute_limits())


def dispute_limits(environment: Mapping[str, str] | None = None) -> Limits:
    """How long things may be done about a dispute, by the environment variables.

    Raises:
        BadSetting: a value is no number of seconds; the sentence names the variable.
    """
    return Limits(
        dispute=1000 * DISPUTE_SECONDS.value(environment),
        claim=1000 * CLAIM_SECONDS.value(environment),
        ruling=1000 * RULING_SECONDS.value(environment),
        appeal=1000 * APPEAL_SECONDS.value(environment),
        pause=1000 * PAUSE_SECONDS.value(environment),
    )


def _not_before(log: DisputeLog, at: int) -> int:
    """The time of the next entry: clocks of several machines differ, and a log never goes back."""
    return max(at, log.last.happened.at) if log.last is not None else at
