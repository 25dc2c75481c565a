"""What is refused when a field is sold, or a third one bought."""

from events.rules.errors.base import RuleViolation
from events.rules.errors.printed_rules import Topic


class FieldEmpty(RuleViolation, topic=Topic.SELLING):
    """Nothing grows on that field."""


class BeanProtected(RuleViolation, topic=Topic.PROTECTION):
    """A single bean may not be sold while another field holds more."""


class ThirdFieldOwned(RuleViolation, topic=Topic.THIRD_FIELD):
    """The player has the third field already, bought or won."""


class ThirdFieldNotForSale(RuleViolation, topic=Topic.PLAYERS):
    """In this game nobody can buy a field."""


class NotEnoughCoins(RuleViolation, topic=Topic.THIRD_FIELD):
    """The third field costs more coins than the player has."""


class NoThirdFieldLeft(RuleViolation, topic=Topic.THIRD_FIELD):
    """All the third fields that the game has are bought."""
