"""What is kept about the annotations of a game, and what somebody wants to write there."""

from dataclasses import dataclass
from typing import Any, Final

import msgspec

from replay.annotations.book import AnnotationBook
from replay.annotations.content import AnnotationRefused
from replay.annotations.entries import Author, Moment
from replay.annotations.sets import AnnotationSet


class SetAnswer(msgspec.Struct, frozen=True):
    """The answer to a request that wrote something."""

    fingerprint: str
    set: str
    number: int
    hash: str


class SetChanged(Exception):
    """A set is not where the caller saw it; `number` and `hash` say where it is."""

    def __init__(self, number: int, chain_hash: str) -> None:
        """Say where the set is."""
        super().__init__(number, chain_hash)
        self.number = number
        self.hash = chain_hash


@dataclass(frozen=True, slots=True)
class Kept:
    """All that is kept about a game's annotations. Many share it: whoever changes a set copies it first."""

    book: AnnotationBook
    owners: dict[str, str]
    """Who owns each set: `seat:1` and so on, the id of a key, or `spectator:` and an id."""
    answers: dict[str, SetAnswer]
    """What was answered to each request."""

    def own(self, name: str, owner: str) -> AnnotationSet:
        """The owner's set of this id.

        Raises:
            AnnotationRefused: they have none; another's is answered like one that does not exist.
        """
        found = self.book.find(name)
        if found is None or self.owners[name] != owner:
            raise AnnotationRefused("no_such_set", "You have no set with this id in this game.")
        return found


ANYBODY: Final = "anybody"
ARBITER: Final = "arbiter"
CREATOR: Final = "creator"


@dataclass(frozen=True, slots=True)
class SetOwner:
    """Under what name somebody's sets are owned, and as what they write: of that it depends how much room they have.

    Some is kept for arbiters and for who set the game up, and of that some for the latter.
    """

    name: str
    role: str = ANYBODY
    """`anybody`, `arbiter` or `creator`."""


@dataclass(frozen=True, slots=True)
class Wish:
    """An entry that somebody wants to write.

    Attributes:
        set: the id of the set; None for a new one.
        expected: number and beginning of the hash that the set must have; None for any.
        seats: how many seats the game has.
        role: as what the owner writes, as `SetOwner` has it.
    """

    game: str
    set: str | None
    owner: str
    author: Author
    kind: str
    moment: Moment
    data: dict[str, Any]
    at: int
    request: str
    fingerprint: str
    seats: int
    expected: tuple[int, str] | None = None
    role: str = ANYBODY
