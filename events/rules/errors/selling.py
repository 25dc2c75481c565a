"""What is refused when a field is sold, or a third one bought."""

from events.rules.errors.base import FIELDS, LADYBOHN, SELLING, RuleViolation


class FieldEmpty(RuleViolation, section=SELLING):
    """Nothing grows on that field."""


class BeanProtected(RuleViolation, section=SELLING):
    """A single bean may not be sold while another field holds more."""


class ThirdFieldOwned(RuleViolation, section=FIELDS):
    """The player has bought the third field already."""


class ThirdFieldNotForSale(RuleViolation, section=FIELDS):
    """In this game nobody can buy a field."""


class NotEnoughCoins(RuleViolation, section=FIELDS):
    """The third field costs more coins than the player has."""


class NoThirdFieldLeft(RuleViolation, section=f"{LADYBOHN}, Les cartes 3ème champ"):
    """All the third fields that the game has are bought."""
