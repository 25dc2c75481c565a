"""What is refused to who leaves, comes back or wants to end the game with the others, and to who closes it."""

from events.rules.errors.base import RuleViolation


class PeopleOnly(RuleViolation):
    """A bot plays this seat, or has one at this table: bots neither leave nor agree to end a game."""


class LeftAlready(RuleViolation):
    """Who sat there has left already, and a bot plays on."""


class NotAway(RuleViolation):
    """Nobody has left this seat, so nobody can come back to it."""


class TooManyReturns(RuleViolation):
    """The seat has come back as often as one may in a game."""


class EndOfferOpen(RuleViolation):
    """Somebody has offered to end the game; that is to be answered first."""


class NoEndOffer(RuleViolation):
    """Nobody has offered to end the game."""


class BadEndOffer(RuleViolation):
    """A game is ended together as drawn or as called off, and in no other way."""


class BadClosing(RuleViolation):
    """The host closes a game only where nobody plays it, for a reason that fits."""
