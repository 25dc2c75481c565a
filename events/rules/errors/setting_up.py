"""What is refused when a table is set up."""

from events.rules.errors.base import RuleViolation
from events.rules.errors.printed_rules import Topic


class UnknownSystem(RuleViolation):
    """There is no such rule system, or not in this version."""


class WrongPlayers(RuleViolation, topic=Topic.PLAYERS):
    """The rule system is not played by that many."""


class WrongCatalogue(RuleViolation):
    """The catalogue lacks something that the rule system is played with."""


class UnknownOption(RuleViolation):
    """The rule system has no such option."""


class BadOption(RuleViolation):
    """The option cannot have this value."""


class BadDealing(RuleViolation):
    """The game cannot be dealt like that."""


class SeedNotTaken(RuleViolation):
    """The game is dealt from the seed of its round, so no seat brings one."""


class RulesMismatch(RuleViolation):
    """The command that sets up a table asks for other rules than the table is played by."""
