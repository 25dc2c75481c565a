"""How well ratings find strengths that are known: `python -m tests.benchmarks.ratings`.

Simulated players have a strength, and in each game a form of the day, which is what the model supposes; places in
the order of play are worth something too. Each series has strengths and games of its own. Then bots: greedy and
random ones at tables of classic, on rotating seats. What is printed stands in docs/ratings.md.
"""

import argparse
import random
import time
from collections.abc import Sequence
from math import sqrt
from statistics import fmean, pstdev
from typing import Final

from replay.ratings.finished_game import BOTS, FinishedGame, RatedSeat
from replay.ratings.model import BETA, MU, UNIT
from replay.ratings.pool import Pool
from replay.ratings.times import UNTIMED
from service.simulation.simulating import Plan, simulate

PLAYERS: Final = 24
TABLE: Final = 4
SPREAD: Final = 4.0
"""Of the true strengths, in points."""
PLACES: Final = (0.9, 0.3, -0.3, -0.9)
"""What each place in the order of play is truly worth, in points."""
EACH: Final = (5, 10, 20, 50, 100, 200)
"""Games of each player after which it is looked."""
CERTAINTY: Final = 1.96


def correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Pearson's correlation of two rows of figures."""
    means = fmean(one), fmean(other)
    product = fmean((a - means[0]) * (b - means[1]) for a, b in zip(one, other, strict=True))
    return product / (pstdev(one) * pstdev(other))


def with_interval(values: Sequence[float]) -> str:
    """The mean of the series, and the interval of 95 % of that mean."""
    mean, error = fmean(values), pstdev(values) / sqrt(max(1, len(values) - 1))
    return f"{mean:.3f} ({mean - CERTAINTY * error:.3f} to {mean + CERTAINTY * error:.3f})"


def played(number: int, who: Sequence[int], scores: Sequence[int]) -> FinishedGame:
    """A game that came out like this; place 0 began."""
    best = max(scores)
    seats = tuple(
        RatedSeat(f"p:{player}", place, score, won=score == best, away=False)
        for place, (player, score) in enumerate(zip(who, scores, strict=True))
    )
    return FinishedGame(f"{number:06}", number, "simulated", 1, BOTS, UNTIMED, equal=False, seats=seats)


def series(seed: int) -> list[tuple[float, float, float]]:
    """After so many games of each: the correlation, the share within the interval, and what places are off by."""
    chance = random.Random(seed)
    strengths = [chance.gauss(MU, SPREAD) for _ in range(PLAYERS)]
    pool, found = Pool(), []
    for number in range(EACH[-1] * PLAYERS // TABLE):
        who = chance.sample(range(PLAYERS), TABLE)
        forms = [chance.gauss(strengths[player] + PLACES[place], BETA) for place, player in enumerate(who)]
        pool.apply(played(number, who, [round(form) for form in forms]))
        if (number + 1) * TABLE in {each * PLAYERS for each in EACH}:
            found.append(_look(pool, strengths))
    return found


def _look(pool: Pool, strengths: Sequence[float]) -> tuple[float, float, float]:
    known = [(strengths[int(who[2:])], each.figure) for who, each in pool.standings.items()]
    true, measured = [each for each, _ in known], [figure.mu / UNIT for _, figure in known]
    # Only differences mean something: what all have in common is taken off.
    shift = fmean(measured) - fmean(true)
    inside = fmean(
        abs(figure.mu / UNIT - shift - strength) <= CERTAINTY * figure.sigma / UNIT
        for strength, figure in known
    )
    places = [pool.seats[f"{TABLE}/{place}"].figure.mu / UNIT for place in range(TABLE)]
    middle = fmean(places)
    off = fmean(abs(each - middle - wanted) for each, wanted in zip(places, PLACES, strict=True))
    return correlation(true, measured), inside, off


def bots(deals: int) -> str:
    """The figures of two bots after real games, each deal on every rotation of the seats."""
    pool, number, won = Pool(), 0, 0
    for game in simulate(
        Plan("classic", 3, deals, ("greedy", "random", "random"), "ratings", duplicate=True)
    ):
        number += 1
        won += game.bots.index("greedy") in game.winners
        seats = tuple(
            RatedSeat(f"*{bot}", place, game.scores[place], won=place in game.winners, away=False)
            for place, bot in enumerate(game.bots)
        )
        name = f"{number:06}"
        pool.apply(FinishedGame(name, number, "classic", 1, BOTS, UNTIMED, equal=False, seats=seats))
    rows = [
        f"`{who}` {each.figure.mu / UNIT:.2f} ± {CERTAINTY * each.figure.sigma / UNIT:.2f}"
        for who, each in pool.board()
    ]
    return f"{number} games, greedy won {won}: " + ", ".join(rows)


def main() -> None:
    """Print what docs/ratings.md has."""
    options = argparse.ArgumentParser(description="How well ratings find strengths that are known.")
    options.add_argument("--series", type=int, default=40)
    options.add_argument("--deals", type=int, default=20)
    given = options.parse_args()
    began = time.process_time()
    all_series = [series(seed) for seed in range(given.series)]
    games = given.series * EACH[-1] * PLAYERS // TABLE
    took = 1e6 * (time.process_time() - began) / games
    print("| games of each | correlation | within their interval | places off by |\n|---|---|---|---|")  # noqa: T201
    for row, each in enumerate(EACH):
        at = [found[row] for found in all_series]
        inside, off = fmean(one[1] for one in at), fmean(one[2] for one in at)
        print(f"| {each} | {with_interval([one[0] for one in at])} | {inside:.0%} | {off:.2f} |")  # noqa: T201
    print(f"{games} games, {took:.0f} µs of processor time each")  # noqa: T201
    print(bots(given.deals))  # noqa: T201


if __name__ == "__main__":
    main()
