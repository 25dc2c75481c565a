"""What the rules refuse, and why.

RuleViolation
├─ about the game      GameNotStarted  GameOver  GameStartedAlready  DealerMustAct  NothingDue
├─ about the turn      UnknownCommand  WrongPhase  NotYourTurn  ChoiceDue  NotInThisGame
├─ about the table     NoSuchSeat  SeatOccupied  NoSuchField  BadName
├─ planting            HandEmpty  MustPlantFirst  PlantedEnough  FieldHoldsOtherBean  VarietyGrowsElsewhere  NotAside
├─ selling, buying     FieldEmpty  BeanProtected  ThirdFieldOwned  ThirdFieldNotForSale  NotEnoughCoins
│                      NoThirdFieldLeft
├─ ladybohn            SameFieldTwice  NotABaby  NotAMiss  BadMove  NoMoveOpen
├─ trading             OfferEmpty  NotInHand  NotRevealed  CardNamedTwice  RevealedNotYours  NotWanted
│                      WrongAddressee  NoSuchVariety  BadAmount  TooManyOffers  NoSuchOffer  OwnOffer
│                      NotAddressedToYou  DeclinedAlready  NotYourOffer  PaymentMismatch
├─ gifts               NoSuchGiftCard  GiftCardUsed  CannotBluff  OwnGift  NotYourGift  NotTheGift  DiscardedAlready
├─ bonus cards         BonusNotInHand  SequenceNotThere  DecidedAlready
├─ talking             BadText
├─ lady bohn           NoSuchFan  HandDoesNotFit  CannotRotate  BadReward  SeatNamedTwice  TooManyPayers
│                      CannotBeLevied  PromiseBinds
├─ the dealer          NotAPermutation  WrongSecret
└─ setting up          UnknownSystem  WrongPlayers  WrongCatalogue  UnknownOption  BadOption  RulesMismatch

Each has a stable `code` for machines and the `section` of the printed rules for people. They know nothing of HTTP.
"""

from typing import ClassVar

BOOKLET = "Bohnanza (104 cards)"
PLAYING = f"{BOOKLET}, 1. Jouer les cartes haricots"
SELLING = f"{BOOKLET}, Vendre des haricots - Récolte"
TRADING = f"{BOOKLET}, 2. Echanges et dons"
GROWING = f"{BOOKLET}, Culture de haricots"
DRAWING = f"{BOOKLET}, 3. Pioche de nouvelles cartes haricots"
FIELDS = f"{BOOKLET}, Champs de haricots"
TURN = f"{BOOKLET}, Déroulement de la partie"
ENDING = f"{BOOKLET}, Fin du jeu"
PREPARING = f"{BOOKLET}, Préparatifs"
DUEL = "Bohnanza: The Duel"
DUEL_OFFERING = f"{DUEL}, Offrir des cartes haricots"
DUEL_BLUFFING = f"{DUEL}, Bluff !"
DUEL_PLANTING = f"{DUEL}, Planter les cartes piochées et reçues"
DUEL_DRAWING = f"{DUEL}, Piocher deux cartes Haricot et éventuellement des cartes Bonus"
DUEL_BONUS = f"{DUEL}, Les cartes Bohnus"
LADY_BOHN = "Lady Bohn (expansion)"
FANS = f"{LADY_BOHN}, The 4 cards and 6 cards fans"
MAKE_UP = f"{LADY_BOHN}, The Schminkbohnen"
ROTATION = f"{LADY_BOHN}, Rotation after a harvest"
LADYBOHN = "Ladybohn"
BABIES = f"{LADYBOHN}, Rapprochement des miss grâce aux bébés"
SERVICE = "Fieldbook, house rule"


class RuleViolation(Exception):
    """The rules forbid it; the message says what was asked and what stands against it."""

    code: ClassVar[str] = "rule_violation"
    section: ClassVar[str] = SERVICE

    def __init_subclass__(cls, section: str = SERVICE) -> None:
        """Derive the stable code from the class name and keep the printed rules' section."""
        name = cls.__name__
        cls.code = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip(
            "_"
        )
        cls.section = section


class GameNotStarted(RuleViolation, section=PREPARING):
    """A seat acts before every seat is taken."""


class GameOver(RuleViolation, section=ENDING):
    """Somebody acts after the end."""


class GameStartedAlready(RuleViolation, section=PREPARING):
    """The host acts after the start."""


class DealerMustAct(RuleViolation, section=ENDING):
    """A pile is due; until the dealer has shuffled nobody else can act."""


class NothingDue(RuleViolation, section=ENDING):
    """The dealer acts though nothing, or something else, is due."""


class UnknownCommand(RuleViolation):
    """The game's rule system has no such command, or not for this actor."""


class WrongPhase(RuleViolation, section=TURN):
    """The command belongs to another phase of the turn."""


class NotYourTurn(RuleViolation, section=TURN):
    """Only the active player may do this."""


class ChoiceDue(RuleViolation):
    """Somebody has to choose first; until then only talk is accepted."""


class NotInThisGame(RuleViolation):
    """The command asks for something that the game's rule system does not have."""


class NoSuchSeat(RuleViolation):
    """The table has no such seat."""


class SeatOccupied(RuleViolation):
    """Somebody sits there already."""


class BadName(RuleViolation):
    """A seat's name, kind or seed is not of the form required."""


class NoSuchField(RuleViolation, section=FIELDS):
    """The player has no field with this number."""


class HandEmpty(RuleViolation, section=PLAYING):
    """There is no card in hand to plant."""


class MustPlantFirst(RuleViolation, section=PLAYING):
    """The first bean of the hand must be planted before cards are revealed."""


class PlantedEnough(RuleViolation, section=PLAYING):
    """Two beans were planted from the hand in this turn; no more are allowed."""


class FieldHoldsOtherBean(RuleViolation, section=FIELDS):
    """Another variety grows on that field."""


class VarietyGrowsElsewhere(RuleViolation, section=PLAYING):
    """The variety grows on another field of the player and must be planted there."""


class NotAside(RuleViolation, section=GROWING):
    """No card with this number lies aside before the player."""


class FieldEmpty(RuleViolation, section=SELLING):
    """Nothing grows on that field."""


class BeanProtected(RuleViolation, section=SELLING):
    """A single bean may not be sold while another field holds more."""


class ThirdFieldOwned(RuleViolation, section=FIELDS):
    """The player has the third field already, bought or won."""


class ThirdFieldNotForSale(RuleViolation, section=FIELDS):
    """In this game nobody can buy a field."""


class NotEnoughCoins(RuleViolation, section=FIELDS):
    """The third field costs more coins than the player has."""


class NoThirdFieldLeft(RuleViolation, section=f"{LADYBOHN}, Les cartes 3ème champ"):
    """All the third fields that the game has are bought."""


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


class BadText(RuleViolation):
    """Table talk has 1 to 500 characters, not only spaces, and no control characters."""


class NoSuchFan(RuleViolation, section=FANS):
    """No fan has this number."""


class HandDoesNotFit(RuleViolation, section=FANS):
    """A hand is swapped only for a fan of exactly as many cards."""


class CannotRotate(RuleViolation, section=ROTATION):
    """Only another field of two or more cards can be rotated after a harvest."""


class BadReward(RuleViolation, section=MAKE_UP):
    """The harvest does not offer this reward, or leaves a choice that was not made."""


class SeatNamedTwice(RuleViolation, section=MAKE_UP):
    """A levy names the same player more than once."""


class TooManyPayers(RuleViolation, section=MAKE_UP):
    """A levy takes from three other players at most."""


class CannotBeLevied(RuleViolation, section=MAKE_UP):
    """A levy cannot take from oneself, from who has no coin, or from who grows make-up beans."""


class PromiseBinds(RuleViolation, section=MAKE_UP):
    """A promise not to levy this player binds."""


class NotAPermutation(RuleViolation, section=PREPARING):
    """The shuffled pile does not consist of exactly the cards that it must."""


class WrongSecret(RuleViolation):
    """The secret is not the one that the dealer committed itself to."""


class UnknownSystem(RuleViolation):
    """There is no such rule system, or not in this version."""


class WrongPlayers(RuleViolation):
    """The rule system is not played by that many."""


class WrongCatalogue(RuleViolation):
    """The catalogue lacks something that the rule system is played with."""


class UnknownOption(RuleViolation):
    """The rule system has no such option."""


class BadOption(RuleViolation):
    """The option cannot have this value."""


class RulesMismatch(RuleViolation):
    """The command that sets up a table asks for other rules than the table is played by."""
