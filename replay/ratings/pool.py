"""A pool: those who are compared with each other, and what each game has made of their figures."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from replay.ratings.finished_game import FinishedGame
from replay.ratings.model import FIRST, FIRST_OF_SEAT, Figure, rate
from replay.ratings.times import ALWAYS, times_of


class PoolName(NamedTuple):
    """Which pool: people or bots, in one version of a rule system, in all games or in those of a time."""

    system: str
    system_version: int
    pool: str
    time: str = ALWAYS
    """`always`, a pace, or a month such as `2026-11`."""


class Standing(NamedTuple):
    """How somebody stands after some games."""

    figure: Figure = FIRST
    games: int = 0
    wins: int = 0
    last: int = 0
    """When the last of them ended: milliseconds since the epoch."""


class Change(NamedTuple):
    """What one game has made of somebody's standing."""

    who: str
    game: str
    ended: int
    before: Figure
    after: Figure


class Pool:
    """A pool after some games. Games are applied in the order of their places, each once."""

    def __init__(
        self, standings: Mapping[str, Standing] | None = None, seats: Mapping[str, Standing] | None = None
    ) -> None:
        """Begin with these standings of players, and of places in the order of play; with none at the beginning."""
        self.standings: dict[str, Standing] = dict(standings or {})
        self.seats: dict[str, Standing] = dict(seats or {})

    def apply(self, game: FinishedGame) -> list[Change]:
        """Let a game count; what it has changed, in the order of the seats, everybody once."""
        who = [seat.who for seat in game.seats]
        places = [f"{len(who)}/{seat.place}" for seat in game.seats]
        before = {each: self.standings.get(each, Standing()) for each in dict.fromkeys(who)}
        worth = [self.seats.get(place, Standing(FIRST_OF_SEAT)) for place in places]
        players, seats = rate(
            [before[each].figure for each in who], [each.figure for each in worth], ranks(game)
        )
        won = Counter(seat.who for seat in game.seats if seat.won)
        for place, standing, figure, seat in zip(places, worth, seats, game.seats, strict=True):
            self.seats[place] = Standing(figure, standing.games + 1, standing.wins + seat.won, game.ended)
        after = defaultdict(list)
        for each, figure in zip(who, players, strict=True):
            after[each].append(figure)
        changes = []
        for each, standing in before.items():
            # Who sits at every seat has shown nothing of their strength.
            figure = _mean(after[each]) if len(before) > 1 else standing.figure
            self.standings[each] = Standing(
                figure, standing.games + 1, standing.wins + bool(won[each]), game.ended
            )
            changes.append(Change(each, game.game, game.ended, standing.figure, figure))
        return changes

    def board(self) -> list[tuple[str, Standing]]:
        """Everybody, the best first; of the same rating by id."""
        return sorted(self.standings.items(), key=lambda each: (-each[1].figure.rating, each[0]))


def ranks(game: FinishedGame) -> list[int]:
    """The ranks of the seats, 0 for the best: winners, then the others by score, and last whoever has left.

    Who has the same rank has tied. Where all agreed on a draw, all who were there have.
    """
    keys = [
        (seat.away, not seat.won, 0 if seat.won or seat.away or game.equal else -seat.score)
        for seat in game.seats
    ]
    order = sorted(set(keys))
    return [order.index(key) for key in keys]


def pool_names(game: FinishedGame) -> list[PoolName]:
    """The pools in which a game counts, each by itself: what it changes in one changes nothing in another."""
    times = times_of(game.pace, game.ended)
    return [PoolName(game.system, game.system_version, game.pool, time) for time in times]


def in_order(games: Iterable[FinishedGame]) -> Sequence[FinishedGame]:
    """Games in the order in which they count: by when they ended, then by id."""
    return sorted(games, key=lambda each: each.place)


def _mean(figures: Sequence[Figure]) -> Figure:
    """What somebody has who sat at several seats: the mean of what these have, rounded half to even."""
    count = len(figures)
    return Figure(
        round(sum(each.mu for each in figures) / count), round(sum(each.sigma for each in figures) / count)
    )
