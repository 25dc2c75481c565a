"""The times by which boards are apart: how long players may think, and the month in which a game ended."""

from typing import Final

from events.commands.clock import DAY, ClockSettings
from replay.across.dataset.told_game import UNDATED, month_of

ALWAYS: Final = "always"
"""The board of all games of a pool."""
EVERY: Final = "every"
"""All of these boards, each by itself."""
LIVE, SLOW, UNTIMED = "live", "slow", "untimed"
PACES: Final = (LIVE, SLOW, UNTIMED)
"""With a clock by which nobody ever has a day for a move, with a slower one, and without any."""
A_TIME: Final = rf"^({'|'.join((ALWAYS, *PACES))}|[12][0-9]{{3}}-(0[1-9]|1[0-2]))$"
"""The form of a time."""


def pace_of(clock: ClockSettings | None) -> str:
    """How long players may think in a game with this clock; without a clock as long as they like."""
    if clock is None:
        return UNTIMED
    return LIVE if max(clock.cap, clock.answer) < DAY else SLOW


def times_of(pace: str, ended: int) -> tuple[str, ...]:
    """The boards of its pool on which a game counts: that of all games, of its pace, and of the month of its end.

    A game that no clock saw, as simulated ones are, has no month.
    """
    month = month_of(ended)
    return (ALWAYS, pace) if month == UNDATED else (ALWAYS, pace, month)
