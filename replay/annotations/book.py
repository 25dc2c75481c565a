"""All sets of a game: what belongs together, what stands, and how two of them are joined."""

from collections.abc import Iterable, Iterator
from typing import Final, Self

from replay.annotations.content import AnnotationRefused, Reply
from replay.annotations.entries import AnnotationBroken, AnnotationEntry
from replay.annotations.sets import AnnotationSet, Standing

MOST_SETS: Final = 200
"""Sets of one game at most."""
MOST_ENTRIES: Final = 2_000
"""Entries of one set at most."""
LARGEST: Final = 4_000_000
"""Bytes of all entries of a game at most, as lines."""


class AnnotationBook:
    """The sets of one game, by their ids.

    Attributes:
        game: the id of the game.
        size: the bytes of all entries as lines.
    """

    def __init__(self, game: str) -> None:
        """Begin without sets."""
        self.game = game
        self.size = 0
        self._sets: dict[str, AnnotationSet] = {}

    @classmethod
    def of(cls, game: str, entries: Iterable[AnnotationEntry]) -> Self:
        """The book with these entries, those of a set in their order.

        Raises:
            AnnotationBroken, AnnotationRefused
        """
        book = cls(game)
        for entry in entries:
            book.append(entry)
        return book

    @property
    def sets(self) -> list[AnnotationSet]:
        """All sets, by their ids."""
        return [self._sets[name] for name in sorted(self._sets)]

    @property
    def entries(self) -> Iterator[AnnotationEntry]:
        """All entries, set by set: the order of files and records."""
        return (entry for each in self.sets for entry in each.entries)

    @property
    def standing(self) -> list[Standing]:
        """Every note and reply of every set by version; withdrawn ones too."""
        return sorted((note for each in self.sets for note in each.standing), key=lambda note: note.place)

    def copy(self) -> "AnnotationBook":
        """The same book, of which one may grow without the other."""
        book = AnnotationBook(self.game)
        book.size = self.size
        book._sets = {name: each.copy() for name, each in self._sets.items()}
        return book

    def find(self, name: str) -> AnnotationSet | None:
        """The set of this id."""
        return self._sets.get(name)

    def append(self, entry: AnnotationEntry) -> None:
        """Add an entry to its set, which begins with it where there is none.

        Raises:
            AnnotationBroken: it is about another game, or not the next one of its set.
            AnnotationRefused: it may not follow, or there is no room for it.
        """
        if entry.game != self.game:
            raise AnnotationBroken(f"it is about the game {entry.game[:64]}, not about {self.game[:64]}")
        found = self._sets.get(entry.set)
        if (
            (found is None and len(self._sets) >= MOST_SETS)
            or (found is not None and found.number >= MOST_ENTRIES)
            or self.size + len(entry.line) > LARGEST
        ):
            raise AnnotationRefused(
                "annotations_full",
                f"A game has at most {MOST_SETS} sets of {MOST_ENTRIES} entries, {LARGEST} bytes in all.",
            )
        grown = found if found is not None else AnnotationSet()
        grown.append(entry)
        self._sets[entry.set] = grown
        self.size += len(entry.line)

    def answered(self, reply: AnnotationEntry) -> Standing | None:
        """What a reply is about; None where it is not here."""
        if not isinstance(reply.content, Reply):
            return None
        to = reply.content.to
        found = self._sets.get(to.set)
        begun = found.begins(to.number) if found is not None else None
        return begun if begun is not None and begun.first.hash == to.hash else None

    def merge(self, other: "AnnotationBook") -> "AnnotationBook":
        """Both together. A set that is in both is taken as far as it goes in the longer one.

        Raises:
            AnnotationBroken: the other is about another game.
            AnnotationRefused: a set went on differently in each of them, or there is no room.
        """
        if other.game != self.game:
            raise AnnotationBroken(
                f"one is about the game {self.game[:64]}, the other about {other.game[:64]}"
            )
        names = sorted({each.id for each in (*self.sets, *other.sets)})
        return AnnotationBook.of(self.game, (entry for name in names for entry in self._longer(other, name)))

    def _longer(self, other: "AnnotationBook", name: str) -> list[AnnotationEntry]:
        mine, theirs = self.find(name) or AnnotationSet(), other.find(name) or AnnotationSet()
        short, long = sorted((mine, theirs), key=lambda each: each.number)
        if short.number and long.entries[short.number - 1].hash != short.head:
            raise AnnotationRefused(
                "annotations_forked", f"The set {name} went on differently in each of them."
            )
        return long.entries
