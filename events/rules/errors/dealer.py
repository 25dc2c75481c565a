"""What is refused to the dealer, or to others while the dealer has to act."""

from events.rules.errors.base import RuleViolation
from events.rules.errors.printed_rules import Topic


class DealerMustAct(RuleViolation):
    """A pile is due; until the dealer has shuffled nobody else can act."""


class NothingDue(RuleViolation):
    """The dealer acts though nothing, or something else, is due."""


class NotAPermutation(RuleViolation, topic=Topic.PREPARING):
    """The shuffled pile does not consist of exactly the cards that it must."""


class WrongSecret(RuleViolation):
    """The secret is not the one that the dealer committed itself to."""
