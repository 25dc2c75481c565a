"""How good a bot is beside another one, in each rule system: `python -m tests.benchmarks.strength --deals 20`.

Each deal is played once with the bot on every seat and the other one on all others, so a deal is one observation: how
far the bot was ahead of the others' mean, over its seats. The interval is of the mean of the deals, by Student.
"""

import argparse
import time
from collections.abc import Sequence
from math import sqrt
from typing import Final

from events.rules.systems.registry import system_named
from service.simulation.simulating import Plan, SimulatedGame, simulate

TABLES: Final = {
    "classic": 3,
    "extended": 3,
    "bean-duel": 2,
    "ladybohn": 3,
    "ladybohn-expansion": 3,
    "the-duel": 2,
}
_STUDENT: Final = (
    (1, 12.71),
    (2, 4.3),
    (3, 3.18),
    (4, 2.78),
    (5, 2.57),
    (7, 2.36),
    (10, 2.23),
    (15, 2.13),
    (25, 2.06),
)
"""The 97.5 % points of Student's distribution by degrees of freedom."""
CENTS: Final = 100


def lead(game: SimulatedGame, bot: str, unit: int) -> float:
    """How far the bot was ahead of the others' mean, in coins."""
    seat = game.bots.index(bot)
    others = [score for each, score in enumerate(game.scores) if each != seat]
    return (game.scores[seat] - sum(others) / len(others)) / unit


def interval(observed: Sequence[float]) -> tuple[float, float]:
    """The mean, and how much it may be off with 95 % certainty; with a single one nobody can say."""
    mean = sum(observed) / len(observed)
    free = len(observed) - 1
    if not free:
        return mean, float("inf")
    error = sqrt(sum((each - mean) ** 2 for each in observed) / free / len(observed))
    return mean, error * max(1.96, next((point for most, point in reversed(_STUDENT) if free >= most), 12.71))


def measure(system: str, deals: int, bot: str, other: str, seed: str) -> str:
    """A row of the table in docs/bots.md."""
    players = TABLES[system]
    unit = CENTS if system_named(system).unit == "cents" else 1
    plan = Plan(system, players, deals, (bot, *[other] * (players - 1)), seed, duplicate=True)
    began = time.process_time()
    games = list(simulate(plan))
    seconds = (time.process_time() - began) / len(games)
    by_deal = [games[at : at + players] for at in range(0, len(games), players)]
    mean, off = interval([sum(lead(each, bot, unit) for each in deal) / players for deal in by_deal])
    won = sum(game.bots.index(bot) in game.winners for game in games)
    return (
        f"| `{system}` | {players} | {deals} | {len(games)} | {won} ({won / len(games):.0%}) | {1 / players:.0%} |"
        f" {mean:+.2f} | {mean - off:+.2f} to {mean + off:+.2f} | {seconds:.1f} |"
    )


def main() -> None:
    """Measure one rule system, or all of them."""
    options = argparse.ArgumentParser(description="How good a bot is beside another one.")
    options.add_argument("--system", choices=TABLES, default=None)
    options.add_argument("--deals", type=int, default=10)
    options.add_argument("--bot", default="lookahead")
    options.add_argument("--against", default="greedy")
    options.add_argument("--seed", default="1")
    given = options.parse_args()
    for system in [given.system] if given.system else TABLES:
        print(measure(system, given.deals, given.bot, given.against, given.seed), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
