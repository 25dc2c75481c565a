"""How good a bot is beside another one, in each rule system: `python -m tests.benchmarks.strength --deals 20`.

Each deal is played once with the other bot on all seats, and then once for each seat with the bot there and the other
one elsewhere. The *margin* is how many coins more the bot had than the other one in the same seat with the same deal,
the *lead* how far it was ahead of the mean of the others at its table. Each deal is one observation, the mean of its
seats; the intervals are of the mean of the deals, by Student. An interrupt ends it with the deals that were played.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import fmean
from typing import Final, cast

from events.bots import BOTS
from events.bots.situation import Bot, Situation
from events.commands import Command
from events.rules.systems.registry import system_named
from service.simulation.self_play import self_play

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
    (60, 2.0),
    (120, 1.98),
)
"""The 97.5 % points of Student's distribution by degrees of freedom."""
CENTS: Final = 100
Scores = Sequence[float]
"""Of each seat, in coins."""


@dataclass(frozen=True, slots=True)
class Match:
    """Which bot is measured beside which other one, and at which tables."""

    system: str
    players: int
    bot: str
    other: str
    seed: str


@dataclass(slots=True)
class Measured:
    """What came of the deals that were played."""

    margins: list[float] = field(default_factory=list)
    """Of each deal, how many coins more the bot had than the other one in the same seat, on average."""
    leads: list[float] = field(default_factory=list)
    """Of each deal, how far the bot was ahead of the others at its table, on average."""
    moves: list[float] = field(default_factory=list)
    """How long the bot took for each of its commands, in seconds of processor time."""


def gains(same: Scores, with_bot: Sequence[Scores]) -> tuple[float, float]:
    """The margin and the lead of a deal: what all seats had without the bot, and with it on seat 0, 1 and so on."""
    margins, leads = [], []
    for seat, scores in enumerate(with_bot):
        margins.append(scores[seat] - same[seat])
        leads.append(scores[seat] - (sum(scores) - scores[seat]) / (len(scores) - 1))
    return fmean(margins), fmean(leads)


def interval(observed: Sequence[float]) -> tuple[float, float]:
    """The mean, and how much it may be off with 95 % certainty; with a single one nobody can say."""
    mean = sum(observed) / len(observed)
    free = len(observed) - 1
    if not free:
        return mean, float("inf")
    error = sqrt(sum((each - mean) ** 2 for each in observed) / free / len(observed))
    return mean, error * next((point for least, point in reversed(_STUDENT) if free >= least), 12.71)


def measure(match: Match, deals: int) -> Measured:
    """Play these deals, or as many as there are until an interrupt."""
    measured = Measured()
    with suppress(KeyboardInterrupt), _timed(match.bot, measured.moves):
        for deal in range(1, deals + 1):
            same = _play(match, deal, None)
            margin, lead = gains(same, [_play(match, deal, seat) for seat in range(match.players)])
            measured.margins.append(margin)
            measured.leads.append(lead)
    return measured


def row_of(match: Match, measured: Measured) -> str:
    """A row of the table in docs/bots.md."""
    margin, lead = interval(measured.margins), interval(measured.leads)
    return (
        f"| `{match.system}` | {match.players} | {len(measured.margins)} | {_shown(*margin)} | {_shown(*lead)}"
        f" | {fmean(measured.moves) * 1000:.0f} | {max(measured.moves) * 1000:.0f} |"
    )


def _shown(mean: float, off: float) -> str:
    return f"{mean:+.2f} | {mean - off:+.2f} to {mean + off:+.2f}"


def _play(match: Match, deal: int, seat: int | None) -> Scores:
    """Play a deal with the bot on this seat, or nowhere."""
    bots = [match.bot if each == seat else match.other for each in range(match.players)]
    played, _ = self_play(match.system, match.players, bots, f"{match.seed}/{deal}", {})
    result = played.state.result
    if result is None:
        raise RuntimeError(f"deal {deal} has no result")
    unit = CENTS if system_named(match.system).unit == "cents" else 1
    return [score / unit for score in result.scores]


@contextmanager
def _timed(name: str, moves: list[float]) -> Iterator[None]:
    """Take down how long the bot of this name takes for each of its commands, for as long as games are played."""
    bot, known = BOTS[name], cast("dict[str, Bot]", BOTS)

    def play(situation: Situation, chance: Random) -> Command | None:
        began = time.process_time()
        command = bot(situation, chance)
        if command is not None:
            moves.append(time.process_time() - began)
        return command

    known[name] = play
    try:
        yield
    finally:
        known[name] = bot


def main() -> None:
    """Measure one rule system, or all of them."""
    options = argparse.ArgumentParser(description="How good a bot is beside another one.")
    options.add_argument("--system", choices=TABLES, default=None)
    options.add_argument("--players", type=int, default=None)
    options.add_argument("--deals", type=int, default=10)
    options.add_argument("--bot", default="lookahead")
    options.add_argument("--against", default="greedy")
    options.add_argument("--seed", default="1")
    given = options.parse_args()
    for system in [given.system] if given.system else TABLES:
        match = Match(system, given.players or TABLES[system], given.bot, given.against, given.seed)
        measured = measure(match, given.deals)
        if measured.margins:
            print(row_of(match, measured), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
