"""Reading the games of a source for a screen: each gives its figures, or is named with the reason."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from replay.across.left import BY_CHOICE as READING_BY_CHOICE
from replay.across.left import Left, Reason
from replay.across.mapping import Mapped, map_games
from replay.across.screening.figures.game import BY_CHOICE, LeftOut, ScreenedGame
from replay.across.screening.figures.observing import observe
from replay.across.screening.figures.spool import Spool
from replay.across.source import GameSource

TO_CHOOSE: Final = (Reason.REWOUND, *BY_CHOICE)
"""What is left out of a folder of records unless somebody asks for it."""


def read_games(
    source: GameSource,
    included: Iterable[str] = (),
    workers: int | None = None,
    told: Callable[[int], None] = lambda _: None,
) -> tuple[Spool, list[LeftOut]]:
    """The figures of all games of a source, and what was left out; `told` gets how many were read so far.

    Args:
        source: where the games are.
        included: those of `TO_CHOOSE` that are counted.
        workers: processes to use; None for as many as there are cores.
        told: is called after each game.
    """
    chosen = frozenset(included)
    function = partial(observe, included=chosen)
    return sort_answers(map_games(function, source, workers, READING_BY_CHOICE - chosen), told)


def sort_answers(
    answers: Iterable[Mapped[ScreenedGame | LeftOut] | Left], told: Callable[[int], None] = lambda _: None
) -> tuple[Spool, list[LeftOut]]:
    """What a map of `observe` over games has answered, as `read_games` has it."""
    games = Spool()
    left: list[LeftOut] = []
    for number, each in enumerate(answers, 1):
        if isinstance(each, Left):
            left.append(left_out(each))
        elif isinstance(each.answer, LeftOut):
            left.append(each.answer)
        else:
            games.add(each.answer)
        told(number)
    return games, left


def left_out(left: Left) -> LeftOut:
    """A game that a map has left out, as a screen names it."""
    return LeftOut(left.name, left.game, left.reason.value, left.detail)
