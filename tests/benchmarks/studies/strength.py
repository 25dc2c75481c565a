"""The strength of a bot compared with another one: `python -m tests.benchmarks.studies.strength`, for docs/bots.md.

Each deal is played once with the other bot on all seats, and then once for each seat with the bot there and the other
one elsewhere. The *margin* is how many coins more the bot had than the other one in the same seat with the same deal,
the *lead* how far it was ahead of the mean of the others at its table. Each deal is one observation, the mean of its
seats; the intervals are of the mean of the deals, by Student. An interrupt ends it with the deals that were played.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple, cast

import click

from events.bots import BOTS
from events.bots.situation import Bot, Situation
from events.commands import Command
from replay.across.intervals import student
from tests.benchmarks.games import coins

TABLES: Final = {
    "classic": 3,
    "extended": 3,
    "bean-duel": 2,
    "ladybohn": 3,
    "ladybohn-expansion": 3,
    "the-duel": 2,
}
Scores = Sequence[float]
"""The coins of each seat."""


class Match(NamedTuple):
    """The bot that is measured, the one it is compared with, and their tables."""

    system: str
    players: int
    bot: str
    other: str
    seed: str


@dataclass(slots=True)
class Measured:
    """The margin and the lead of each deal in coins, and the bot's processor time for each command in seconds."""

    margins: list[float] = field(default_factory=list)
    leads: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)


def gains(same: Scores, with_bot: Sequence[Scores]) -> tuple[float, float]:
    """Return the margin and the lead of a deal: scores without the bot, and with it on seat 0, 1 and so on."""
    margins = [scores[seat] - same[seat] for seat, scores in enumerate(with_bot)]
    leads = [
        scores[seat] - (sum(scores) - scores[seat]) / (len(scores) - 1)
        for seat, scores in enumerate(with_bot)
    ]
    return fmean(margins), fmean(leads)


def interval(observed: Sequence[float]) -> tuple[float, float]:
    """Return the mean, and half of its interval of 95 %: infinite for a single observation."""
    free = len(observed) - 1
    if not free:
        return observed[0], float("inf")
    return fmean(observed), student(free) * stdev(observed) / sqrt(len(observed))


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
    """Return a row of the table in docs/bots.md."""

    def show(observed: Sequence[float]) -> str:
        mean, off = interval(observed)
        return f"{mean:+.2f} | {mean - off:+.2f} to {mean + off:+.2f}"

    return (
        f"| `{match.system}` | {match.players} | {len(measured.margins)} | {show(measured.margins)} |"
        f" {show(measured.leads)} | {fmean(measured.moves) * 1000:.0f} | {max(measured.moves) * 1000:.0f} |"
    )


def _play(match: Match, deal: int, seat: int | None) -> Scores:
    """Play a deal with the bot on this seat, or nowhere."""
    bots = [match.bot if each == seat else match.other for each in range(match.players)]
    return coins(match.system, bots, f"{match.seed}/{deal}")


@contextmanager
def _timed(name: str, moves: list[float]) -> Iterator[None]:
    """Record the processor time of each command of this bot during the block."""
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


@click.command()
@click.option("--system", type=click.Choice([*TABLES]), help="One rule system; all of them without it.")
@click.option("--players", type=click.IntRange(2), help="Seats of a table.")
@click.option("--deals", type=click.IntRange(1), default=10, show_default=True)
@click.option("--bot", type=click.Choice([*BOTS]), default="lookahead", show_default=True)
@click.option("--against", type=click.Choice([*BOTS]), default="greedy", show_default=True)
@click.option("--seed", default="1", show_default=True)
def strength(
    *, system: str | None, players: int | None, deals: int, bot: str, against: str, seed: str
) -> None:
    """Measure one rule system, or all of them."""
    for each in [system] if system else TABLES:
        match = Match(each, players or TABLES[each], bot, against, seed)
        measured = measure(match, deals)
        if measured.margins:
            click.echo(row_of(match, measured))


if __name__ == "__main__":
    strength()
