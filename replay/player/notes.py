"""Annotations, as the player needs them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Note:
    """Something that somebody has said about a version.

    Attributes:
        version: which one.
        text: all of it, safe for a screen, with line feeds.
        variations: the tokens of branches that hang on it.
    """

    version: int
    text: str
    variations: tuple[str, ...] = ()


class NotWritten(Exception):
    """An annotation could not be written; the message says why."""


class Notes(Protocol):
    """The annotations of one game."""

    @property
    def versions(self) -> Sequence[int]:
        """The versions that have any, in order."""
        ...

    def at(self, version: int) -> Sequence[Note]:
        """What has been said about a version."""
        ...

    def write(self, version: int, text: str) -> None:
        """Add a comment at a version.

        Raises:
            NotWritten: there is no file to write to, or it cannot be written.
        """
        ...


class NoNotes:
    """A game about which nobody has said anything."""

    versions: Sequence[int] = ()

    def at(self, version: int) -> Sequence[Note]:
        """Nothing."""
        del version
        return ()

    def write(self, version: int, text: str) -> None:
        """There is nowhere to write to."""
        del version, text
        raise NotWritten("No file to write to: begin with --annotations FILE --author NAME.")
