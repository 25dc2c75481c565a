"""What is refused because the table has no such place, or because of what a player is called or says."""

from events.rules.errors.base import RuleViolation
from events.rules.errors.printed_rules import Topic


class NoSuchSeat(RuleViolation):
    """The table has no such seat."""


class SeatOccupied(RuleViolation):
    """Somebody sits there already."""


class NoSuchField(RuleViolation, topic=Topic.FIELDS):
    """The player has no field with this number."""


class BadName(RuleViolation):
    """A seat's name, kind or seed is not of the form required."""


class BadText(RuleViolation):
    """Table talk has 1 to 500 characters, not only spaces, and no control characters."""
