"""Searching a game: the next entry whose sentence has a text in it, or for which a predicate holds."""

import re
from collections.abc import Callable, Iterator

from events.rules.catalogue import Catalogue
from replay.commentary import Commentary
from replay.finding.fields import Seen, fields_for
from replay.finding.predicate import NotUnderstood, parsed
from replay.player.course import Course
from replay.timeline import COMMAND, Step

Match = Callable[[Course, Step], bool]
_LOOKS_LIKE_ONE = re.compile(r"[=<>~]")


def match_for(text: str, catalogue: Catalogue, tell: Commentary) -> Match:
    """What to look for: a predicate where there is a comparison in it, else a text, whatever its case.

    Raises:
        NotUnderstood: it is a predicate that says nothing.
    """
    if _LOOKS_LIKE_ONE.search(text):
        return _predicate(text, catalogue)
    sought = text.strip().casefold()
    return lambda _course, step: sought in tell.sentence(step.state, step.event).casefold()


def matches(course: Course, version: int, way: int, match: Match) -> Iterator[int | None]:
    """Entry by entry from the one after this version on, or before it: its version if it matches, else None."""
    end = course.last + 1 if way > 0 else 0
    for each in range(version + way, end, way):
        yield each if match(course, course.at(each)) else None


def _predicate(text: str, catalogue: Catalogue) -> Match:
    holds = parsed(text, fields_for(catalogue))
    varieties = {bean.card: bean.variety for bean in catalogue.beans}

    def match(course: Course, step: Step) -> bool:
        begun = step if step.command is not None else course.at(_begins(course, step.version))
        command = str(begun.form.entry["command"]["type"]) if begun.command is not None else ""
        return holds(Seen(step, command, varieties))

    return match


def _begins(course: Course, version: int) -> int:
    """The version with which the command began that brought this entry about."""
    before = course.back(version, COMMAND)
    return before + 1 if before < version and course.at(version).command is None else version


__all__ = ["Match", "NotUnderstood", "match_for", "matches"]
