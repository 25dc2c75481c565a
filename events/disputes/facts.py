"""What a decision has to know about people and the game, as one value, and for how long what may be done.

Times are milliseconds since 1970-01-01 UTC, and limits are milliseconds.
"""

from typing import Final

import msgspec

FINISHED: Final = "finished"
RUNNING: Final = "running"


class Person(msgspec.Struct, frozen=True):
    """Somebody who did something: by a name that the service vouches for, and what they are called."""

    who: str
    """`seat:0` and so on, the id of a key, or `fieldbook`."""
    name: str = ""


SERVICE: Final = Person("fieldbook", "Fieldbook")
"""Who lets a deadline pass and makes a ruling final."""


def seat_name(seat: int) -> str:
    """How a seat is named among people."""
    return f"seat:{seat}"


class VersionFacts(msgspec.Struct, frozen=True):
    """One version of the game."""

    version: int
    hash: str
    """The chain hash after it."""
    counts: bool = True
    """Whether it is part of what counts today; what was rewound past is not."""
    stops: bool = True
    """Whether the game can go on from it, as `events.game.rewindable_history` says."""


class SeenSince(msgspec.Struct, frozen=True, omit_defaults=True):
    """Hidden cards that somebody has seen since a version: how many, never which."""

    what: str
    """Where they lay: `draw`, `bonus`, `hand`, `bonus_hand`, `offers` or `coins`; see `events.rules.table.seen`."""
    cards: int = 0
    """How many; 0 where they are not counted."""
    seat: int | None = None
    """Whose they were, where they were somebody's."""


class Result(msgspec.Struct, frozen=True):
    """Who won, and with how much; nobody and nothing for a game that does not count."""

    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    """By seat; empty where a ruling named winners only."""


class GameFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A game as far as its cases need to know it."""

    game: str
    seats: int
    persons: tuple[int, ...]
    """The seats that people have taken."""
    creator: str
    """The id of the key that set it up; empty where nobody wrote it down."""
    version: int
    hash: str
    """The chain hash after that version."""
    status: str
    ended: int | None = None
    """When it finished."""
    archived: bool = False
    moments: tuple[VersionFacts, ...] = ()
    """The versions that the command names, as far as the log has them."""
    result: Result | None = None
    seen: tuple[SeenSince, ...] = ()
    """What would have been seen in vain if the game went back as the command asks."""

    def at(self, version: int) -> VersionFacts | None:
        """The moment of this version, where the log has it."""
        return next((each for each in self.moments if each.version == version), None)

    @property
    def at_the_table(self) -> tuple[str, ...]:
        """Who may open a case: the people at the table and the key that set the game up."""
        own = (self.creator,) if self.creator else ()
        return (*map(seat_name, self.persons), *own)


class Limits(msgspec.Struct, frozen=True):
    """How long things may be done, in milliseconds."""

    dispute: int
    """After the end of a game: open a case."""
    claim: int
    """From opening, appealing or a released claim: claim it."""
    ruling: int
    """From a claim: give the ruling."""
    appeal: int
    """From a ruling: appeal."""
    pause: int = 86_400_000
    """From opening: have the game wait."""


MOST_OPEN: Final = 3
"""Cases of one party in one game that have not ended at most."""
MOST_PAUSES: Final = 2
"""Cases of one party in one game for which the game waits at most, ended ones included."""
MOST_CASES: Final = 100
"""Cases of one game at most, withdrawn ones included."""
MOST_OF_PARTY: Final = 10
"""Cases of one party in one game at most, withdrawn ones included: all parties together have room."""
MOST_EVIDENCE: Final = 20
"""Pieces of evidence of one person in one case at most: all others have theirs."""
LARGEST_OF_PARTY: Final = 200_000
"""Bytes of what one person says in the cases of a game at most: openings and evidence, as their events are kept."""
KEPT_FOR_APPEALS: Final = 20_000
"""Bytes beyond that which a person may use for appeals."""
LARGEST_OF_PARTIES: Final = 1_200_000
"""Bytes of all that is said in the cases of a game, but for rulings and appeals, at which parties say no more."""
KEPT_FOR_ARBITERS: Final = 200_000
"""Bytes beyond that for the evidence of arbiters. Rulings always have room: a case has two at most."""
MOST_CLAIMS: Final = 5
"""How often one arbiter claims one case at most."""
