"""One annotator's set: which entry may follow, and what stands of all that was written.

A set is a draft until an entry publishes it. That publishes everything before it; what is written later is a draft
until the next publication. So what others see of a set is always a beginning of its chain, and can be checked.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from events.chain.hash_chain import GENESIS
from replay.annotations.content import (
    AnnotationRefused,
    Edit,
    Note,
    Publication,
    Reply,
    Withdrawal,
)
from replay.annotations.entries import AnnotationBroken, AnnotationEntry, Author, is_linked


@dataclass(frozen=True, slots=True)
class Standing:
    """A note or a reply as it stands.

    Attributes:
        first: the entry that began it.
        newest: the entry that says what it says now: itself, or its last edit.
        history: the numbers of all entries about it, in order.
        withdrawn: the entry that took it back, if any.
    """

    first: AnnotationEntry
    newest: AnnotationEntry
    history: tuple[int, ...]
    withdrawn: AnnotationEntry | None = None

    @property
    def content(self) -> Note:
        """What it says."""
        content = self.newest.content
        if not isinstance(content, Note):
            raise TypeError(content)
        return content

    @property
    def place(self) -> tuple[int, int, str, int]:
        """Where it stands among all: by version, then time of writing, so that a reply follows what it is about."""
        return self.first.moment.version, self.first.at, self.first.set, self.first.number


class AnnotationSet:
    """The entries of one set, each of which may follow the ones before it.

    Attributes:
        entries: all entries in order.
        published: the number of the last entry that published the set; 0 for a draft.
        title: what the last publication calls the set.
    """

    def __init__(self) -> None:
        """Begin without entries."""
        self.entries: list[AnnotationEntry] = []
        self.published = 0
        self.title = ""
        self._standing: dict[int, Standing] = {}

    @classmethod
    def of(cls, entries: Iterable[AnnotationEntry]) -> Self:
        """The set with these entries.

        Raises:
            AnnotationBroken, AnnotationRefused
        """
        found = cls()
        for entry in entries:
            found.append(entry)
        return found

    @property
    def id(self) -> str:
        """Its id; empty before the first entry."""
        return self.entries[0].set if self.entries else ""

    @property
    def author(self) -> Author:
        """Who writes it; only once it has an entry."""
        return self.entries[0].author

    @property
    def number(self) -> int:
        """The number of the last entry; 0 before the first."""
        return len(self.entries)

    @property
    def head(self) -> str:
        """The hash after the last entry."""
        return self.entries[-1].hash if self.entries else GENESIS

    @property
    def standing(self) -> list[Standing]:
        """Every note and reply, in the order in which they were begun, withdrawn ones too."""
        return list(self._standing.values())

    @property
    def unknown(self) -> list[AnnotationEntry]:
        """The entries of kinds that are not known here."""
        return [entry for entry in self.entries if entry.content is None]

    def append(self, entry: AnnotationEntry) -> None:
        """Add the next entry.

        Raises:
            AnnotationBroken: it is not linked to the entry before it, or of another set, game or author.
            AnnotationRefused: it may not follow: nothing to edit, withdraw or publish.
        """
        self._check_chain(entry)
        match entry.content:
            case Edit(of=number):
                begun = self._require_current(number, entry)
                self._standing[number] = replace(begun, newest=entry, history=(*begun.history, entry.number))
            case Withdrawal(of=number):
                begun = self._require_current(number, entry)
                self._standing[number] = replace(
                    begun, withdrawn=entry, history=(*begun.history, entry.number)
                )
            case Publication(title=title):
                if self.published == self.number:
                    raise AnnotationRefused(
                        "nothing_to_publish", "The set holds nothing that is not published."
                    )
                self.published, self.title = entry.number, title
            case Reply(to=to) if to.set == entry.set:
                self._check_reply(to.number, to.hash, entry)
                self._standing[entry.number] = Standing(entry, entry, (entry.number,))
            case Note():
                self._standing[entry.number] = Standing(entry, entry, (entry.number,))
        self.entries.append(entry)

    def begins(self, number: int) -> Standing | None:
        """The note or reply that the entry of this number began; None where it began none."""
        return self._standing.get(number)

    def copy(self) -> "AnnotationSet":
        """The same set, of which one may grow without the other."""
        found = AnnotationSet()
        found.entries, found.published, found.title = [*self.entries], self.published, self.title
        found._standing = {**self._standing}
        return found

    def up_to(self, number: int) -> "AnnotationSet":
        """The set as it was after its entry of this number."""
        return self if number >= self.number else AnnotationSet.of(self.entries[:number])

    def _check_chain(self, entry: AnnotationEntry) -> None:
        if entry.number != self.number + 1:
            raise AnnotationBroken(f"entry {self.number + 1} is missing; found {entry.number} in its place")
        if not is_linked(entry, self.head):
            raise AnnotationBroken(
                f"the hash of entry {entry.number} is not that of this entry after the one before"
            )
        if not self.entries:
            return
        first, last = self.entries[0], self.entries[-1]
        if (entry.set, entry.game) != (first.set, first.game):
            raise AnnotationBroken("a set is about one game, and has one id")
        if entry.written["author"] != first.written["author"]:
            raise AnnotationBroken("a set has one author")
        if entry.at < last.at:
            raise AnnotationBroken(f"entry {entry.number} is older than the one before it")

    def _require_current(self, number: int, entry: AnnotationEntry) -> Standing:
        begun = self._standing.get(number)
        if begun is None:
            raise AnnotationRefused(
                "no_such_annotation", f"Entry {number} of this set is no note and no reply."
            )
        if begun.withdrawn is not None:
            raise AnnotationRefused("annotation_withdrawn", f"Entry {number} was withdrawn.")
        _check_moment(entry, begun.first)
        return begun

    def _check_reply(self, number: int, chain_hash: str, entry: AnnotationEntry) -> None:
        begun = self._standing.get(number)
        if begun is None or begun.first.hash != chain_hash:
            raise AnnotationRefused(
                "no_such_annotation", f"Entry {number} of this set is no note with this hash."
            )
        _check_moment(entry, begun.first)


def _check_moment(entry: AnnotationEntry, about: AnnotationEntry) -> None:
    if entry.moment != about.moment:
        raise AnnotationBroken(f"entry {entry.number} is bound to another moment than what it is about")
