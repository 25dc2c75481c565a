"""What the rules refuse, and why.

RuleViolation
├─ game         GameNotStarted  GameStartedAlready  GameOver  UnknownCommand  WrongPhase  NotYourTurn  ChoiceDue
│               NotInThisGame
├─ table        NoSuchSeat  SeatOccupied  NoSuchField  BadName  BadText
├─ planting     HandEmpty  MustPlantFirst  PlantedEnough  FieldHoldsOtherBean  VarietyGrowsElsewhere  NotAside
├─ selling      FieldEmpty  BeanProtected  ThirdFieldOwned  ThirdFieldNotForSale  NotEnoughCoins  NoThirdFieldLeft
├─ trading      OfferEmpty  NotInHand  NotRevealed  CardNamedTwice  RevealedNotYours  NotWanted  WrongAddressee
│               NoSuchVariety  BadAmount  TooManyOffers  NoSuchOffer  OwnOffer  NotAddressedToYou  DeclinedAlready
│               NotYourOffer  PaymentMismatch  ReadyAlready  EndTradingInstead
├─ dealer       DealerMustAct  NothingDue  NotAPermutation  WrongSecret
├─ leaving      PeopleOnly  LeftAlready  NotAway  TooManyReturns  EndOfferOpen  NoEndOffer  BadEndOffer  BadClosing
├─ rulings      GameIsPaused  GameNotPaused  PausedAlready  TakeBackOpen  NoTakeBack  AgreedAlready  ContradictsLog
│               SeenUnconfirmed  BotsDecline  DealMustStay  BadRuling
├─ clock        BadClock  NoClock  NothingExpired  TimeOver  BadCredit
└─ setting_up   UnknownSystem  WrongPlayers  WrongCatalogue  UnknownOption  BadOption  BadDealing
                SeedNotTaken  RulesMismatch

Each line is a file here; what is refused in one rule system alone is `errors` in its room in `events/rules/systems/`.
Each refusal has a stable `code` for machines, and a topic of the printed rules: the rule
system of the game knows which section of which booklet that is (`RuleSystem.section_of`). They know nothing of HTTP.
"""

from events.rules.errors.base import *
from events.rules.errors.clock import *
from events.rules.errors.dealer import *
from events.rules.errors.game import *
from events.rules.errors.leaving import *
from events.rules.errors.planting import *
from events.rules.errors.rulings import *
from events.rules.errors.selling import *
from events.rules.errors.setting_up import *
from events.rules.errors.table import *
from events.rules.errors.trading import *

__all__ = [
    name for name, each in vars().items() if isinstance(each, type) and issubclass(each, RuleViolation)
]
