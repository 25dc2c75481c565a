"""The accuracy of ratings for known strengths: `python -m tests.benchmarks.studies.ratings`, for docs/ratings.md.

Simulated players have a strength, and in each game a form of the day, which is what the model supposes; places in the
order of play are worth something too. Each series has different strengths and games. Then bots: greedy and random
ones at tables of classic, on rotating seats.
"""

import random
import time
from collections.abc import Sequence
from math import sqrt
from statistics import correlation, fmean, pstdev
from typing import Final

import click

from replay.ratings.finished_game import BOTS, FinishedGame, RatedSeat
from replay.ratings.model import BETA, MU, UNIT
from replay.ratings.pool import Pool
from replay.ratings.times import UNTIMED
from service.simulation.simulating import Plan, simulate

PLAYERS: Final = 24
TABLE: Final = 4
SPREAD: Final = 4.0
"""The standard deviation of the true strengths, in points."""
PLACES: Final = (0.9, 0.3, -0.3, -0.9)
"""The true worth of each place in the order of play, in points."""
EACH: Final = (5, 10, 20, 50, 100, 200)
"""Games of each player after which the ratings are compared."""
CERTAINTY: Final = 1.96


def series(seed: int) -> list[tuple[float, float, float]]:
    """Return, for each number of games, the correlation, the share within intervals, and the error of places."""
    chance = random.Random(seed)
    strengths = [chance.gauss(MU, SPREAD) for _ in range(PLAYERS)]
    pool, found = Pool(), []
    for number in range(EACH[-1] * PLAYERS // TABLE):
        who = chance.sample(range(PLAYERS), TABLE)
        forms = [chance.gauss(strengths[player] + PLACES[place], BETA) for place, player in enumerate(who)]
        pool.apply(_game(number, who, [round(form) for form in forms]))
        if (number + 1) * TABLE in {each * PLAYERS for each in EACH}:
            found.append(_compared(pool, strengths))
    return found


def _game(number: int, who: Sequence[int], scores: Sequence[int]) -> FinishedGame:
    best = max(scores)
    seats = tuple(
        RatedSeat(f"p:{player}", place, score, won=score == best, away=False)
        for place, (player, score) in enumerate(zip(who, scores, strict=True))
    )
    return FinishedGame(f"{number:06}", number, "simulated", 1, BOTS, UNTIMED, equal=False, seats=seats)


def _compared(pool: Pool, strengths: Sequence[float]) -> tuple[float, float, float]:
    known = [(strengths[int(who[2:])], each.figure) for who, each in pool.standings.items()]
    true, measured = [each for each, _ in known], [figure.mu / UNIT for _, figure in known]
    # Only differences mean something: the common part is subtracted.
    shift = fmean(measured) - fmean(true)
    inside = fmean(
        abs(figure.mu / UNIT - shift - strength) <= CERTAINTY * figure.sigma / UNIT
        for strength, figure in known
    )
    places = [pool.seats[f"{TABLE}/{place}"].figure.mu / UNIT for place in range(TABLE)]
    middle = fmean(places)
    off = fmean(abs(each - middle - wanted) for each, wanted in zip(places, PLACES, strict=True))
    return correlation(true, measured), inside, off


def with_interval(values: Sequence[float]) -> str:
    """Return the mean of the series with its interval of 95 %."""
    mean, error = fmean(values), pstdev(values) / sqrt(max(1, len(values) - 1))
    return f"{mean:.3f} ({mean - CERTAINTY * error:.3f} to {mean + CERTAINTY * error:.3f})"


def bots(deals: int) -> str:
    """Return the ratings of two bots after real games, each deal on every rotation of the seats."""
    pool, number, won = Pool(), 0, 0
    plan = Plan("classic", 3, deals, ("greedy", "random", "random"), "ratings", duplicate=True)
    for number, game in enumerate(simulate(plan), 1):
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


@click.command()
@click.option("--series", "number", type=click.IntRange(1), default=40, show_default=True)
@click.option("--deals", type=click.IntRange(1), default=20, show_default=True)
def ratings(number: int, deals: int) -> None:
    """Measure how well ratings find strengths that are known."""
    began = time.process_time()
    every = [series(seed) for seed in range(number)]
    games = number * EACH[-1] * PLAYERS // TABLE
    took = 1e6 * (time.process_time() - began) / games
    click.echo("| games of each | correlation | within their interval | places off by |\n|---|---|---|---|")
    for each, at in zip(EACH, zip(*every, strict=True), strict=True):
        inside, off = fmean(one[1] for one in at), fmean(one[2] for one in at)
        click.echo(f"| {each} | {with_interval([one[0] for one in at])} | {inside:.0%} | {off:.2f} |")
    click.echo(f"{games} games, {took:.0f} µs of processor time each\n{bots(deals)}")


if __name__ == "__main__":
    ratings()
