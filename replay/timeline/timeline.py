"""A record as a timeline for one viewer: every entry with the table after it, and where to stop when stepping.

Only what was verified gets into a timeline: it ends where the record breaks, and says so. Timelines of several
viewers share one recording, so that switching the viewer is immediate at any version.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from events import domain_events as e
from events.commands import Command
from events.game.clock import Clock
from events.game.record import Header
from events.game.table import pinned_rules
from events.log.disclosure import ALL, PUBLIC, Form, viewer_name
from events.log.redacted import command_in, event_in
from events.rules.catalogues.catalogue import CatalogueInvalid
from events.rules.definition.rule_system import Rules
from events.rules.errors import UnknownSystem
from events.rules.table.state import INITIAL_STATE, GameState
from replay.commentary import Commentary
from replay.records.effective_history import EffectiveHistory, mark_discarded
from replay.records.hidden import redact
from replay.records.report import Finding
from replay.timeline.entries import Follow
from replay.timeline.recording import COMMAND, EVENT, PHASE, TURN, Recording

__all__ = [
    "COMMAND",
    "EVENT",
    "PHASE",
    "TURN",
    "Begin",
    "NotShown",
    "Step",
    "Timeline",
    "read_timeline",
    "step_sentence",
]


class NotShown(ValueError):
    """The record does not hold what this viewer may see, or the table has no such seat; the message says which."""


@dataclass(frozen=True, slots=True)
class Step:
    """One entry as a viewer sees it, and the table after it."""

    form: Form
    event: e.DomainEvent
    command: Command | None
    state: GameState
    counts: bool = True
    """Whether it counts at the end of the record: False in a stretch that was discarded when the game went back."""
    clock: Clock | None = None
    """Whose time runs after it; None in a game without a clock."""

    @property
    def version(self) -> int:
        """The entry's version."""
        return int(self.form.entry["version"])


def step_sentence(tell: Commentary, step: Step) -> str:
    """What has happened, with a mark in front of what was discarded when the game went back."""
    return mark_discarded(tell.sentence(step.state, step.event), counts=step.counts)


class Steppable(ABC):
    """A sequence of versions that can be stepped through by event, command, phase or turn."""

    @property
    @abstractmethod
    def last(self) -> int:
        """The last version; 0 where there is none."""

    @property
    @abstractmethod
    def stops(self) -> Mapping[str, Sequence[int]]:
        """For each unit the versions at which stepping by it stops."""

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


@dataclass(frozen=True)
class Timeline(Steppable):
    """All steps of a record for one viewer, version 1 first.

    A timeline grows when its recording does: `last`, `steps` and the stops are those of the moment.

    Attributes:
        recording: what is kept of the record.
        viewer: whose view this is: a seat number, PUBLIC or ALL.
    """

    recording: Recording
    viewer: int

    @property
    def header(self) -> Header:
        """The record's header."""
        return self.recording.header

    @property
    def broken(self) -> Finding | None:
        """Where and why the record does not verify; the steps end before it. None if it does."""
        return self.recording.broken

    @property
    def last(self) -> int:
        """The version of the last step; 0 where there is none."""
        return self.recording.last

    @property
    def steps(self) -> Iterator[Step]:
        """The steps of the entries that hold, each made when its turn comes."""
        return map(self.at, range(1, self.last + 1))

    @property
    def rules(self) -> Rules | None:
        """The rules that the game is pinned to; None where they are not installed, or the record has no entry."""
        if not self.last:
            return None
        try:
            return pinned_rules(self.at(1).state, lambda _: self.header.catalogue)
        except (UnknownSystem, CatalogueInvalid):
            return None

    def seen_by(self, viewer: int) -> "Timeline":
        """The same record for another viewer; nothing is read or folded for that.

        Raises:
            NotShown: the record does not hold what this viewer may see, or the table has no such seat.
        """
        check_viewer(self.recording, viewer)
        return Timeline(self.recording, viewer)

    def at(self, version: int) -> Step:
        """The step of this version.

        Raises:
            IndexError: there is none.
        """
        entry = self.recording.at(version)
        form = redact(entry.form, self.viewer)
        table = self.recording.table(entry.moment, self.viewer)
        counts = version in self.recording.effective_history()
        return Step(
            form, event_in(form.entry), command_in(form.entry), table, counts, clock=entry.moment.clock
        )

    def before(self, version: int) -> GameState:
        """The table before the entry of this version."""
        if version <= 1:
            return INITIAL_STATE
        return self.recording.table(self.recording.at(version - 1).moment, self.viewer)

    def effective_history(self, version: int | None = None) -> EffectiveHistory:
        """Which steps count at a version, or at the last one: none of a stretch that was discarded until then."""
        return self.recording.effective_history(version)

    @property
    def stops(self) -> dict[str, Sequence[int]]:
        """For each unit the versions at which one stops when stepping by it.

        A command stops at the last entry that it brought about; a phase and a turn where they begin.
        """
        recording = self.recording
        return {
            EVENT: range(1, self.last + 1),
            COMMAND: recording.ends,
            PHASE: recording.starts[PHASE],
            TURN: recording.starts[TURN],
        }


Begin = Callable[[Timeline], Follow | None]
"""Begins something with a timeline that is still empty; what it returns is told each entry while that is read."""


def check_viewer(recording: Recording, viewer: int) -> None:
    """Refuse a viewer whom this recording cannot show.

    Raises:
        NotShown: it does not hold what this viewer may see, or the table has no such seat.
    """
    if recording.scope not in (ALL, viewer) and viewer != PUBLIC:
        raise NotShown(
            f"--as {viewer_name(viewer)}: this record holds only what {recording.header.scope} may see."
        )
    if recording.last and viewer >= len(recording.at(1).moment.whole.seats):
        raise NotShown(f"--as {viewer_name(viewer)}: the table has no such seat.")


def read_timeline(
    header: Header,
    forms: Iterable[Form],
    viewer: int,
    told: Callable[[int], None] | None = None,
    begin: Begin | None = None,
) -> Timeline:
    """Verify a record and lay it out as this viewer may see it; the viewer must be within the record's scope.

    An error of the forms' source passes through, except RecordBroken. `told` gets each version as it is read; what
    `begin` has begun is told each entry.

    Raises:
        ValueError: the header names no scope.
    """
    timeline = Timeline(Recording(header), viewer)
    timeline.recording.read(forms, told, None if begin is None else begin(timeline))
    return timeline
