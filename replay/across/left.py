"""A game that is not among those counted, named with the reason: no figure over many games misses some in silence."""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

import msgspec


class Reason(StrEnum):
    """Why a game was left out; the values are stable codes."""

    UNREADABLE = "unreadable"
    """There is no record where one was expected, or it cannot be read."""
    DOES_NOT_VERIFY = "does_not_verify"
    """Something in the record does not hold."""
    OTHER_RELEASE = "other_release"
    """It is pinned to an engine, a rule system or options that this installation does not have."""
    NOT_WHOLE = "not_whole"
    """The record shows only what one seat or the public could see."""
    UNFINISHED = "unfinished"
    """The game has not finished, or the record stops before its end."""
    TWICE = "twice"
    """The same record came before."""
    CONTRADICTS = "contradicts"
    """A record of a game of the same id came before, with another head: one of the two is not what was played."""
    ANNULLED = "annulled"
    """A ruling annulled the game."""
    REWOUND = "rewound"
    """The game went back, so that some of its entries do not count."""
    QUARANTINED = "quarantined"
    """The partition of the store that holds it is in quarantine."""
    PRIVATE = "private"
    """For everybody but those who played it the game does not exist."""
    UNLISTED = "unlisted"
    """Only who knows the game's id may see it."""
    RULED_SINCE = "ruled_since"
    """It was not left out: its rows are in a dataset, and what was ruled about its result since then is not."""


BY_CHOICE: Final = frozenset(
    {Reason.ANNULLED, Reason.REWOUND, Reason.QUARANTINED, Reason.PRIVATE, Reason.UNLISTED}
)
"""Games that can be read, and are left out or taken in as one likes; all others cannot be taken."""
USUALLY_LEFT: Final = frozenset({Reason.ANNULLED, Reason.QUARANTINED, Reason.PRIVATE})
"""What is left out where nobody has chosen."""
AGAINST_RECORD: Final = frozenset({Reason.UNREADABLE, Reason.DOES_NOT_VERIFY, Reason.CONTRADICTS})
"""Reasons that speak against a record, or against the one of the same game that came before: a finding."""


class Left(msgspec.Struct, frozen=True):
    """One game that was left out.

    Attributes:
        name: the source's name for it, such as the path of its file.
        reason: why.
        detail: the same in a sentence, with what was found.
        game: the game's id as the record gives it; empty where it could not be read.
    """

    name: str
    reason: Reason
    detail: str
    game: str = ""


class NotTaken(Exception):
    """A source cannot, or may not, hand out a game.

    Attributes:
        reason: why.
    """

    def __init__(self, reason: Reason, detail: str) -> None:
        """Say why, as a code and as a sentence."""
        super().__init__(detail)
        self.reason = reason


def count_left(left: Iterable[Left]) -> dict[str, int]:
    """How many games were left out for each reason, in the order of `Reason`; reasons without a game are not there.

    >>> count_left([Left("a", Reason.TWICE, ""), Left("b", Reason.ANNULLED, ""), Left("c", Reason.TWICE, "")])
    {'twice': 2, 'annulled': 1}
    """
    counted = Counter(each.reason for each in left)
    return {reason.value: counted[reason] for reason in Reason if counted[reason]}
