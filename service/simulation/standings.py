"""What has come out of simulated games: how each bot has done, for people as a table and for machines as JSON."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table as Shown

from events.rules.systems.registry import system_named
from replay.across.intervals import wilson
from service.simulation.simulating import Plan, SimulatedGame

CENTS = 100
"""In a coin."""

_Place = tuple[str, int | None]


@dataclass(frozen=True, slots=True)
class Standing:
    """How one bot has done, over all seats that it had, or on one of them."""

    bot: str
    seats: int
    wins: int
    score: int
    """All that it earned, in the unit of the rule system."""
    seat: int | None = None
    """The seat, where only this one is counted."""

    @property
    def win_rate(self) -> float:
        """The share of wins."""
        return self.wins / self.seats

    @property
    def interval(self) -> tuple[float, float]:
        """The share of wins, with 95 % certainty."""
        return wilson(self.wins, self.seats)


def standings(games: Sequence[SimulatedGame], *, by_seat: bool = False) -> list[Standing]:
    """How each bot has done, most wins for a seat first; a shared victory is a win for each.

    With `by_seat` each bot is counted on each seat by itself, seat 0 first.
    """
    seats, wins, scores = Counter[_Place](), Counter[_Place](), Counter[_Place]()
    for game in games:
        for seat, bot in enumerate(game.bots):
            place = bot, seat if by_seat else None
            seats[place] += 1
            wins[place] += seat in game.winners
            scores[place] += game.scores[seat]
    found = [Standing(place[0], seats[place], wins[place], scores[place], place[1]) for place in seats]
    return sorted(found, key=lambda each: (each.bot, each.seat) if by_seat else (-each.win_rate, each.bot))


def results_table(plan: Plan, games: Sequence[SimulatedGame], *, by_seat: bool = False) -> Shown:
    """The standings as a table, with the mean length of a game below."""
    length = _length(games)
    shown = Shown(
        title=f"{plan.system}, {plan.players} players, {len(games)} games, seed {plan.seed}",
        caption=f"A game took {length['turns']:.1f} turns and {length['entries']:.0f} entries on average.",
    )
    shown.add_column("bot")
    headings = ("seat",) if by_seat else ()
    for heading in (*headings, "seats", "wins", "win rate", "95 % interval", "mean coins"):
        shown.add_column(heading, justify="right")
    for each in standings(games, by_seat=by_seat):
        low, high = each.interval
        shown.add_row(
            each.bot,
            *([str(each.seat)] if by_seat else []),
            str(each.seats),
            str(each.wins),
            f"{each.win_rate:.1%}",
            f"{low:.1%} to {high:.1%}",
            f"{_mean_coins(plan, each):.2f}",
        )
    return shown


def results_document(plan: Plan, games: Sequence[SimulatedGame]) -> dict[str, Any]:
    """The plan and the standings, over all seats and by seat, as JSON-ready values."""
    return {
        "system": plan.system,
        "players": plan.players,
        "options": dict(plan.options),
        "bots": list(plan.seated),
        "seed": plan.seed,
        "duplicate": plan.duplicate,
        **({"pool": plan.pool} if plan.pool else {}),
        "games": len(games),
        "mean_length": _length(games),
        "standings": [_document(plan, each) for each in standings(games)],
        "by_seat": [_document(plan, each) for each in standings(games, by_seat=True)],
    }


def _document(plan: Plan, standing: Standing) -> dict[str, Any]:
    seat = {} if standing.seat is None else {"seat": standing.seat}
    return {
        "bot": standing.bot,
        **seat,
        "seats": standing.seats,
        "wins": standing.wins,
        "win_rate": standing.win_rate,
        "interval": list(standing.interval),
        "mean_coins": _mean_coins(plan, standing),
    }


def _mean_coins(plan: Plan, standing: Standing) -> float:
    """What the bot earned in a game on average, in coins also where the score counts cents."""
    unit = CENTS if system_named(plan.system).unit == "cents" else 1
    return standing.score / standing.seats / unit


def _length(games: Sequence[SimulatedGame]) -> dict[str, float]:
    """The mean length of a game, in turns and in log entries."""
    count = max(1, len(games))
    turns, entries = sum(game.turns for game in games), sum(game.entries for game in games)
    return {"turns": turns / count, "entries": entries / count}
