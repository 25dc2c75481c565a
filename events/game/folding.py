"""Folding a log entry by entry along what counts: like `evolve`, but able to go back to an earlier version."""

from events.domain_events import DomainEvent, GameRewound, Talked
from events.game.rewindable_history import RewindableHistory, is_stop
from events.rules.evolving.evolve import evolve
from events.rules.table.state import INITIAL_STATE, GameState


class Folding:
    """The table while the entries of one log pass by, and the tables that the game can go back to.

    Attributes:
        state: the table after the last entry.
        version: the last entry's version; 0 before the first.
        history: the table at each stop on the way that counts.
    """

    __slots__ = ("_talked", "history", "state", "version")

    def __init__(self) -> None:
        """Begin before the first entry."""
        self.state: GameState = INITIAL_STATE
        self.version = 0
        self.history: RewindableHistory[GameState] = RewindableHistory()
        self._talked = False

    def follow(self, event: DomainEvent, *, begins: bool, state: GameState | None = None) -> GameState:
        """Fold the next entry's event and return the table after it; `begins` where the entry has a command.

        `state` is that table, where it was folded already.

        Raises:
            NotInHistory: it goes back to a version that is no stop, or that is not known here.
        """
        if begins:
            self.stop()
        before = self.history.back(event.to_version) if isinstance(event, GameRewound) else self.state
        if state is None:
            state = evolve(before, event)
        self.move_on(event, state)
        return state

    def move_on(self, event: DomainEvent, state: GameState) -> None:
        """Take the next entry's event, which did not go back, with the table after it: it was evolved already."""
        self.state = state
        self.version += 1
        self._talked = isinstance(event, Talked)

    def stop(self) -> bool:
        """A whole command is folded: keep this table, if a game can go back to it; answers whether it can."""
        if self._talked or not is_stop(self.state):
            return False
        self.history.keep(self.version, self.state)
        return True

    def earlier(self, version: int) -> GameState | None:
        """The table of an earlier version that the game can go back to now; None where there is none."""
        return self.history.at(version)
