"""What counts: the way from the present table back to the beginning.

The table after an entry comes from the table before it; only for `game_rewound` it comes from the table of the
version that the game went back to. So the entries form a tree. Those between that version and the rewinding are the
discarded stretch: they stay in the log and do not count any more.

A game can go back only to a version after a whole command that was more than talk, at which somebody could act: a
*stop*. A `RewindableHistory` keeps what belongs to each stop on the way that counts, so that whatever is folded along
a log can go back as well.
"""

from bisect import bisect_left
from typing import Final, Generic, TypeVar

from events.rules.table.state import GameState

REACH: Final = 10_000
"""A game goes back over so many stops at most: what reads a log keeps no more than that."""

Kept = TypeVar("Kept")


class NotInHistory(ValueError):
    """A version is no stop on the way that counts; the message says which."""


class RewindableHistory(Generic[Kept]):
    """What belongs to each stop on the way that counts, as far back as a game can go."""

    def __init__(self) -> None:
        """Begin before the first entry."""
        self._versions: list[int] = []
        self._kept: list[Kept] = []

    def keep(self, version: int, value: Kept) -> None:
        """Keep what belongs to a stop after all those before."""
        self._versions.append(version)
        self._kept.append(value)
        if len(self._versions) > REACH:
            del self._versions[:-REACH], self._kept[:-REACH]

    def at(self, version: int) -> Kept | None:
        """What belongs to this stop; None where it is none, or lies too far back."""
        place = bisect_left(self._versions, version)
        return self._kept[place] if self._versions[place : place + 1] == [version] else None

    def back(self, version: int) -> Kept:
        """Go back to this stop: what came after it is forgotten.

        Raises:
            NotInHistory: it is none.
        """
        place = bisect_left(self._versions, version)
        if self._versions[place : place + 1] != [version]:
            raise NotInHistory(f"version {version} is none that the game can go back to")
        del self._versions[place + 1 :], self._kept[place + 1 :]
        return self._kept[place]


def is_stop(state: GameState) -> bool:
    """Whether a game can go back to this table, if it is one after a whole command that was more than talk.

    Not while it is held up, nor for talk: else whoever talks enough could push every other stop out of reach.
    """
    is_played = state.status == "running" and state.turn > 0 and state.due is None
    return is_played and not state.paused_by and state.take_back is None
