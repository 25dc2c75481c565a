"""What is refused in `the-duel` only: gifts, bluffs and bonus cards."""

from events.rules.errors.base import RuleViolation
from events.rules.errors.printed_rules import Topic


class NoSuchGiftCard(RuleViolation, topic=Topic.GIFTS):
    """There is no gift card of that variety."""


class GiftCardUsed(RuleViolation, topic=Topic.GIFTS):
    """The gift card was pushed already in this phase."""


class CannotBluff(RuleViolation, topic=Topic.BLUFFS):
    """Who has neither such a bean nor a coin cannot offer it."""


class OwnGift(RuleViolation, topic=Topic.GIFTS):
    """The other player has to answer the gift on offer."""


class NotYourGift(RuleViolation, topic=Topic.GIFTS):
    """Only who offered the accepted gift hands it over."""


class NotTheGift(RuleViolation, topic=Topic.GIFTS):
    """The card is of another variety than the gift that was accepted."""


class DiscardedAlready(RuleViolation, topic=Topic.PLANTING_ASIDE):
    """One of the revealed cards was discarded in this turn; no more are allowed."""


class BonusNotInHand(RuleViolation, topic=Topic.BONUS):
    """The player does not hold this bonus card."""


class SequenceNotThere(RuleViolation, topic=Topic.BONUS):
    """The top cards of that field are not the sequence of the bonus card."""


class DecidedAlready(RuleViolation, topic=Topic.DRAWING):
    """The player has said in this phase what becomes of the bonus hand."""
