"""What is wrong with a clock, or with what is asked in its name."""

from events.rules.errors.base import RuleViolation


class BadClock(RuleViolation):
    """No game can be played with this clock."""


class NoClock(RuleViolation):
    """The game is played without a clock."""


class NothingExpired(RuleViolation):
    """The time of this seat is not over, or nobody waits for it."""


class TimeOver(RuleViolation):
    """The seat's time for this is over; what follows from that is recorded first."""


class BadCredit(RuleViolation):
    """This span of time cannot be given back."""
