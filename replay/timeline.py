"""A record as a timeline: every entry with the table after it, and where commands, phases and turns begin.

Tables share what did not change, so keeping one for each entry is cheap. Only what was verified gets into a
timeline: it ends where the record breaks, and says so.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from events import domain_events as e
from events.commands import Command
from events.disclosure import Form
from events.record import Header
from events.redacted import command_in, event_in
from events.rules.evolve import evolve
from events.rules.state import INITIAL_STATE, GameState
from replay.hidden import redacted
from replay.report import Finding
from replay.verify import Verifier

EVENT, COMMAND, PHASE, TURN = "event", "command", "phase", "turn"
"""What one can step by."""


@dataclass(frozen=True, slots=True)
class Step:
    """One entry as a viewer sees it, and the table after it."""

    form: Form
    event: e.DomainEvent
    command: Command | None
    state: GameState

    @property
    def version(self) -> int:
        """The entry's version."""
        return int(self.form.entry["version"])


@dataclass(frozen=True)
class Timeline:
    """All steps of a record for one viewer, version 1 first.

    Attributes:
        header: the record's header.
        viewer: whose view this is: a seat number, PUBLIC or ALL.
        steps: the entries that hold.
        broken: where and why the record does not verify; the steps end before it. None if it does.
    """

    header: Header
    viewer: int
    steps: tuple[Step, ...]
    broken: Finding | None

    @property
    def last(self) -> int:
        """The version of the last step; 0 where there is none."""
        return len(self.steps)

    def at(self, version: int) -> Step:
        """The step of this version.

        Raises:
            IndexError: there is none.
        """
        if not 1 <= version <= self.last:
            raise IndexError(version)
        return self.steps[version - 1]

    def before(self, version: int) -> GameState:
        """The table before the entry of this version."""
        return self.at(version - 1).state if version > 1 else INITIAL_STATE

    @cached_property
    def stops(self) -> dict[str, tuple[int, ...]]:
        """For each unit the versions at which one stops when stepping by it.

        A command stops at the last entry that it brought about; a phase and a turn where they begin.
        """
        begun = [step.version for step in self.steps if step.command is not None]
        return {
            EVENT: tuple(range(1, self.last + 1)),
            COMMAND: (*(version - 1 for version in begun[1:]), self.last) if begun else (),
            PHASE: tuple(step.version for step in self.steps if isinstance(step.event, e.PhaseBegan)),
            TURN: tuple(step.version for step in self.steps if isinstance(step.event, e.TurnBegan)),
        }

    def after(self, version: int, unit: str) -> int:
        """Where a step forward by this unit leads: the next stop, or the last version."""
        stops = self.stops[unit]
        place = bisect_right(stops, version)
        return stops[place] if place < len(stops) else self.last

    def back(self, version: int, unit: str) -> int:
        """Where a step back by this unit leads: the stop before, or version 1."""
        stops = self.stops[unit]
        place = bisect_left(stops, version)
        return stops[place - 1] if place else min(1, self.last)


def read_timeline(header: Header, forms: Iterable[Form], viewer: int) -> Timeline:
    """Verify a record and lay it out as this viewer may see it; the viewer must be within the record's scope.

    An error of the forms' source passes through, except RecordBroken.
    """
    verifier = Verifier(header)
    steps: list[Step] = []
    state = INITIAL_STATE
    for whole in verifier.verified(forms):
        form = redacted(whole, viewer)
        event = event_in(form.entry)
        state = evolve(state, event)
        steps.append(Step(form, event, command_in(form.entry), state))
    return Timeline(header, viewer, tuple(steps), verifier.finding)
