"""Rounds of a tournament between equal players, each played twice: with the same deal at all tables, and without.

A player is the greedy bot with errors: some of its moves, drawn from its own seed, are those of the random bot. So no
two of them play alike, and none is better.
"""

import hashlib
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple, cast

from events.bots import BOTS
from events.bots.greedy.greedy_bot import play_greedily
from events.bots.random_bot import play_at_random
from events.bots.situation import Bot, Situation
from events.commands import Command
from events.commands.dealing import DUPLICATE, Dealing
from events.rules.systems.registry import system_named
from service.simulation.self_play import self_play

CENTS: Final = 100
ERRING: Final = "erring"
"""The name under which the players sit down, with the part of their moves that are errors."""


class Setting(NamedTuple):
    """What is played: `tables` of `players` each, of whose moves so large a part are errors."""

    system: str
    players: int
    tables: int
    errors: float
    seed: str


class PlayedRound(NamedTuple):
    """How far each seat of each table was ahead of those who sat in the same seat elsewhere, in coins."""

    alike: tuple[float, ...]
    """With the same deal at all tables."""
    apart: tuple[float, ...]
    """With a deal of its own at each."""


def play_round(setting: Setting, number: int) -> PlayedRound:
    """Play a round twice; the same setting and number always give the same round."""
    with _erring_players(setting.errors):
        return PlayedRound(_leads(setting, number, alike=True), _leads(setting, number, alike=False))


@contextmanager
def _erring_players(errors: float) -> Iterator[None]:
    """Have games of this process know the erring player for as long as a round is played."""

    def play(situation: Situation, chance: random.Random) -> Command | None:
        return (play_at_random if chance.random() < errors else play_greedily)(situation, chance)

    known = cast("dict[str, Bot]", BOTS)
    known[ERRING] = play
    try:
        yield
    finally:
        del known[ERRING]


def _leads(setting: Setting, number: int, *, alike: bool) -> tuple[float, ...]:
    scores = [_play(setting, number, table, alike=alike) for table in range(setting.tables)]
    totals = [sum(table[seat] for table in scores) for seat in range(setting.players)]
    others = setting.tables - 1
    return tuple(
        score - (totals[seat] - score) / others for table in scores for seat, score in enumerate(table)
    )


def _play(setting: Setting, number: int, table: int, *, alike: bool) -> tuple[float, ...]:
    """The coins of each seat."""
    seed = f"{setting.seed}/{number}/{table}"
    deal = (_digest(f"{setting.seed}/{number}"), Dealing(DUPLICATE, f"round-{number}")) if alike else None
    unit = CENTS if system_named(setting.system).unit == "cents" else 1
    played, _ = self_play(setting.system, setting.players, (ERRING,) * setting.players, seed, {}, deal=deal)
    result = played.state.result
    if result is None:
        raise RuntimeError(f"table {table} of round {number} has no result")
    return tuple(score / unit for score in result.scores)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
