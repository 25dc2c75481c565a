"""What rounds between equal players say about luck: all that their results differ by is luck."""

import random
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import msgspec

from tests.benchmarks.luck.rounds import PlayedRound, Setting

DRAWS = 2_000


class Luck(NamedTuple):
    """Variances of a player's result in a round, in coins squared, and the part that the same deal takes out."""

    alike: float
    apart: float
    taken_out: float
    interval: tuple[float, float]
    """Of 95 %, by drawing rounds with replacement."""


class Measured(msgspec.Struct, frozen=True):
    """A measurement as it is kept and drawn; rounded, so that the same rounds give the same bytes."""

    system: str
    players: int
    tables: int
    errors: float
    rounds: int
    own: float
    """The standard deviation of a result in coins, with a deal of its own at each table."""
    same: float
    """With the same deal at all tables."""
    taken_out: float
    interval: tuple[float, float]

    def row(self) -> str:
        """The row of the table in docs/tournaments.md."""
        low, high = self.interval
        return (
            f"| `{self.system}` | {self.players} | {self.tables} | {self.errors:.0%} | {self.rounds:,} |"
            f" {self.own:.2f} | {self.same:.2f} | {self.taken_out:.0%} | {low:.0%} to {high:.0%} |"
        )


def summarize(setting: Setting, rounds: Sequence[PlayedRound]) -> Measured:
    """What these rounds come to."""
    luck = measure(rounds, setting.seed)
    low, high = luck.interval
    return Measured(
        *setting[:4],
        len(rounds),
        round(luck.apart**0.5, 2),
        round(luck.alike**0.5, 2),
        round(luck.taken_out, 2),
        (round(low, 2), round(high, 2)),
    )


def keep(measured: Measured, path: Path) -> list[Measured]:
    """Keep a measurement in a file, in place of an earlier one of the same players; all that it has then."""
    known = msgspec.json.decode(path.read_bytes(), type=list[Measured]) if path.exists() else []
    others = [each for each in known if (each.system, each.players) != (measured.system, measured.players)]
    kept = sorted([*others, measured], key=lambda each: (each.players, each.system))
    path.write_bytes(msgspec.json.format(msgspec.json.encode(kept)) + b"\n")
    return kept


def measure(rounds: Sequence[PlayedRound], seed: str) -> Luck:
    """The luck in these rounds."""
    alike = [_mean_square(each.alike) for each in rounds]
    apart = [_mean_square(each.apart) for each in rounds]
    dice = random.Random(seed)
    drawn = sorted(
        _taken_out(alike, apart, dice.choices(range(len(rounds)), k=len(rounds))) for _ in range(DRAWS)
    )
    edge = DRAWS // 40
    every = range(len(rounds))
    return Luck(fmean(alike), fmean(apart), _taken_out(alike, apart, every), (drawn[edge], drawn[-edge - 1]))


def _mean_square(leads: Sequence[float]) -> float:
    return fmean(each * each for each in leads)


def _taken_out(alike: Sequence[float], apart: Sequence[float], chosen: Sequence[int]) -> float:
    return 1 - sum(alike[each] for each in chosen) / sum(apart[each] for each in chosen)
