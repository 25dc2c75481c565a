"""The luck that duplicate rounds take out: `python -m tests.benchmarks.studies.luck --rounds 1000`.

Rounds of a tournament between equal players are played twice: with the same deal at all tables, and without. A
player is the greedy bot with errors: some of its moves, drawn from the seat's seed, are those of the random bot. No
two of them play alike, and none is better, so all that their results differ by is luck.
"""

import hashlib
import os
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from statistics import fmean
from typing import Any, Final, NamedTuple, cast

import click

from events.bots import BOTS
from events.bots.greedy.greedy_bot import play_greedily
from events.bots.random_bot import play_at_random
from events.bots.situation import Bot, Situation
from events.commands import Command
from events.commands.dealing import DUPLICATE, Dealing
from tests.benchmarks.games import coins

ERRING: Final = "erring"
"""The name of the players' bot."""
DRAWS: Final = 2_000
Leads = Sequence[float]
"""The lead of each seat of each table over the mean of the same seat elsewhere, in coins."""


class Setting(NamedTuple):
    """The rounds to play: `tables` of `players` each, with this share of errors among their moves."""

    system: str
    players: int
    tables: int
    errors: float
    seed: str


class PlayedRound(NamedTuple):
    """The leads with the same deal at all tables, and with different deals."""

    alike: Leads
    apart: Leads


class Luck(NamedTuple):
    """Variances of a result in coins squared, the part that the same deal takes out, and its 95 % interval."""

    alike: float
    apart: float
    taken_out: float
    interval: tuple[float, float]


def play_round(setting: Setting, number: int) -> PlayedRound:
    """Play a round twice; the same setting and number always give the same round."""
    with _erring_players(setting.errors):
        return PlayedRound(_leads(setting, number, alike=True), _leads(setting, number, alike=False))


@contextmanager
def _erring_players(errors: float) -> Iterator[None]:
    """Add the erring bot to the known bots of this process."""

    def play(situation: Situation, chance: random.Random) -> Command | None:
        return (play_at_random if chance.random() < errors else play_greedily)(situation, chance)

    known = cast("dict[str, Bot]", BOTS)
    known[ERRING] = play
    try:
        yield
    finally:
        del known[ERRING]


def _leads(setting: Setting, number: int, *, alike: bool) -> Leads:
    scores = [_play(setting, number, table, alike=alike) for table in range(setting.tables)]
    totals = [sum(table[seat] for table in scores) for seat in range(setting.players)]
    others = setting.tables - 1
    return tuple(
        score - (totals[seat] - score) / others for table in scores for seat, score in enumerate(table)
    )


def _play(setting: Setting, number: int, table: int, *, alike: bool) -> tuple[float, ...]:
    """Return the coins of each seat."""
    seed, round_seed = f"{setting.seed}/{number}/{table}", f"{setting.seed}/{number}"
    secret = hashlib.sha256(round_seed.encode()).hexdigest()
    deal = (secret, Dealing(DUPLICATE, f"round-{number}")) if alike else None
    return coins(setting.system, (ERRING,) * setting.players, seed, deal)


def luck_in(rounds: Sequence[PlayedRound], seed: str) -> Luck:
    """Return the luck in these rounds; the interval comes from drawing rounds with replacement."""
    alike = [fmean(lead * lead for lead in each.alike) for each in rounds]
    apart = [fmean(lead * lead for lead in each.apart) for each in rounds]

    def taken_out(chosen: Sequence[int]) -> float:
        return 1 - sum(alike[each] for each in chosen) / sum(apart[each] for each in chosen)

    dice, every = random.Random(seed), range(len(rounds))
    drawn = sorted(taken_out(dice.choices(every, k=len(rounds))) for _ in range(DRAWS))
    edge = DRAWS // 40
    return Luck(fmean(alike), fmean(apart), taken_out(every), (drawn[edge], drawn[-edge - 1]))


@click.command()
@click.option("--system", default="bean-duel", show_default=True, help="The rule system.")
@click.option("--players", type=click.IntRange(2), default=2, show_default=True, help="Seats of a table.")
@click.option("--tables", type=click.IntRange(2), default=4, show_default=True, help="Tables of a round.")
@click.option("--errors", type=click.FloatRange(0, 1), default=0.1, show_default=True, help="Of all moves.")
@click.option("--rounds", type=click.IntRange(2), default=1_000, show_default=True, help="Rounds to play.")
@click.option("--seed", default="1", show_default=True, help="The same seed plays the same rounds.")
@click.option("--workers", type=click.IntRange(1), default=os.cpu_count(), help="Processes that play.")
def luck(*, rounds: int, workers: int, **given: Any) -> None:
    """Play rounds with the same deal at all tables and without, and print a row of docs/tournaments.md."""
    setting = Setting(**given)
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        played = list(pool.map(partial(play_round, setting), range(rounds), chunksize=5))
    found = luck_in(played, setting.seed)
    low, high = found.interval
    click.echo(
        f"| `{setting.system}` | {setting.players} | {setting.tables} | {setting.errors:.0%} | {rounds:,} |"
        f" {found.apart**0.5:.2f} | {found.alike**0.5:.2f} | {found.taken_out:.0%} | {low:.0%} to {high:.0%} |"
    )


if __name__ == "__main__":
    luck()
