"""The rollouts of a screen: of the moments by which the pairs that stand out did most for each other."""

from collections import defaultdict

from msgspec.structs import replace

from replay.across.left import Left
from replay.across.mapping import map_games
from replay.across.screening.comparing.screen import Pair, Screen
from replay.across.screening.figures.game import LeftOut, Rollouts
from replay.across.screening.figures.reading import left_out
from replay.across.screening.rollouts.playing_on import PlayOn
from replay.across.source import GameSource

_Found = dict[tuple[str, int], Rollouts]


def roll_out(screen: Screen, source: GameSource, games: int, workers: int | None = None) -> Screen:
    """The same screen, in which bots have played on from each moment of the pairs that stand out, both ways.

    Who stands out was decided before, by the published value function alone: this changes no figure of a pair. A game
    that was read for the screen and cannot be read again now is named in `not_played_on`.

    Args:
        screen: whose moments.
        source: where its games are.
        games: how often to play on from each moment.
        workers: processes to use; None for as many as there are cores.
    """
    moments: dict[str, dict[int, tuple[int, int]]] = defaultdict(dict)
    names: dict[str, None] = {}
    for pair in screen.standing_out:
        for seen in pair.moments:
            moments[seen.game][seen.moment.version] = seen.moment.seats
            names[seen.source] = None
    function = PlayOn({game: tuple(each.items()) for game, each in moments.items()}, games, screen.seed)
    found: _Found = {}
    left: list[LeftOut] = []
    for mapped in map_games(function, source, workers, frozenset(), names):
        if isinstance(mapped, Left):
            left.append(left_out(mapped))
        else:
            found |= {(mapped.game, version): rollouts for version, rollouts in mapped.answer.items()}
    pairs = tuple(_with_rollouts(each, found) for each in screen.pairs)
    return replace(screen, rollouts=games, pairs=pairs, not_played_on=tuple(left))


def _with_rollouts(pair: Pair, found: _Found) -> Pair:
    moments = tuple(
        replace(seen, rollouts=found.get((seen.game, seen.moment.version))) for seen in pair.moments
    )
    return replace(pair, moments=moments) if pair.stands_out else pair
