"""What can be wrong with a branch, each with a stable code.

A move that the rules refuse is a `Refused`: it carries the rules' own refusal, the table that it met, and what would
have been legal there. Everything else is about the branch itself.
"""

from typing import TYPE_CHECKING, ClassVar

from events.commands import Command
from events.rules.errors import RuleViolation

if TYPE_CHECKING:
    from replay.branches.playing import Position


class BranchError(Exception):
    """Base of all; the message says what is wrong and what to do."""

    code: ClassVar[str] = "bad_branch"


class NoSuchVersion(BranchError):
    """The game has no such version."""

    code = "no_such_version"


class NotBegun(BranchError):
    """The game has no version from which one could play on."""

    code = "game_not_begun"


class TokenUnreadable(BranchError):
    """This is no token, or a damaged one."""

    code = "bad_token_of_a_branch"


class OtherGame(BranchError):
    """The token belongs to another game, or to another version of it than this record has."""

    code = "branch_of_another_game"


class NoSuchNode(BranchError):
    """The branch has no command of this number."""

    code = "no_such_node"


class TooLarge(BranchError):
    """The branch has as many commands as it may have."""

    code = "branch_too_large"


class TooLong(BranchError):
    """Playing the branch through takes longer than it may."""

    code = "branch_too_long"


class Refused(BranchError):
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
