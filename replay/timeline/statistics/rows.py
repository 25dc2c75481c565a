"""Statistics as rows of a table with a column for each seat: for a terminal, and for a report."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import MappingProxyType

from replay.timeline.statistics.figures import GameStatistics, SeatStatistics

BARS = "▁▂▃▄▅▆▇█"
CURVE_LENGTH = 20


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of every seat.

    Attributes:
        key: which figure: a key of the messages' context `statistics`, or of `variety` for one by variety.
        cells: the seats' figures as text, empty for none.
        variety: the variety that a figure is of; empty for the others.
    """

    key: str
    cells: tuple[str, ...]
    variety: str = ""


_FIGURES: MappingProxyType[str, Callable[[SeatStatistics], str]] = MappingProxyType(
    {
        "score": lambda own: "" if own.score is None else str(own.score),
        "coins": lambda own: str(own.coins),
        "turns": lambda own: str(own.turns),
        "commands": lambda own: str(own.commands),
        "time": lambda own: duration(own.milliseconds),
        "planted": lambda own: _some(sum(own.planted.values())),
        "harvested": lambda own: _some(sum(own.harvested.values())),
        "trades": lambda own: _some(sum(each.trades for each in own.trades)),
        "given": lambda own: _some(sum(sum(each.given.values()) for each in own.trades)),
        "received": lambda own: _some(sum(sum(each.received.values()) for each in own.trades)),
        "balance": lambda own: f"{own.balance:+.1f}" if own.trades else "",
    }
)
"""Figures that are worked out; the others are members by the same name."""
_ORDER = (
    *(
        "score",
        "coins",
        "turns",
        "commands",
        "time",
        "planted",
        "harvested",
        "harvests",
        "harvests_for_nothing",
    ),
    *("offers", "offers_accepted", "offers_refused", "offers_withdrawn", "offers_lapsed", "declined"),
    *("trades", "given", "received", "balance"),
    *("gifts_given", "gifts_received", "promises", "promises_kept", "levies"),
)


def rows(figures: GameStatistics) -> Iterator[Row]:
    """The figures that some seat has, then for each variety what was planted and what it brought."""
    for key in _ORDER:
        figure = _FIGURES.get(key)
        cells = tuple(figure(own) if figure else _some(getattr(own, key)) for own in figures.seats)
        if any(cells):
            yield Row(key, cells)
    varieties = {variety: None for own in figures.seats for variety in own.planted}
    for variety in varieties:
        cells = tuple(_of_variety(own, variety) for own in figures.seats)
        yield Row("variety", cells, variety)


def curve(figures: GameStatistics, seat: int) -> str:
    """The coins of a seat over the game as a small picture: one bar for each twentieth of the versions."""
    highest = max((max(each.coins) for each in figures.coins), default=0)
    if not highest:
        return ""
    drawn = []
    for place in range(1, CURVE_LENGTH + 1):
        version = figures.version * place // CURVE_LENGTH
        coins = next((each.coins[seat] for each in reversed(figures.coins) if each.version <= version), 0)
        drawn.append(BARS[coins * (len(BARS) - 1) // highest])
    return "".join(drawn)


def duration(milliseconds: int) -> str:
    """Hours, minutes and seconds.

    >>> duration(3_723_999), duration(-5000)
    ('1:02:03', '-0:00:05')
    """
    seconds = abs(milliseconds) // 1000
    sign = "-" if milliseconds < 0 else ""
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _some(count: int) -> str:
    return str(count) if count else ""


def _of_variety(own: SeatStatistics, variety: str) -> str:
    """Planted, and what harvests of it earned: `12/3`."""
    planted, earned = own.planted.get(variety, 0), own.earned.get(variety, 0)
    return f"{planted}/{earned}" if planted else ""
