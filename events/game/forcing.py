"""Moves that are made for a seat whose time is over, in the same step in which that is recorded.

Its bot acts until the game does not wait for the seat any more, or the phase is another one: then time runs anew.
"""

from typing import Final, NamedTuple

from events import commands as c
from events.bots.forced import forced_command
from events.chain.commitments import salt
from events.rules.definition.rule_system import Rules
from events.rules.table.state import GameState
from events.rules.table.waiting import is_held_up, waiting_for

MOST_FORCED: Final = 100
"""Commands of one seat after one expiry at most."""


class Forcing(NamedTuple):
    """A seat for which moves are made, and where that ends."""

    seat: int
    turn: int
    phase: str
    left: int = MOST_FORCED

    def goes_on(self, state: GameState) -> bool:
        """Whether the game waits for the seat still, for what it waited for."""
        return (
            self.left > 0
            and state.status == "running"
            and not is_held_up(state)
            and (state.turn, state.phase) == (self.turn, self.phase)
            and self.seat in waiting_for(state)
        )


def begin_forcing(command: c.Command, before: GameState) -> Forcing | None:
    """The moves that have to follow a command on the table before it; None after any but an expiry of a move."""
    if not isinstance(command, c.ExpireTime) or command.offer is not None or before.take_back is not None:
        return None
    return Forcing(command.seat, before.turn, before.phase)


def next_forced(
    rules: Rules, state: GameState, forcing: Forcing | None, key: bytes, version: int
) -> c.Command | None:
    """What is done for the seat now, at this version; None once the game goes on by itself. `key`: the salt key."""
    if forcing is None or not forcing.goes_on(state):
        return None
    return forced_command(rules, state, forcing.seat, bot_seed(key, forcing.seat), version)


def bot_seed(key: bytes, seat: int) -> str:
    """The seed of the bot that acts for a seat which somebody else had taken: it follows from the game's secret."""
    return salt(key, 0, f"bot/{seat}")
