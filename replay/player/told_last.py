"""The sentences that were told last: a step leads mostly to a screen on which all but one of them stand again."""

from typing import Final

from replay.commentary import Commentary
from replay.player.course import Course
from replay.what_counts import marked

MOST: Final = 2_000
"""Sentences that are remembered at most."""


class ToldLast:
    """Remembers sentences by version, for one course and one language at a time each."""

    def __init__(self) -> None:
        """Begin without any."""
        self._sentences: dict[int, tuple[Course, Commentary, str]] = {}

    def sentence(self, course: Course, tell: Commentary, version: int) -> str:
        """The sentence of a version of this course."""
        found = self._sentences.get(version)
        if found is None or found[0] is not course or found[1] is not tell:
            if len(self._sentences) >= MOST:
                self._sentences.clear()
            step = course.at(version)
            sentence = marked(tell.sentence(step.state, step.event), counts=step.counts)
            found = self._sentences[version] = (course, tell, sentence)
        return found[2]
