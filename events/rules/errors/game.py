"""What is refused because of where the game stands: its start, its end, whose turn it is, what is due."""

from events.rules.errors.base import ENDING, PREPARING, TURN, RuleViolation


class GameNotStarted(RuleViolation, section=PREPARING):
    """A seat acts before every seat is taken."""


class GameStartedAlready(RuleViolation, section=PREPARING):
    """The host acts after the start."""


class GameOver(RuleViolation, section=ENDING):
    """Somebody acts after the end."""


class UnknownCommand(RuleViolation):
    """The game's rule system has no such command, or not for this actor."""


class WrongPhase(RuleViolation, section=TURN):
    """The command belongs to another phase of the turn."""


class NotYourTurn(RuleViolation, section=TURN):
    """Only the active player may do this."""


class ChoiceDue(RuleViolation):
    """Somebody has to choose first; until then only talk is accepted."""


class NotInThisGame(RuleViolation):
    """The command asks for something that the game's rule system does not have."""
