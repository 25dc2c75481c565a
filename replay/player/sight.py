"""Where the reader of a record is, and everything else that decides what is on the screen; a value."""

from dataclasses import dataclass, field, replace
from functools import cached_property

from events.rules.catalogue import CatalogueInvalid
from events.rules.errors import UnknownSystem
from events.rules.rule_system import Rules
from events.table import pinned_rules
from replay.commentary import Commentary
from replay.player.course import Course
from replay.player.notes import Notes
from replay.player.tempo import STILL, Tempo
from replay.player.told_last import ToldLast
from replay.timeline import Step


@dataclass(frozen=True)
class Sight:
    """What the reader sees.

    Attributes:
        course: what one walks along, for one viewer.
        version: where one stands.
        tell: what tells the game in the reader's language.
        rules: the rules that the game is pinned to; None where they are not installed.
        notes: the annotations.
        tempo: how it plays by itself.
        message: what the last key has to say.
        variation: what the course is called where it is not the game as it was played.
        goes_on: whether the game is being played while one looks at it.
        told: the sentences that were told last.
    """

    course: Course
    version: int
    tell: Commentary
    rules: Rules | None
    notes: Notes
    tempo: Tempo = STILL
    message: str = ""
    variation: str = ""
    goes_on: bool = False
    told: ToldLast = field(default_factory=ToldLast, compare=False)

    @cached_property
    def step(self) -> Step:
        """The entry where one stands, and the table after it."""
        return self.course.at(self.version)

    @property
    def language(self) -> str:
        """The reader's language."""
        return self.tell.messages.language

    def told_in(self, language: str) -> "Sight":
        """The same in another language."""
        return replace(self, tell=Commentary(self.course.header.catalogue, language), message="")

    def gone(self, version: int, message: str = "") -> "Sight":
        """At another version of the course, or at the end that is nearest to it."""
        return replace(self, version=min(max(version, 1), self.course.last), message=message)

    def forward(self, unit: str) -> "Sight":
        """At the next stop of this unit."""
        version = self.course.after(self.version, unit)
        return self.gone(version, self.end if version == self.version else "")

    def back(self, unit: str) -> "Sight":
        """At the stop of this unit before."""
        version = self.course.back(self.version, unit)
        return self.gone(version, "This is the beginning." if version == self.version else "")

    @property
    def end(self) -> str:
        """What to say at the end: that it is one, or where and why the record breaks there."""
        if self.goes_on and not self.variation:
            return "This is the newest event; the game goes on."
        broken = self.course.broken
        if broken is None:
            return "This is the end."
        return f"The record does not verify at version {broken.version}: {broken.reason}"


def sight_of(course: Course, version: int, language: str, notes: Notes) -> Sight:
    """Where a reader begins."""
    catalogue = course.header.catalogue
    try:
        rules = pinned_rules(course.at(1).state, lambda _: catalogue)
    except (UnknownSystem, CatalogueInvalid):
        rules = None
    return Sight(course, version, Commentary(catalogue, language), rules, notes)
