"""What the player walks along: the game as it was played, or a variation of it."""

from collections.abc import Mapping, Sequence
from typing import Protocol, Self

from events.disclosure import ALL, PUBLIC
from events.record import Header
from replay.hidden import viewer_of
from replay.report import Finding
from replay.timeline import Step


class Course(Protocol):
    """The steps of a game for one viewer; `replay.timeline.Timeline` is one."""

    @property
    def header(self) -> Header: ...
    @property
    def viewer(self) -> int: ...
    @property
    def last(self) -> int: ...
    @property
    def broken(self) -> Finding | None: ...
    @property
    def stops(self) -> Mapping[str, Sequence[int]]: ...
    def at(self, version: int) -> Step: ...
    def after(self, version: int, unit: str) -> int: ...
    def back(self, version: int, unit: str) -> int: ...
    def seen_by(self, viewer: int) -> Self: ...


def viewers_of(course: Course) -> list[int]:
    """Everybody whose view the record holds: all, the public, the seats; within its scope."""
    scope = viewer_of(course.header.scope)
    seats = range(len(course.at(1).state.seats)) if course.last else ()
    return [viewer for viewer in (ALL, PUBLIC, *seats) if scope in (ALL, viewer) or viewer == PUBLIC]
