"""What the steps of a case do to a running game: it is held up, goes on, and a final ruling is applied.

A game that has finished is left alone: its log ends with its secret. Rulings about it stand in the log of its cases.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from events.commands import Command, PauseGame, ResumeGame, RuleGame
from events.disputes.errors import ContradictsLog, DealMustStay
from events.disputes.events import RulingGiven
from events.disputes.facts import Person
from events.disputes.state import AWARDED, REPLACED, REWOUND, Case, Ruling
from events.domain_events import RulingMade
from events.log.actors import actor_name
from events.log.codec import decode_event
from events.log.disclosure import Disclosure
from events.log.recorded import RecordedEvent
from events.rules import errors
from events.rules.errors import RuleViolation
from events.rules.move import ARBITER, DEALER
from events.store.event_store import EventStore, Head
from service.play.budgets import check_ruling_budget
from service.play.lost_time import give_back
from service.play.tables import LoadedGame, Tables
from service.storage.life_marks import LifeMarks

RULED: Final = "ruling_made"
"""The type of the entry by which a ruling is applied."""


class RulingApplication:
    """Brings the steps of cases into the logs of their games."""

    def __init__(self, store: EventStore, tables: Tables) -> None:
        """Rule in the games of this store, whose tables these are."""
        self._store = store
        self._tables = tables

    def find_applied(self, loaded: LoadedGame, case: int) -> Head | None:
        """Where the game's log stood after the ruling of a case was applied; None where it was not.

        A backup can hold the game with the ruling, and its case without.
        """
        table = loaded.table
        entries = self._store.read(table.game, 0, table.version)
        made = next((each.version for each in entries if each.type == RULED and _case_of(each) == case), None)
        if made is None:
            return None
        later = (each.version for each in entries[made:] if each.command and each.actor != actor_name(DEALER))
        last = entries[next(later, len(entries) + 1) - 2]
        return Head(version=last.version, hash=last.hash)

    def check(self, loaded: LoadedGame, case: int, ruling: RulingGiven, by: Person) -> None:
        """Refuse a ruling that the rules would refuse on the game as it stands.

        Raises:
            ContradictsLog: it could not be applied.
            DealMustStay: it would deal other cards in a duplicate round.
        """
        if loaded.table.state.status != "running":
            return
        try:
            self._submit(loaded, ruling_command(case, ruling, by), 0)
        except errors.DealMustStay as refused:
            raise DealMustStay(str(refused)) from refused
        except RuleViolation as refused:
            raise ContradictsLog(str(refused)) from refused

    def entries(
        self, loaded: LoadedGame, before: Case | None, after: Case, at: int, *, is_final: bool
    ) -> Sequence[RecordedEvent]:
        """The entries that a step of a case adds to the game's log; none where it changes nothing there.

        `before` is the case before the step, None for one that is opened with it, and `after` the case afterwards.
        With `is_final` the ruling that `after` has is to be applied, for good.

        A final ruling that does not fit the game any more, since another one was applied first, is left out, and the
        game goes on.
        """
        if loaded.table.state.status != "running":
            return ()
        ruling = after.ruling
        if is_final and ruling is not None:
            with suppress(RuleViolation):
                return self._submit(loaded, ruling_command(after.number, ruling, ruling.by), at)
        holds = after.number in loaded.table.state.paused_by
        goes_on = after.resumed and before is not None and not before.resumed
        if holds and (is_final or after.is_over or goes_on):
            return self._submit(loaded, ResumeGame(after.number), at)
        if not holds and not is_final and _has_to_wait(before, after):
            return self._submit(loaded, PauseGame(after.number, after.reason), at)
        return ()

    def _submit(self, loaded: LoadedGame, command: Command, at: int) -> Sequence[RecordedEvent]:
        """What a command brings about; where it stops somebody's bank, what was lost before is given back first."""
        check_ruling_budget(loaded.table, command)
        table = loaded.table
        given: list[Disclosure] = []
        at = max(at, table.log.at)
        if table.log.clock is not None and table.log.clock.waits:
            life = LifeMarks(self._store).look(self._store.partition_of(table.game))
            table, given = give_back(table, at, life.gaps_until(at))
        _, entries = table.submit(ARBITER, command, at, self._tables.earlier(loaded))
        return [*(each.recorded for each in given), *entries]


def _case_of(entry: RecordedEvent) -> int:
    event = decode_event(entry)
    return event.case if isinstance(event, RulingMade) else 0


def ruling_command(case: int, ruling: Ruling | RulingGiven, by: Person) -> RuleGame:
    """The command by which a ruling is applied; what its kind has no use for is left out."""
    return RuleGame(
        case=case,
        kind=ruling.kind,
        arbiter=by.name or by.who,
        scope=ruling.scope,
        reason=ruling.reason,
        to_version=(ruling.to_version or 0) if ruling.kind == REWOUND else 0,
        seen_confirmed=ruling.seen_confirmed and ruling.kind == REWOUND,
        winners=tuple(sorted(ruling.winners)) if ruling.kind in {AWARDED, REPLACED} else (),
        scores=ruling.scores if ruling.kind == REPLACED else (),
    )


def _has_to_wait(before: Case | None, after: Case) -> bool:
    """Whether the game waits from this step on: the case asks for it, or its ruling goes back."""
    if after.is_over:
        return False
    is_new = before is None and after.pause
    ruling = after.ruling
    return is_new or (ruling is not None and ruling.kind == REWOUND)
