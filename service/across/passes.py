"""The passes over many games that workers know by name, and how their answers are written for the way back.

What waits in a queue is JSON, as all jobs of the service are: a name and plain arguments, never code. So a worker
does only what is listed here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, Final

import msgspec

from replay.across.overview.game_figures import GameFigures, count_game
from replay.across.played_game import PlayedGame
from replay.across.screening.figures.game import LeftOut, ScreenedGame
from replay.across.screening.figures.observing import observe
from service.across.tabulated_games import read_tabulated, tabulating, write_tabulated


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass.

    Attributes:
        function: makes the function of one game out of the pass's arguments.
        write: an answer as bytes.
        read: the answer that these bytes stand for.
    """

    function: Callable[[Sequence[str]], Callable[[PlayedGame], Any]]
    write: Callable[[Any], bytes]
    read: Callable[[bytes], Any]


def _observing(included: Sequence[str]) -> Callable[[PlayedGame], ScreenedGame | LeftOut]:
    return partial(observe, included=frozenset(included))


class _Observed(msgspec.Struct, frozen=True):
    """What a screen says of a game: one of the two."""

    screened: ScreenedGame | None = None
    left_out: LeftOut | None = None


def _write_observed(observed: ScreenedGame | LeftOut) -> bytes:
    if isinstance(observed, ScreenedGame):
        return _encode(_Observed(screened=observed))
    return _encode(_Observed(left_out=observed))


def _read_observed(written: bytes) -> ScreenedGame | LeftOut | None:
    found = msgspec.msgpack.decode(written, type=_Observed)
    return found.screened or found.left_out


_encode: Final = msgspec.msgpack.Encoder().encode
REPORT: Final = "report"
DATASET: Final = "dataset"
SCREEN: Final = "screen"
PASSES: Final = MappingProxyType(
    {
        REPORT: Pass(lambda _: count_game, _encode, msgspec.msgpack.Decoder(GameFigures).decode),
        DATASET: Pass(tabulating, write_tabulated, read_tabulated),
        SCREEN: Pass(_observing, _write_observed, _read_observed),
    }
)
"""By name; a screen's arguments are what it includes, the others have none."""
