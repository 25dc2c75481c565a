"""A game as the tables of a dataset tell it: what all of them need of it, worked out once."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cached_property
from types import MappingProxyType
from typing import Final

from events.domain_events import Card
from events.log.disclosure import NOBODY_SEAT, acting_seat
from replay.across.dataset.names import Names
from replay.across.played_game import PlayedGame, Step
from replay.terminal.table_text import FIRST_DATE, is_dated
from replay.timeline.statistics.tally import card_values

DECEMBER: Final = 12
UNDATED: Final = "undated"
"""The month of a game that was played by no clock, as simulated ones are."""


class ToldGame:
    """One game, for the tables.

    Attributes:
        played: the game.
        names: says what stands in place of names, and takes them out of events and commands.
        month: the month in which it ended, by UTC, such as `2026-11`; or `UNDATED`.
    """

    def __init__(self, played: PlayedGame, names: Names) -> None:
        """Tell this game with these names."""
        self.played = played
        self.names = names
        self.month = month_of(played.entries[-1].at)
        self._is_dated = self.month != UNDATED

    @property
    def place(self) -> tuple[str, str, str]:
        """The columns with which every row of the game begins: game, system, month."""
        return self.played.game, self.played.system, self.month

    @cached_property
    def steps(self) -> Sequence[Step]:
        """All entries of the game."""
        return tuple(self.played.steps)

    @cached_property
    def _values(self) -> MappingProxyType[Card, float]:
        return MappingProxyType(dict(card_values(self.played.header.catalogue)))

    @cached_property
    def _varieties(self) -> MappingProxyType[Card, str]:
        return MappingProxyType({bean.card: bean.variety for bean in self.played.header.catalogue.beans})

    @property
    def is_dated(self) -> bool:
        """Whether the game's times are moments, and not mere numbers."""
        return self._is_dated

    def moment(self, at: int) -> int | None:
        """A moment for a column of that kind; None in a game that was played by no clock."""
        return at if self._is_dated else None

    def worth(self, cards: Sequence[Card]) -> float:
        """The most coins that these cards can bring as parts of best fields."""
        return round(sum(self._values.get(card, 0.0) for card in cards), 6)

    def variety(self, card: Card) -> str:
        """What a card counts as in a field."""
        return self._varieties.get(card, card)


def seat_of(actor: str) -> int | None:
    """The seat that an actor stands for; None for all others."""
    seat = acting_seat(actor)
    return None if seat == NOBODY_SEAT else seat


def month_bounds(month: str) -> tuple[int | None, int]:
    """From when on, and before when, a game of this month has ended; milliseconds since the epoch.

    >>> month_bounds("2026-12")
    (1796083200000, 1798761600000)
    """
    if month == UNDATED:
        return None, FIRST_DATE
    year, number = map(int, month.split("-"))
    following = (year + 1, 1) if number == DECEMBER else (year, number + 1)
    begin, end = (
        int(datetime(*first, 1, tzinfo=UTC).timestamp()) * 1000 for first in ((year, number), following)
    )
    return begin, end


def month_of(at: int) -> str:
    """The month of a moment (milliseconds since the epoch), by UTC, such as `2026-11`; or `UNDATED`."""
    try:
        return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m") if is_dated(at) else UNDATED
    except (OverflowError, ValueError, OSError):  # a moment that no calendar has
        return UNDATED
