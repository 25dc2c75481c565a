"""In which seat each player of a table sits: where they have sat least."""

from collections.abc import Sequence
from functools import lru_cache

from events.tournaments.pairing.history import Seats


def seat_players(players: Sequence[str], seats: Seats) -> tuple[str, ...]:
    """The players by seat: of all orders the one in which they have had their seats least often, together.

    Of equal ones the first in the order in which the players are given.
    """

    @lru_cache(None)
    def best(taken: int, seat: int) -> tuple[int, tuple[int, ...]]:
        """For the seats from this one on, without those who are `taken`: how often, and who."""
        if seat == len(players):
            return 0, ()
        choices = []
        for place, player in enumerate(players):
            if not taken & 1 << place:
                often, rest = best(taken | 1 << place, seat + 1)
                choices.append((often + seats[player, seat], (place, *rest)))
        return min(choices)

    return tuple(players[place] for place in best(0, 0)[1])
