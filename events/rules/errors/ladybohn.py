"""What is refused in `ladybohn` only: distinct fields in phase 1, and the moves of a miss."""

from events.rules.errors.base import BABIES, LADYBOHN, RuleViolation


class SameFieldTwice(RuleViolation, section=f"{LADYBOHN}, Phase 1"):
    """The two beans of phase 1 must go to different fields (option `phase1_distinct_fields`)."""


class NotABaby(RuleViolation, section=BABIES):
    """Only planting a baby moves a miss."""


class NotAMiss(RuleViolation, section=BABIES):
    """No miss lies at this place of the field."""


class BadMove(RuleViolation, section=BABIES):
    """A miss moves one or two places towards the top, and not beyond it."""


class NoMoveOpen(RuleViolation, section=BABIES):
    """No trade has left the player a move on that field."""
