"""What a table is worth to each seat, in points of `WHOLE` for having been better than everybody compared with.

points = WHOLE * (2 * worse + level) / (2 * compared), rounded down

A player is compared with the others at the table; in a duplicate round with those who sat in the same seat elsewhere,
which had the same cards. At a table the winners, as the game says, rank first, and coins rank the rest; across tables
coins rank. Who left the game ranks behind those who did not.

Without winners nothing was decided: who is named as last gets nothing, and everybody else what a bye is worth.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from events.tournaments.state import DUPLICATE, Outcome, Round

WHOLE: Final = 2520
"""What somebody gets who was better than all others: divisible by 1 to 10, so tables of up to 7 share it exactly."""
BYE: Final = WHOLE // 2
"""What a bye is worth, and a table that decided nothing: the middle of a table."""

_Rank = tuple[bool, bool, int]


def round_points(played: Round, form: str) -> dict[str, int]:
    """What a round of a tournament of this format has brought each player so far: byes and tables that are over."""
    points = dict.fromkeys(played.byes, BYE)
    elsewhere = _seats_elsewhere(played) if form == DUPLICATE else []
    for table in played.tables:
        if table.outcome is not None:
            size = len(table.players)
            compared = elsewhere or [_ranks(table.outcome, size)] * size
            for seat, player in enumerate(table.players):
                points[player] = _seat_points(table.outcome, seat, compared[seat], form)
    return points


def _seat_points(outcome: Outcome, seat: int, compared: Sequence[_Rank], form: str) -> int:
    if not outcome.winners:
        return 0 if seat in outcome.last else BYE
    own = _rank(outcome, seat, form)
    others = len(compared) - 1
    if not others:
        return BYE
    worse = bisect_left(compared, own)
    level = bisect_right(compared, own) - worse - 1
    return WHOLE * (2 * worse + level) // (2 * others)


def _ranks(outcome: Outcome, size: int) -> list[_Rank]:
    """Return the ranks of the seats of a table, lowest first."""
    return sorted(_rank(outcome, seat, "") for seat in range(size))


def _seats_elsewhere(played: Round) -> list[list[_Rank]]:
    """Return for each seat the ranks at all decided tables of the round, lowest first."""
    decided = [each for each in played.tables if each.outcome is not None and each.outcome.winners]
    seats = max((len(each.players) for each in played.tables), default=0)
    return [
        sorted(_rank(each.outcome, seat, DUPLICATE) for each in decided if each.outcome is not None)
        for seat in range(seats)
    ]


def _rank(outcome: Outcome, seat: int, form: str) -> _Rank:
    """What a seat is compared by; the greater, the better."""
    score = outcome.scores[seat] if outcome.scores else 0
    return seat not in outcome.last, form != DUPLICATE and seat in outcome.winners, score
