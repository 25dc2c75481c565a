"""Ratings over many games: from a source of records, and from games that were read before."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from replay.across.left import Left, Reason
from replay.across.mapping import map_games
from replay.across.source import GameSource
from replay.ratings.finished_game import FinishedGame, finished_game
from replay.ratings.inputs import NOTHING_BESIDE, Inputs
from replay.ratings.pool import Change, Pool, PoolName, in_order, pool_names

LEFT_OUT: Final = frozenset({Reason.ANNULLED, Reason.QUARANTINED, Reason.PRIVATE, Reason.UNLISTED})
"""Games that do not count; of some a source of records alone does not know that they are such."""


@dataclass(slots=True)
class Rated:
    """What came out.

    Attributes:
        pools: by name, each after all of its games.
        changes: what each game has changed, in the order in which games count.
        uncounted: by game, why it does not count although it verifies.
        left: what was left out.
    """

    pools: dict[PoolName, Pool] = field(default_factory=lambda: defaultdict(Pool))
    changes: list[tuple[PoolName, Change]] = field(default_factory=list)
    uncounted: dict[str, str] = field(default_factory=dict)
    left: list[Left] = field(default_factory=list)


def rate_games(games: Iterable[FinishedGame], inputs: Inputs = NOTHING_BESIDE) -> Rated:
    """Ratings over games, in whatever order they come; each counts once, in the order of `FinishedGame.place`."""
    rated = Rated()
    for game in in_order(games):
        counted = inputs.applied(game)
        if counted is None:
            ruled = inputs.ruled.get(game.game)
            rated.uncounted[game.game] = "a case is open" if ruled is None else "a ruling annulled it"
            continue
        for name in pool_names(counted):
            rated.changes += [(name, each) for each in rated.pools[name].apply(counted)]
    return rated


def rate_records(
    source: GameSource,
    inputs: Inputs = NOTHING_BESIDE,
    *,
    system: str | None = None,
    workers: int | None = None,
) -> Rated:
    """Ratings over the games of a source, each verified first; `system` takes those of one rule system."""
    games, uncounted, left = [], {}, []
    for told in map_games(finished_game, source, workers, LEFT_OUT):
        if isinstance(told, Left):
            left.append(told)
        elif not isinstance(told.answer, FinishedGame):
            uncounted[told.game] = told.answer.reason
        elif system is None or told.answer.system == system:
            games.append(told.answer)
    rated = rate_games(games, inputs)
    rated.uncounted.update(uncounted)
    rated.left = left
    return rated
