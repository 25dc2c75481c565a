"""What is refused because the game is held up, and what is refused to an arbiter or of a take-back."""

from events.rules.errors.base import RuleViolation


class GameIsPaused(RuleViolation):
    """A dispute holds the game up; only talk is accepted."""


class GameNotPaused(RuleViolation):
    """This case does not hold the game up."""


class PausedAlready(RuleViolation):
    """This case holds the game up already."""


class TakeBackOpen(RuleViolation):
    """A take-back is to be answered first; only talk is accepted."""


class NoTakeBack(RuleViolation):
    """Nobody has asked to take anything back."""


class AgreedAlready(RuleViolation):
    """The seat has agreed to what was asked: to the take-back, or to the end."""


class ContradictsLog(RuleViolation):
    """The ruling or the take-back does not fit what the log says."""


class SeenUnconfirmed(RuleViolation):
    """Hidden cards were seen since the version to go back to, and nobody has confirmed to go back all the same."""


class BotsDecline(RuleViolation):
    """Hidden cards were seen since the version to go back to, and a bot has a seat of its own."""


class DealMustStay(RuleViolation):
    """Cards were drawn since the version to go back to, in a duplicate round, whose tables all have one deal."""


class BadRuling(RuleViolation):
    """The ruling has no kind, no arbiter, no scope or no reason, or not those that belong to it."""
