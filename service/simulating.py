"""Many games between bots, played in this process and kept as records: how good a bot is, with how much certainty.

Each game is an ordinary one and its record is like any other's: it verifies, and can be replayed.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

from rich.table import Table as Shown

from events.disclosure import ALL, form_for
from events.record import header_for, write_record
from events.recorded import RecordedEvent
from events.rules.systems import system_named
from events.table import Table
from service.bots import BOTS
from service.self_play import self_play

CERTAINTY = 1.959963984540054
"""Standard deviations on either side that make an interval of 95 %."""


class BadSimulation(Exception):
    """The bots do not fit the table; the message says why."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be simulated."""

    system: str
    players: int
    games: int
    bots: tuple[str, ...]
    """The bot on each seat; a single one takes all seats."""
    seed: str
    duplicate: bool = False
    """Whether each deal is played once for every way to rotate the bots around the table."""

    @property
    def seated(self) -> tuple[str, ...]:
        """The bot on each seat.

        Raises:
            BadSimulation: there is no such bot, or the number does not fit.
        """
        unknown = next((bot for bot in self.bots if bot not in BOTS), None)
        if unknown is not None:
            raise BadSimulation(f"There is no bot {unknown!r}; there are: {', '.join(BOTS)}.")
        bots = self.bots * self.players if len(self.bots) == 1 else self.bots
        if len(bots) != self.players:
            raise BadSimulation(f"Name one bot, or one for each of the {self.players} seats.")
        return bots

    @property
    def name(self) -> str:
        """What the games' ids begin with: different seeds give different ids."""
        return f"{self.system}-{hashlib.sha256(self.seed.encode()).hexdigest()[:6]}"

    @property
    def rotations(self) -> int:
        """How often each deal is played."""
        return self.players if self.duplicate else 1

    @property
    def total(self) -> int:
        """How many games are played."""
        return self.games * self.rotations


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played."""

    bots: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    turns: int
    entries: int


def simulate(plan: Plan, out: Path | None = None) -> Iterator[Played]:
    """Play the games, one after the other, and write their records into a folder where one is named.

    The same plan always gives the same games.

    Raises:
        BadSimulation: the bots do not fit the table.
        RuleViolation: the rule system is not played like that.
    """
    system_named(plan.system)
    seated = plan.seated
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    for deal in range(1, plan.games + 1):
        for rotation in range(plan.rotations):
            bots = seated[-rotation:] + seated[:-rotation] if rotation else seated
            name = f"{plan.name}-{deal:04}" + (f"-{rotation + 1}" if plan.duplicate else "")
            table, log = self_play(plan.system, plan.players, bots, f"{plan.seed}/{deal}", {}, game=name)
            if out is not None:
                _write(out / f"{name}.ndjson", table, log)
            yield _played(bots, table, log)


def _write(path: Path, table: Table, log: Sequence[RecordedEvent]) -> None:
    path.write_bytes(
        b"".join(write_record(header_for(table, ALL), (form_for(entry, table.key, ALL) for entry in log)))
    )


def _played(bots: tuple[str, ...], table: Table, log: Sequence[RecordedEvent]) -> Played:
    result = table.state.result
    if result is None:
        raise BadSimulation(f"The game {table.game} has not come to its end.")
    return Played(bots, result.scores, result.winners, table.state.turn, len(log))


# --- what has come out -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Standing:
    """How one bot has done, over all seats that it had."""

    bot: str
    seats: int
    wins: int
    coins: int

    @property
    def interval(self) -> tuple[float, float]:
        """The share of wins, with 95 % certainty."""
        return wilson(self.wins, self.seats)


def wilson(wins: int, games: int) -> tuple[float, float]:
    """The interval in which the true share of wins lies with 95 % certainty, after Wilson.

    >>> [round(bound, 3) for bound in wilson(8, 10)]
    [0.49, 0.943]
    >>> wilson(0, 0)
    (0.0, 1.0)
    """
    if games == 0:
        return 0.0, 1.0
    share, square = wins / games, CERTAINTY**2
    middle = share + square / (2 * games)
    spread = CERTAINTY * sqrt(share * (1 - share) / games + square / (4 * games**2))
    whole = 1 + square / games
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def standings(games: Sequence[Played]) -> list[Standing]:
    """How each bot has done, most wins for a seat first; a shared victory is a win for each."""
    counted: dict[str, list[int]] = {}
    for game in games:
        for seat, bot in enumerate(game.bots):
            numbers = counted.setdefault(bot, [0, 0, 0])
            numbers[0] += 1
            numbers[1] += seat in game.winners
            numbers[2] += game.scores[seat]
    found = [Standing(bot, *numbers) for bot, numbers in counted.items()]
    return sorted(found, key=lambda each: (-each.wins / each.seats, each.bot))


def results(plan: Plan, games: Sequence[Played]) -> Shown:
    """The standings as a table, with the mean length of a game below."""
    turns, entries = (_mean([getattr(game, name) for game in games]) for name in ("turns", "entries"))
    shown = Shown(
        title=f"{plan.system}, {plan.players} players, {len(games)} games, seed {plan.seed}",
        caption=f"A game took {turns:.1f} turns and {entries:.0f} entries on average.",
    )
    shown.add_column("bot")
    for heading in ("seats", "wins", "win rate", "95 % interval", "mean coins"):
        shown.add_column(heading, justify="right")
    for each in standings(games):
        low, high = each.interval
        shown.add_row(
            each.bot,
            str(each.seats),
            str(each.wins),
            f"{each.wins / each.seats:.1%}",
            f"{low:.1%} to {high:.1%}",
            f"{each.coins / each.seats:.2f}",
        )
    return shown


def _mean(numbers: Sequence[int]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0
