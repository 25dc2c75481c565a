"""Games in figures that were never played, with or without an understanding between the first two players."""

import random
from collections.abc import Mapping, Sequence

from replay.across.screening.figures.game import GIFT, Moment, ScreenedGame, Square


def made_up_games(
    games: int,
    seed: str,
    *,
    players: int = 6,
    seats: int = 4,
    favour: float = 0.0,
    skill: Mapping[str, float] | None = None,
) -> list[ScreenedGame]:
    """Games of seats drawn from some players; the first two give each other so many coins more.

    `skill` says how much more a player earns and trades than others.
    """
    chance, known = random.Random(seed), skill or {}
    found = []
    for number in range(games):
        names = tuple(chance.sample([f"p{place}" for place in range(players)], seats))
        ability = [known.get(name, 0.0) for name in names]
        results = [chance.gauss(more, 2) for more in ability]
        mean = sum(results) / seats
        gifts = _square(names, ability, 0.3, favour, chance)
        found.append(
            ScreenedGame(
                game=f"game-{number:03}",
                source=f"game-{number:03}.ndjson",
                system="classic",
                players=names,
                results=tuple(each - mean for each in results),
                table=gifts,
                trades=_square(names, ability, 1.0, 0.0, chance),
                gifts=gifts,
                refusals=_square(names, ability, 0.5, 0.0, chance),
                moments=(Moment(10, GIFT, (0, 1), 0.5, 0.1),),
            )
        )
    return found


def _square(
    names: Sequence[str], ability: Sequence[float], level: float, favour: float, chance: random.Random
) -> Square:
    """Figures for every two seats: by chance, more of those who are able, and of the first two with each other."""

    def figure(one: int, other: int) -> float:
        more = favour if {names[one], names[other]} == {"p0", "p1"} else 0.0
        return level * chance.expovariate(1) + 0.2 * (ability[one] + ability[other]) + more

    seats = range(len(names))
    return tuple(tuple(0.0 if one == other else figure(one, other) for other in seats) for one in seats)
