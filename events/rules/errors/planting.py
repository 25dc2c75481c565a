"""What is refused when a bean is planted, from the hand or from what lies aside."""

from events.rules.errors.base import FIELDS, GROWING, PLAYING, RuleViolation


class HandEmpty(RuleViolation, section=PLAYING):
    """There is no card in hand to plant."""


class MustPlantFirst(RuleViolation, section=PLAYING):
    """The first bean of the hand must be planted before cards are revealed."""


class PlantedEnough(RuleViolation, section=PLAYING):
    """Two beans were planted from the hand in this turn; no more are allowed."""


class FieldHoldsOtherBean(RuleViolation, section=FIELDS):
    """Another variety grows on that field."""


class VarietyGrowsElsewhere(RuleViolation, section=PLAYING):
    """The variety grows on another field of the player and must be planted there."""


class NotAside(RuleViolation, section=GROWING):
    """No card with this number lies aside before the player."""
