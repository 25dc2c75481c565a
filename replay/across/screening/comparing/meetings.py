"""Who met whom in which games, prepared for counting again and again with the names on other seats."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from replay.across.screening.comparing.habits import habits_of_pairs, habits_of_results
from replay.across.screening.comparing.measures import OF_PAIRS, PairFigures, figures, places
from replay.across.screening.figures.game import ScreenedGame
from replay.across.screening.figures.spool import Spool


@dataclass(frozen=True, slots=True)
class Sitting:
    """A game: who sat there, and what they had above others of their kind and above their habits.

    Attributes:
        players: by number, seat 0 first.
        above: for every two seats, in the order of `places`.
        results: what each seat earned above the mean of the table, and above what was to be expected there.
    """

    players: tuple[int, ...]
    above: tuple[PairFigures, ...]
    results: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Meetings:
    """Many games of the same players.

    Attributes:
        names: of the players, in order; their numbers are the places here.
        pairs: every two players who met, by number, the smaller one first.
        together: how many games each of these pairs had.
        played: how many games each player had.
        shared: how many times each player sat at a table with another one, over all games.
        sittings: the games.
    """

    names: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    together: tuple[int, ...]
    played: tuple[int, ...]
    shared: tuple[int, ...]
    sittings: tuple[Sitting, ...]


def meetings_in(games: Spool | Sequence[ScreenedGame]) -> Meetings:
    """Prepare games: from the figures what is explained by where two sit, and by what each does with everybody.

    First the mean of all seats at the same distance is taken off, in games of the same system with as many players;
    then what each of the two is used to. The games are gone through several times, and none of them is kept.
    """
    names = sorted({name for game in games for name in game.players})
    number = {name: place for place, name in enumerate(names)}
    means = _means(games)
    sittings, together = list[Sitting](), dict[tuple[int, int], int]()
    played, shared = [0] * len(names), [0] * len(names)
    for game in games:
        players = tuple(number[name] for name in game.players)
        above = tuple(
            _less(figure, means[_kind(game, *place)])
            for figure, place in zip(figures(game), places(len(players)), strict=True)
        )
        sittings.append(Sitting(players, above, game.results))
        for one, other in places(len(players)):
            pair = (min(players[one], players[other]), max(players[one], players[other]))
            together[pair] = together.get(pair, 0) + 1
        for player in players:
            played[player] += 1
            shared[player] += len(players) - 1
    pairs = sorted(together)
    _take_off_habits(sittings)
    return Meetings(
        tuple(names),
        tuple(pairs),
        tuple(together[pair] for pair in pairs),
        tuple(played),
        tuple(shared),
        tuple(sittings),
    )


def _take_off_habits(sittings: list[Sitting]) -> None:
    """Leave of the games what is not what each player does with everybody."""
    habits = [
        habits_of_pairs(
            (sitting.players[one], sitting.players[other], above[measure])
            for sitting in sittings
            for (one, other), above in zip(places(len(sitting.players)), sitting.above, strict=True)
        )
        for measure in range(len(OF_PAIRS))
    ]
    earned = habits_of_results((sitting.players, sitting.results) for sitting in sittings)
    for number, sitting in enumerate(sittings):
        players = sitting.players
        above = tuple(
            _less(figure, _sum(habits, players[one], players[other]))
            for (one, other), figure in zip(places(len(players)), sitting.above, strict=True)
        )
        mean = sum(earned[player] for player in players) / len(players)
        results = tuple(
            result - (earned[player] - mean) for player, result in zip(players, sitting.results, strict=True)
        )
        sittings[number] = Sitting(players, above, results)


def _sum(habits: Sequence[Mapping[int, float]], one: int, other: int) -> PairFigures:
    table, trades, gifts, refusals = (habit[one] + habit[other] for habit in habits)
    return table, trades, gifts, refusals


_Kind = tuple[str, int, int]


def _kind(game: ScreenedGame, one: int, other: int) -> _Kind:
    players = len(game.players)
    return game.system, players, min((one - other) % players, (other - one) % players)


def _means(games: Spool | Sequence[ScreenedGame]) -> dict[_Kind, PairFigures]:
    sums, count = dict[_Kind, PairFigures](), Counter[_Kind]()
    for game in games:
        for figure, place in zip(figures(game), places(len(game.players)), strict=True):
            kind = _kind(game, *place)
            one, two, three, four = sums.get(kind, (0.0, 0.0, 0.0, 0.0))
            sums[kind] = one + figure[0], two + figure[1], three + figure[2], four + figure[3]
            count[kind] += 1
    return {
        kind: (one / count[kind], two / count[kind], three / count[kind], four / count[kind])
        for kind, (one, two, three, four) in sums.items()
    }


def _less(figure: PairFigures, mean: PairFigures) -> PairFigures:
    return figure[0] - mean[0], figure[1] - mean[1], figure[2] - mean[2], figure[3] - mean[3]
