"""What can be wrong with a branch.

A move that the rules refuse is a `MoveRefused`: it carries the rules' own refusal, the table it met, and what would
have been legal there. Everything else is about the branch itself.
"""

from typing import TYPE_CHECKING

from events.commands import Command
from events.rules.errors import RuleViolation

if TYPE_CHECKING:
    from replay.branches.playing import Position


class BranchError(Exception):
    """Base of all; the message says what is wrong and what to do."""


class NoSuchVersion(BranchError):
    """The game has no such version."""


class NotBegun(BranchError):
    """The game has no version from which one could play on."""


class TokenUnreadable(BranchError):
    """This is no token, or a damaged one."""


class OtherGame(BranchError):
    """The token belongs to another game, or to another version of it than this record has."""


class NoSuchNode(BranchError):
    """The branch has no command of this number."""


class TooLarge(BranchError):
    """The branch has as many commands as it may have."""


class NoArbiter(BranchError):
    """A command of the arbiter's: disputes are about the game itself."""


class TooLong(BranchError):
    """Playing the branch through takes longer than it may."""


class MoveRefused(BranchError):
    """The rules refuse a move: nothing of it has happened.

    Attributes:
        violation: the rules' refusal, with its code and topic.
        position: where it was refused.
        actor: who was to make it.
        command: the move.
        node: the place of the command in the branch; 0 for one that was to be added.
    """

    def __init__(
        self, violation: RuleViolation, position: "Position", actor: int, command: Command, node: int = 0
    ) -> None:
        """Say what the rules say."""
        super().__init__(str(violation))
        self.violation = violation
        self.position = position
        self.actor = actor
        self.command = command
        self.node = node
