"""Where the reader of a record is, and everything else that decides what is on the screen; a value."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from events.rules.definition.rule_system import Rules
from replay.commentary import Commentary
from replay.terminal.player.notes import Notes
from replay.terminal.player.tempo import STILL, Tempo
from replay.terminal.player.track import Track
from replay.timeline.timeline import Step, Timeline, step_sentence

MOST_SENTENCES: Final = 2_000
"""Sentences that are kept at most."""


class SentenceCache:
    """Sentences by version, for one track and one language at a time each: most are on the next screen again."""

    def __init__(self) -> None:
        """Start empty."""
        self._sentences: dict[int, tuple[Track, Commentary, str]] = {}

    def sentence(self, track: Track, tell: Commentary, version: int) -> str:
        """The sentence of a version of this track."""
        found = self._sentences.get(version)
        if found is None or found[0] is not track or found[1] is not tell:
            if len(self._sentences) >= MOST_SENTENCES:
                self._sentences.clear()
            found = self._sentences[version] = (track, tell, step_sentence(tell, track.at(version)))
        return found[2]


@dataclass(frozen=True)
class ViewState:
    """What the reader sees.

    Attributes:
        track: what the reader moves along, for one viewer.
        version: the current one.
        tell: puts the game into words in the reader's language.
        rules: the rules that the game is pinned to; None where they are not installed.
        notes: the annotations.
        tempo: how autoplay runs.
        message: the message of the last key.
        variation: the title of the track where it is a variation.
        is_live: whether the game is still being played.
        sentences: the sentences shown last.
    """

    track: Track
    version: int
    tell: Commentary
    rules: Rules | None
    notes: Notes
    tempo: Tempo = STILL
    message: str = ""
    variation: str = ""
    is_live: bool = False
    sentences: SentenceCache = field(default_factory=SentenceCache, compare=False)

    @cached_property
    def step(self) -> Step:
        """The current entry, and the table after it."""
        return self.track.at(self.version)

    @property
    def language(self) -> str:
        """The reader's language."""
        return self.tell.messages.language

    def in_language(self, language: str) -> "ViewState":
        """The same in another language."""
        return replace(self, tell=Commentary(self.track.header.catalogue, language), message="")

    def move_to(self, version: int, message: str = "") -> "ViewState":
        """At another version of the track, or at the end that is nearest to it."""
        return replace(self, version=min(max(version, 1), self.track.last), message=message)

    def forward(self, unit: str) -> "ViewState":
        """At the next stop of this unit."""
        version = self.track.after(self.version, unit)
        return self.move_to(version, self.end if version == self.version else "")

    def back(self, unit: str) -> "ViewState":
        """At the stop of this unit before."""
        version = self.track.back(self.version, unit)
        return self.move_to(version, "This is the beginning." if version == self.version else "")

    @property
    def end(self) -> str:
        """The message at the end: that it is the end, or where and why the record breaks."""
        if self.is_live and not self.variation:
            return "This is the newest event; the game goes on."
        broken = self.track.broken
        if broken is None:
            return "This is the end."
        return f"The record does not verify at version {broken.version}: {broken.reason}"


def open_view(track: Timeline, version: int, language: str, notes: Notes) -> ViewState:
    """Where a reader begins."""
    return ViewState(track, version, Commentary(track.header.catalogue, language), track.rules, notes)
