"""What is refused in `ladybohn` only: distinct fields in phase 1, and the moves of a miss."""

from events.rules.errors.base import RuleViolation
from events.rules.errors.printed_rules import Topic


class SameFieldTwice(RuleViolation, topic=Topic.PLANTING):
    """The two beans of phase 1 must go to different fields (option `phase1_distinct_fields`)."""


class NotABaby(RuleViolation, topic=Topic.BABIES):
    """Only planting a baby moves a miss."""


class NotAMiss(RuleViolation, topic=Topic.BABIES):
    """No miss lies at this place of the field."""


class BadMove(RuleViolation, topic=Topic.BABIES):
    """A miss moves one or two places towards the top, and not beyond it."""


class NoMoveOpen(RuleViolation, topic=Topic.BABIES):
    """No trade has left the player a move on that field."""
