"""Seasons: so many games of a pool of players, with seats drawn anew for each game, put together out of a bank.

The bots of one kind play alike whatever their names are. So a game of the bank stands for any players of its kinds:
where both colluders are drawn, a game is taken in which two collude, and elsewhere one of honest bots alone.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from msgspec.structs import replace

from replay.across.screening.figures.game import ScreenedGame

COLLUDERS = ("player 1", "player 2")
TRIED = "tried"
"""How the names of the seats of the bank begin at which the two sit."""


@dataclass(frozen=True, slots=True)
class Bank:
    """Games in figures: of honest bots, and of two colluders among them."""

    honest: Sequence[ScreenedGame]
    colluding: Sequence[ScreenedGame] = ()
    """Empty where the first two of the pool are as honest as the others."""


def season(bank: Bank, pool: int, games: int, seed: str) -> list[ScreenedGame]:
    """The games of one season; no game of the bank comes twice before each has come once."""
    chance = random.Random(seed)
    honest, colluding = _draw(bank.honest, chance), _draw(bank.colluding, chance)
    everybody = [f"player {number}" for number in range(1, pool + 1)]
    found = []
    for number in range(1, games + 1):
        drawn = chance.sample(everybody, len(bank.honest[0].players))
        together = bool(bank.colluding) and {*COLLUDERS} <= {*drawn}
        game = next(colluding if together else honest)
        if together:
            pair = [name for name in drawn if name in COLLUDERS]
            others = [name for name in drawn if name not in COLLUDERS]
            drawn = [(pair if name.startswith(TRIED) else others).pop() for name in game.players]
        found.append(replace(game, game=f"game {number:05}", players=tuple(drawn)))
    return found


def _draw(games: Sequence[ScreenedGame], chance: random.Random) -> Iterator[ScreenedGame]:
    for _ in count():
        yield from chance.sample(games, len(games))
