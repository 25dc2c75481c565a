"""What is refused when an offer is made, answered or taken back."""

from events.rules.errors.base import RuleViolation
from events.rules.errors.printed_rules import Topic


class OfferEmpty(RuleViolation):
    """An offer must give or want something."""


class NotInHand(RuleViolation, topic=Topic.HAND):
    """No card with this number is in the player's hand."""


class NotRevealed(RuleViolation, topic=Topic.REVEALED):
    """No revealed card has this number."""


class CardNamedTwice(RuleViolation):
    """The same card is named more than once."""


class RevealedNotYours(RuleViolation, topic=Topic.TRADING):
    """Only the active player can give revealed cards."""


class NotWanted(RuleViolation, topic=Topic.TRADING):
    """The active player cannot ask for the revealed cards: they are theirs."""


class WrongAddressee(RuleViolation, topic=Topic.TRADING):
    """Trades are between the active player and exactly one other."""


class NoSuchVariety(RuleViolation):
    """The game has no such variety."""


class BadAmount(RuleViolation):
    """A wanted amount is below one or above the number of such cards in the game."""


class TooManyOffers(RuleViolation):
    """The player has as many open offers as the table can follow."""


class NoSuchOffer(RuleViolation):
    """No open offer has this number."""


class OwnOffer(RuleViolation):
    """One's own offer can only be withdrawn."""


class NotAddressedToYou(RuleViolation):
    """The offer is addressed to somebody else."""


class DeclinedAlready(RuleViolation):
    """The player has declined this offer."""


class NotYourOffer(RuleViolation):
    """Only who made an offer can withdraw it."""


class ReadyAlready(RuleViolation):
    """The player has said already that it wants nothing more."""


class EndTradingInstead(RuleViolation, topic=Topic.TRADING):
    """The active player has nobody to tell that it is ready: it ends the trading."""


class PaymentMismatch(RuleViolation):
    """The cards named are not exactly what the offer wants."""
