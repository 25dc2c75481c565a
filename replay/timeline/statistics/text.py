"""Statistics as text for a terminal: a column for each seat, and the coins over time as a small picture."""

from collections.abc import Iterator

from events.rules.table.state import GameState
from replay.commentary import Commentary
from replay.commentary.cells import cells, cut
from replay.commentary.texts import NAME_LENGTH, make_printable
from replay.timeline.statistics.figures import GameStatistics
from replay.timeline.statistics.rows import Row, curve, duration, rows

_LABEL = 24
_MIN_COLUMN = 8
_LINE = 80


def row_label(row: Row, tell: Commentary) -> str:
    """What a row is called."""
    if row.variety:
        return tell.names.short(row.variety)
    return tell.messages.say("statistics", row.key)


def statistics_lines(figures: GameStatistics, tell: Commentary, state: GameState) -> Iterator[str]:
    """The lines; `state` is the table at the last version, for the players' names."""
    yield tell.messages.say(
        "statistics",
        "title",
        game=make_printable(figures.game, NAME_LENGTH),
        system=make_printable(figures.system, NAME_LENGTH),
        version=figures.version,
        view=figures.viewer,
        turns=tell.count("turns", figures.turns),
        duration=duration(figures.milliseconds),
    )
    names = [tell.player(state, own.seat) for own in figures.seats]
    yield ""
    width = max(
        _MIN_COLUMN, min(1 + max(map(cells, names), default=0), (_LINE - _LABEL) // (len(names) or 1))
    )
    yield _line("", _headings(names, width), width)
    by_variety = False
    for row in rows(figures):
        if row.variety and not by_variety:
            by_variety = True
            yield ""
            yield tell.messages.say("statistics", "by_variety")
        yield _line(row_label(row, tell), row.cells, width)
    if figures.coins:
        yield ""
        yield tell.messages.say("statistics", "over_time")
        for own, name in zip(figures.seats, names, strict=True):
            picture = curve(figures, own.seat)
            yield f"{_fit(name, _LABEL)}{picture} {own.coins}".rstrip()


def _headings(names: list[str], width: int) -> list[str]:
    """Return the names as they fit into columns; with the number of the seat where they would look alike."""
    short = [cut(name, width - 1) for name in names]
    if len(set(short)) == len(short):
        return short
    return [cut(f"{seat}:{name}", width - 1) for seat, name in enumerate(names)]


def _line(label: str, columns: list[str] | tuple[str, ...], width: int) -> str:
    fitted = (" " * (width - cells(short)) + short for short in (cut(each, width - 1) for each in columns))
    return (_fit(label, _LABEL) + "".join(fitted)).rstrip()


def _fit(text: str, width: int) -> str:
    short = cut(text, width - 1)
    return short + " " * (width - cells(short))
