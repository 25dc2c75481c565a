"""Statistics as a picture: coins over time, time used, balance of trades. Needs matplotlib, which is optional."""

import warnings
from typing import TYPE_CHECKING, Any, BinaryIO

from replay.commentary.texts import NAME_LENGTH, make_printable
from replay.platform.optional_libraries import require_library
from replay.timeline.statistics.figures import GameStatistics, SeatStatistics

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MINUTE = 60_000
# Nothing in a file says when or by what it was made: the same game gives the same picture.
_NO_DATE: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def plot(figures: GameStatistics, file: BinaryIO, ending: str) -> None:
    """Draw the figures into an open file, in the format of a file name that ends like this, such as `.svg`.

    Raises:
        NotInstalled: matplotlib is not there.
    """
    require_library("matplotlib", "plots")
    import matplotlib as mpl  # noqa: PLC0415  # only who plots needs it, and waits for it
    from matplotlib.figure import Figure  # noqa: PLC0415

    # A name in the record is text and no formula, whatever letters are in it, and may be in a script without a font.
    with (
        mpl.rc_context({"svg.hashsalt": "fieldbook", "svg.fonttype": "none", "text.parse_math": False}),
        warnings.catch_warnings(),
    ):
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        drawing = Figure(figsize=(9, 10), layout="constrained")
        coins, time, trades = drawing.subplots(3, 1, height_ratios=[3, 1, 1])
        drawing.suptitle(
            f"{make_printable(figures.game, NAME_LENGTH)} ({make_printable(figures.system, NAME_LENGTH)})"
        )
        _coins(coins, figures)
        names = [_name(own) for own in figures.seats]
        _bars(time, names, [own.milliseconds / _MINUTE for own in figures.seats], "time used (minutes)")
        _bars(trades, names, [own.balance for own in figures.seats], "balance of trades (coins at best)")
        drawing.savefig(file, format=ending.removeprefix("."), metadata=_NO_DATE[ending])


def _coins(axes: "Axes", figures: GameStatistics) -> None:
    for own in figures.seats:
        versions = [each.version for each in figures.coins] + [figures.version]
        coins = [each.coins[own.seat] for each in figures.coins] + [own.coins]
        axes.step(versions, coins, where="post", label=_name(own))
    axes.set_xlabel("version")
    axes.set_ylabel("coins")
    axes.grid(alpha=0.3)
    if figures.seats:
        axes.legend(loc="upper left")


def _bars(axes: "Axes", names: list[str], values: list[float], title: str) -> None:
    axes.barh(range(len(names)), values, tick_label=names)
    axes.invert_yaxis()
    axes.set_xlabel(title)


def _name(own: SeatStatistics) -> str:
    """The seat's number goes first: a label that begins with an underscore would be left out."""
    return f"{own.seat}: {make_printable(own.name, NAME_LENGTH)}"
