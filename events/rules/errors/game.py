"""What is refused because of where the game stands: its start, its end, whose turn it is, what is due."""

from events.rules.errors.base import RuleViolation
from events.rules.errors.printed_rules import Topic


class GameNotStarted(RuleViolation, topic=Topic.PREPARING):
    """A seat acts before every seat is taken."""


class GameStartedAlready(RuleViolation, topic=Topic.PREPARING):
    """The host acts after the start."""


class GameOver(RuleViolation, topic=Topic.ENDING):
    """Somebody acts after the end."""


class UnknownCommand(RuleViolation):
    """The game's rule system has no such command, or not for this actor."""


class WrongPhase(RuleViolation, topic=Topic.TURN):
    """The command belongs to another phase of the turn."""


class NotYourTurn(RuleViolation, topic=Topic.TURN):
    """Only the active player may do this.

    `topic` is what says so, where that is not the order of the turn.
    """

    def __init__(self, message: str, topic: Topic = Topic.TURN) -> None:
        """Keep the topic that keeps others from it."""
        super().__init__(message)
        self.topic = topic


class ChoiceDue(RuleViolation):
    """Somebody has to choose first; until then only talk is accepted."""


class NotInThisGame(RuleViolation):
    """The command asks for something that the game's rule system does not have."""
