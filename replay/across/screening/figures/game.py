"""What one game says: for every two seats what the decisions of the one did to the other, in coins."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

import msgspec

GIFT: Final = "gift"
TRADE: Final = "trade"
OTHER: Final = "other"
CENTS: Final = 100
"""In a coin, where a rule system counts in them."""

Square = tuple[tuple[float, ...], ...]
"""A figure for every two seats: the row decided, the column has it."""


class Moment(msgspec.Struct, frozen=True):
    """An entry by which one of two seats did something for the other."""

    version: int
    kind: str
    """`gift`, `trade` or `other`."""
    seats: tuple[int, int]
    """Who gave more, and who had more of it."""
    coins: float
    """What the second seat had of it."""
    cost: float
    """What it cost the first one; below zero where it gained too."""


class Rollouts(msgspec.Struct, frozen=True):
    """What rollouts say of a moment; in coins at the end of the game."""

    games: int
    """How often the game was played on to its end, both ways."""
    coins: float
    """What the trade brought who had more of it, as a mean."""
    interval: tuple[float, float]
    """Where that lies with 95 % certainty by Student's t, if rollouts are normally distributed."""
    cost: float
    """What it cost who gave more; below zero where it gained too."""


class ScreenedGame(msgspec.Struct, frozen=True):
    """A finished game, in figures."""

    game: str
    source: str
    """What its source calls it, such as the path of its file."""
    system: str
    players: tuple[str, ...]
    """The names, seat 0 first."""
    results: tuple[float, ...]
    """What each seat earned, in coins, less the mean of the table."""
    table: Square
    """The collusion table: what the decisions of each seat did to the value of each, its own included."""
    trades: Square
    """The part of it that came of trades in which both gave something."""
    gifts: Square
    """The part of it that came of trades in which one side gave nothing."""
    refusals: Square
    """What each seat turned down of the offers of each: coins that it would have gained."""
    moments: tuple[Moment, ...] = ()
    """What most was done by, for every two seats."""
    ended: int = 0
    """When it ended, in milliseconds since the epoch; 0 where no clock saw it, as in simulated games."""


class LeftOut(msgspec.Struct, frozen=True):
    """A game that is not counted, and why."""

    source: str
    game: str
    """Its id; empty where none could be read."""
    reason: str
    """One of `Unfit`, or of the reasons of `replay.across`."""
    detail: str = ""


class Unfit(StrEnum):
    """Why a game that can be read says nothing about two players."""

    NO_THIRD_SEAT = "no_third_seat"
    """There is nobody to compare with."""
    SAME_NAMES = "same_names"
    """Two seats have the same name, so nobody can say who met whom."""
    ANNULLED = "annulled"
    """A ruling annulled the game."""
    RULED = "ruled"
    """A ruling gave or replaced the result."""
    ABANDONED = "abandoned"
    """Somebody left, and a bot played on."""
    CUT_SHORT = "cut_short"
    """It was ended before it was played out."""


BY_CHOICE: Final = (Unfit.ANNULLED, Unfit.RULED, Unfit.ABANDONED, Unfit.CUT_SHORT)
"""What is counted all the same where somebody asks for it: for every reason that a game has."""


def square(players: int, figures: Iterable[tuple[int, int, float]]) -> Square:
    """Add up figures by the two seats that they belong to."""
    rows = [[0.0] * players for _ in range(players)]
    for seat, other, figure in figures:
        rows[seat][other] += figure
    return tuple(tuple(row) for row in rows)
