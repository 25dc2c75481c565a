"""A game's annotations as they were read, and what follows them: most of what is read was read before."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import msgspec

from events.store.errors import StoreDamaged
from replay.annotations.book import AnnotationBook
from replay.annotations.content import AnnotationRefused
from replay.annotations.entries import AnnotationBroken, parse_entry
from service.annotations.annotations import Kept, SetAnswer

_BESIDE_A_LINE: Final = 1_000
"""Bytes that an entry takes beside its line, and a game without any."""


class StoredAnnotation(NamedTuple):
    """An entry as it is kept."""

    place: bytes
    """Where it stands in the stream of its game."""
    name: str
    """The id of its set."""
    owner: str
    hash: str
    request: str
    """The request that wrote it; empty where it was another entry's too."""
    line: bytes
    answer: bytes


@dataclass(frozen=True, slots=True)
class Reading:
    """The annotations of a game as they were read: all in a stream up to its last entry. Nobody changes it."""

    kept: Kept
    entries: int = 0
    last: StoredAnnotation | None = None
    size: int = _BESIDE_A_LINE
    """Bytes that it takes, about."""

    def is_followed_by(self, found: Sequence[StoredAnnotation], entries: int) -> bool:
        """Whether what was found, from this one's last entry on, is all that a stream of so many entries has besides.

        Where entries before it were removed it is not, nor where the stream is another one.
        """
        if self.last is None:
            return len(found) == entries
        return found[:1] == [self.last] and self.entries + len(found) - 1 == entries


def follow(reading: Reading, found: Sequence[StoredAnnotation]) -> Reading:
    """A reading with the entries that follow.

    Raises:
        StoreDamaged: they do not.
    """
    if not found:
        return reading
    book, owners, answers = reading.kept.book.copy(), {**reading.kept.owners}, {**reading.kept.answers}
    for each in found:
        try:
            book.append(parse_entry(msgspec.json.decode(each.line)["annotation"], each.hash))
            if each.request:
                answers[each.request] = msgspec.json.decode(each.answer, type=SetAnswer)
        except (AnnotationBroken, AnnotationRefused, msgspec.DecodeError, KeyError, TypeError) as broken:
            raise StoreDamaged(f"An annotation of game {book.game} cannot be read: {broken}.") from broken
        owners[each.name] = each.owner
    size = reading.size + sum(len(each.line) + _BESIDE_A_LINE for each in found)
    return Reading(Kept(book, owners, answers), reading.entries + len(found), found[-1], size)


def read_whole(game: str, found: Sequence[StoredAnnotation]) -> Reading:
    """All annotations of a game.

    Raises:
        StoreDamaged
    """
    return follow(Reading(Kept(AnnotationBook(game), {}, {})), found)
