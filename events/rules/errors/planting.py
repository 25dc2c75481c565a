"""What is refused when a bean is planted, from the hand or from what lies aside."""

from events.rules.errors.base import RuleViolation
from events.rules.errors.printed_rules import Topic


class HandEmpty(RuleViolation, topic=Topic.PLANTING):
    """There is no card in hand to plant."""


class MustPlantFirst(RuleViolation, topic=Topic.PLANTING):
    """The first bean of the hand must be planted before cards are revealed."""


class PlantedEnough(RuleViolation, topic=Topic.PLANTING):
    """Two beans were planted from the hand in this turn; no more are allowed."""


class FieldHoldsOtherBean(RuleViolation, topic=Topic.VARIETIES):
    """Another variety grows on that field."""


class VarietyGrowsElsewhere(RuleViolation, topic=Topic.GROWN_ALREADY):
    """The variety grows on another field of the player and must be planted there."""


class NotAside(RuleViolation, topic=Topic.PLANTING_ASIDE):
    """No card with this number lies aside before the player."""
