"""What earlier rounds mean for the next one: who has met whom, sat where, and had a bye."""

from collections import Counter
from itertools import combinations

from events.tournaments.state import Tournament

Meetings = Counter[tuple[str, str]]
"""How often two players were paired, by their ids in order."""
Seats = Counter[tuple[str, int]]
"""How often a player was given a seat."""


def count_meetings(tournament: Tournament) -> Meetings:
    """How often each two have been paired, whatever became of the table."""
    return Counter(
        (min(pair), max(pair))
        for played in tournament.rounds
        for table in played.tables
        for pair in combinations(table.players, 2)
    )


def count_seats(tournament: Tournament) -> Seats:
    """How often each player was given each seat."""
    return Counter(
        (player, seat)
        for played in tournament.rounds
        for table in played.tables
        for seat, player in enumerate(table.players)
    )


def count_byes(tournament: Tournament) -> Counter[str]:
    """How many byes each player has had."""
    return Counter(player for played in tournament.rounds for player in played.byes)
