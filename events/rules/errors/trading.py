"""What is refused when an offer is made, answered or taken back."""

from events.rules.errors.base import TRADING, RuleViolation


class OfferEmpty(RuleViolation, section=TRADING):
    """An offer must give or want something."""


class NotInHand(RuleViolation, section=TRADING):
    """No card with this number is in the player's hand."""


class NotRevealed(RuleViolation, section=TRADING):
    """No revealed card has this number."""


class CardNamedTwice(RuleViolation, section=TRADING):
    """The same card is named more than once."""


class RevealedNotYours(RuleViolation, section=TRADING):
    """Only the active player can give revealed cards."""


class NotWanted(RuleViolation, section=TRADING):
    """The active player cannot ask for the revealed cards: they are theirs."""


class WrongAddressee(RuleViolation, section=TRADING):
    """Trades are between the active player and exactly one other."""


class NoSuchVariety(RuleViolation, section=TRADING):
    """The game has no such variety."""


class BadAmount(RuleViolation, section=TRADING):
    """A wanted amount is below one or above the number of such cards in the game."""


class TooManyOffers(RuleViolation):
    """The player has as many open offers as the table can follow."""


class NoSuchOffer(RuleViolation, section=TRADING):
    """No open offer has this number."""


class OwnOffer(RuleViolation, section=TRADING):
    """One's own offer can only be withdrawn."""


class NotAddressedToYou(RuleViolation, section=TRADING):
    """The offer is addressed to somebody else."""


class DeclinedAlready(RuleViolation, section=TRADING):
    """The player has declined this offer."""


class NotYourOffer(RuleViolation, section=TRADING):
    """Only who made an offer can withdraw it."""


class PaymentMismatch(RuleViolation, section=TRADING):
    """The cards named are not exactly what the offer wants."""
