"""The games whose bots may have something to do, and in which order they have their turn.

Games whose bots think before they move take turns behind the others, a move at a time, and only for so long before
the others have their turn again: whoever plays against a quick bot does not wait for somebody else's to think.
"""

from collections.abc import Callable, Iterator
from time import monotonic

from events.bots import QUICK_BOTS
from events.rules.table.state import GameState

THINKING_SECONDS = 0.2
"""For so long thinking bots have their turn at once; a move that has begun is finished."""


class RestlessGames:
    """The games that are looked at until none of their bots acts."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        """None so far; `clock` says how many seconds have passed."""
        self._clock = clock
        self._games: dict[str, None] = {}
        self._thinking: dict[str, None] = {}

    def __iter__(self) -> Iterator[str]:
        """Each game once."""
        yield from self._games

    def add(self, *games: str) -> None:
        """Look at these games; one that is there already keeps its place."""
        self._games.update(dict.fromkeys(games))

    def look_at(self, game: str, state: GameState) -> None:
        """See whether a bot at this game's table takes its time."""
        if any(seat.bot and seat.bot not in QUICK_BOTS for seat in state.seats):
            self._thinking[game] = None

    def commands_at_once(self, game: str, most: int) -> Iterator[int]:
        """Count the commands of a game's turn: so many, but one where a bot takes its time."""
        for number in range(most):
            yield number
            if game in self._thinking:
                return

    def settle(self, game: str) -> None:
        """No bot of this game has anything to do for now."""
        self._games.pop(game, None)
        self._thinking.pop(game, None)

    def in_turn(self) -> Iterator[str]:
        """The games that have their turn now: all quick ones, then some that think; the next time the others do."""
        thinking = [game for game in self._games if game in self._thinking]
        yield from [game for game in self._games if game not in self._thinking]
        until = None
        for game in thinking:
            now = self._clock()
            if until is not None and now >= until:
                return
            until = until or now + THINKING_SECONDS
            self._games[game] = self._games.pop(game)
            yield game
