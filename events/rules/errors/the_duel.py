"""What is refused in `the-duel` only: gifts, bluffs and bonus cards."""

from events.rules.errors.base import (
    DUEL_BLUFFING,
    DUEL_BONUS,
    DUEL_DRAWING,
    DUEL_OFFERING,
    DUEL_PLANTING,
    RuleViolation,
)


class NoSuchGiftCard(RuleViolation, section=DUEL_OFFERING):
    """There is no gift card of that variety."""


class GiftCardUsed(RuleViolation, section=DUEL_OFFERING):
    """The gift card was pushed already in this phase."""


class CannotBluff(RuleViolation, section=DUEL_BLUFFING):
    """Who has neither such a bean nor a coin cannot offer it."""


class OwnGift(RuleViolation, section=DUEL_OFFERING):
    """The other player has to answer the gift on offer."""


class NotYourGift(RuleViolation, section=DUEL_OFFERING):
    """Only who offered the accepted gift hands it over."""


class NotTheGift(RuleViolation, section=DUEL_OFFERING):
    """The card is of another variety than the gift that was accepted."""


class DiscardedAlready(RuleViolation, section=DUEL_PLANTING):
    """One of the revealed cards was discarded in this turn; no more are allowed."""


class BonusNotInHand(RuleViolation, section=DUEL_BONUS):
    """The player does not hold this bonus card."""


class SequenceNotThere(RuleViolation, section=DUEL_BONUS):
    """The top cards of that field are not the sequence of the bonus card."""


class DecidedAlready(RuleViolation, section=DUEL_DRAWING):
    """The player has said in this phase what becomes of the bonus hand."""
