"""The table of a tournament: who is ahead, by what, and what breaks ties.

In this order, each higher before lower: points; tables won; the opponents' points, which is for each table the mean
of what the others at it have in all, rounded down; coins. Who is level in all of them shares a place. In a knock-out
the round in which somebody was last in comes before that, and their points in it.

A game that is not over yet counts nothing. A ruling counts in place of what it is about, from the first round on.
"""

from collections.abc import Mapping
from itertools import groupby
from typing import NamedTuple

import msgspec

from events.tournaments.events import Standing
from events.tournaments.scoring.points import round_points
from events.tournaments.state import KNOCKOUT, Outcome, Round, Table, Tournament


def compute_standings(tournament: Tournament) -> tuple[Standing, ...]:
    """The table as it is now, best first; those on one place stand in the order of their ids."""
    by_round = [round_points(each, tournament.settings.format) for each in tournament.rounds]
    totals = {
        each.player: sum(points.get(each.player, 0) for points in by_round) for each in tournament.players
    }
    figures = {each.player: _Figures() for each in tournament.players}
    for played in tournament.rounds:
        _count(played, totals, figures)
    rows = []
    for each in tournament.players:
        own = figures[each.player]
        reached = own.reached if tournament.settings.format == KNOCKOUT else 0
        rows.append(
            Standing(
                place=0,
                player=each.player,
                points=totals[each.player],
                wins=own.wins,
                opponents=own.opponents,
                coins=own.coins,
                played=own.played,
                byes=own.byes,
                reached=reached,
                last=by_round[reached - 1].get(each.player, 0) if reached else 0,
                withdrew=each.withdrew,
            )
        )
    return _place(rows)


class Figures(NamedTuple):
    """What a place is decided by, the most important first."""

    reached: int
    last: int
    points: int
    wins: int
    opponents: int
    coins: int


def figures_of(row: Standing) -> Figures:
    """What the place of this line is decided by."""
    return Figures(row.reached, row.last, row.points, row.wins, row.opponents, row.coins)


class _Figures:
    """What is counted of one player."""

    __slots__ = ("byes", "coins", "opponents", "played", "reached", "wins")

    def __init__(self) -> None:
        self.wins = self.opponents = self.coins = self.played = self.byes = self.reached = 0


def _count(played: Round, totals: Mapping[str, int], figures: Mapping[str, _Figures]) -> None:
    for player in played.byes:
        figures[player].byes += 1
        figures[player].reached = played.number
    for table in played.tables:
        for seat, player in enumerate(table.players):
            figures[player].reached = played.number
            if table.outcome is not None:
                _count_seat(figures[player], table, table.outcome, seat, totals)


def _count_seat(own: _Figures, table: Table, outcome: Outcome, seat: int, totals: Mapping[str, int]) -> None:
    others = [totals[each] for place, each in enumerate(table.players) if place != seat]
    own.played += 1
    own.wins += seat in outcome.winners
    own.opponents += sum(others) // len(others)
    own.coins += outcome.scores[seat] if outcome.scores else 0


def _place(rows: list[Standing]) -> tuple[Standing, ...]:
    placed: list[Standing] = []
    best_first = sorted(rows, key=figures_of, reverse=True)
    for _, level in groupby(best_first, key=figures_of):
        place = len(placed) + 1
        placed += [
            msgspec.structs.replace(row, place=place) for row in sorted(level, key=lambda each: each.player)
        ]
    return tuple(placed)
