"""What a pair has in a game above what is to be expected of the two without any understanding between them.

What each player is used to is taken off before (`habits`). What is left of a pair is compared with what is left of
each of the two with others: for what both earned, of each in games without the other one. The other one never counts
in that, or a pair would be compared with itself.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from replay.across.screening.comparing.measures import MEASURES, places
from replay.across.screening.comparing.meetings import Meetings

Seating = Iterable[Sequence[int]]
"""Who sits where, for each game in turn: the players by number, seat 0 first."""

_PLACES: Final = {players: places(players) for players in range(2, 11)}


@dataclass(frozen=True, slots=True)
class Test:
    """A pair, by its place among those who met, and a measure."""

    pair: int
    measure: str


class Excess:
    """Counts the excess of every test with the names on any seats.

    Attributes:
        tests: what is counted: the pairs that met often enough, and have something to compare with.
    """

    def __init__(self, meetings: Meetings, often: int) -> None:
        """Test the pairs that had so many games together."""
        self._meetings = meetings
        self._number = {pair: place for place, pair in enumerate(meetings.pairs)}
        self._pairs = [place for place, count in enumerate(meetings.together) if count >= often]
        with_others = [place for place in self._pairs if self._others(place, meetings.shared)]
        apart = {place for place in self._pairs if self._others(place, meetings.played)}
        self._compared = with_others
        self._apart = [place for place in with_others if place in apart]
        *of_pairs, together = MEASURES
        self.tests = [Test(place, measure) for measure in of_pairs for place in self._compared]
        self.tests += [Test(place, together) for place in self._apart]

    @property
    def pairs(self) -> list[int]:
        """The pairs that met often enough, by their place among those who met."""
        return self._pairs

    def count(self, seating: Seating) -> list[float]:
        """The excess of each test, in coins a game."""
        met = len(self._meetings.pairs)
        table, trades, gifts, refusals = ([0.0] * met for _ in range(4))
        first, second = [0.0] * met, [0.0] * met
        earned = [0.0] * len(self._meetings.names)
        number = self._number
        for sitting, players in zip(self._meetings.sittings, seating, strict=True):
            results = sitting.results
            for seat, player in enumerate(players):
                earned[player] += results[seat]
            for (one, other), above in zip(_PLACES[len(players)], sitting.above, strict=True):
                left, right = players[one], players[other]
                if left < right:
                    place = number[left, right]
                    first[place] += results[one]
                    second[place] += results[other]
                else:
                    place = number[right, left]
                    first[place] += results[other]
                    second[place] += results[one]
                table[place] += above[0]
                trades[place] += above[1]
                gifts[place] += above[2]
                refusals[place] += above[3]
        counted: list[float] = []
        for sums in (table, trades, gifts, refusals):
            counted += self._above_others(sums)
        return counted + self._above_apart(earned, first, second)

    def _above_others(self, sums: Sequence[float]) -> list[float]:
        """What pairs have above what each of the two has with others."""
        meetings, own = self._meetings, [0.0] * len(self._meetings.names)
        for (one, other), total in zip(meetings.pairs, sums, strict=True):
            own[one] += total
            own[other] += total
        shared, together, pairs = meetings.shared, meetings.together, meetings.pairs
        found = []
        for place in self._compared:
            (one, other), total, count = pairs[place], sums[place], together[place]
            with_others = (own[one] - total) / (shared[one] - count)
            with_others += (own[other] - total) / (shared[other] - count)
            found.append(total / count - with_others)
        return found

    def _above_apart(
        self, earned: Sequence[float], first: Sequence[float], second: Sequence[float]
    ) -> list[float]:
        """What pairs earned above what each of the two earned without the other one."""
        played, together, pairs = self._meetings.played, self._meetings.together, self._meetings.pairs
        found = []
        for place in self._apart:
            (one, other), count = pairs[place], together[place]
            apart = (earned[one] - first[place]) / (played[one] - count)
            apart += (earned[other] - second[place]) / (played[other] - count)
            found.append((first[place] + second[place]) / count - apart)
        return found

    def _others(self, place: int, counted: Sequence[int]) -> bool:
        """Whether both have something without each other."""
        count = self._meetings.together[place]
        return all(counted[player] > count for player in self._meetings.pairs[place])
