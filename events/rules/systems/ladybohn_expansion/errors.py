"""What is refused in `ladybohn-expansion` only: fans, rotations, make-up beans and levies."""

from events.rules.errors.base import RuleViolation
from events.rules.errors.printed_rules import Topic


class NoSuchFan(RuleViolation, topic=Topic.FANS):
    """No fan has this number."""


class HandDoesNotFit(RuleViolation, topic=Topic.FANS):
    """A hand is swapped only for a fan of exactly as many cards."""


class CannotRotate(RuleViolation, topic=Topic.ROTATION):
    """Only another field of two or more cards can be rotated after a harvest."""


class BadReward(RuleViolation, topic=Topic.MAKE_UP):
    """The harvest does not offer this reward, or leaves a choice that was not made."""


class SeatNamedTwice(RuleViolation, topic=Topic.MAKE_UP):
    """A levy names the same player more than once."""


class TooManyPayers(RuleViolation, topic=Topic.MAKE_UP):
    """A levy takes from three other players at most."""


class CannotBeLevied(RuleViolation, topic=Topic.MAKE_UP):
    """A levy cannot take from oneself, from who has no coin, or from who grows make-up beans."""


class PromiseBinds(RuleViolation, topic=Topic.MAKE_UP):
    """A promise not to levy this player binds."""
