"""Time in a game: the clock that it is played with, and what whoever watches the time asks for.

The rules know no time. What a clock says, and when something is due, follows from the log: `events.game.clock`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from events.commands.base import Command

MINUTE: Final = 60
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR


class ClockSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """The clock of a game, pinned in its first event; all times are seconds.

    A player's bank runs while the game waits for them alone in their own turn. Whoever is asked for something
    besides, or waited for together with others, has `answer` for it, and loses nothing of the bank.
    """

    bank: int
    """What each player has at the beginning."""
    increment: int
    """What a player gets for each turn of their own, when it ends."""
    cap: int
    """More than this nobody saves."""
    answer: int
    """For all answers to offers in one turn, for any other answer, and in each own turn at least."""
    grace: int = 2
    """So much later a command still counts: networks are slow."""
    strikes: int = 3
    """After so many turns in which time ran out a bot takes the seat over."""
    bot: str = "greedy"
    """The bot that plays then, and the single moves that nobody made in time."""


PRESETS: Final[Mapping[str, ClockSettings]] = MappingProxyType(
    {
        "live": ClockSettings(bank=5 * MINUTE, increment=30, cap=10 * MINUTE, answer=45),
        "day_a_move": ClockSettings(
            bank=DAY, increment=DAY, cap=3 * DAY, answer=DAY, grace=MINUTE, strikes=2
        ),
        "week_a_game": ClockSettings(
            bank=7 * DAY, increment=0, cap=7 * DAY, answer=12 * HOUR, grace=MINUTE, strikes=2
        ),
    }
)
"""Clocks with names."""


class ExpireTime(Command, frozen=True):
    """The clock says that a seat's time is over: for its move, or for answering the offer of this number.

    `deadline` is when it was (milliseconds since the epoch), and follows from the log.
    """

    seat: int
    deadline: int
    offer: int | None = None


class CreditTime(Command, frozen=True):
    """Nobody could play from `since` to `until` (milliseconds since the epoch): that time counts for nobody.

    `reason` is `outage` or `maintenance`.
    """

    since: int
    until: int
    reason: str


CLOCK_COMMANDS = ExpireTime | CreditTime
