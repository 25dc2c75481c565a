"""What the rules refuse, and why.

RuleViolation
├─ game         GameNotStarted  GameStartedAlready  GameOver  UnknownCommand  WrongPhase  NotYourTurn  ChoiceDue
│               NotInThisGame
├─ table        NoSuchSeat  SeatOccupied  NoSuchField  BadName  BadText
├─ planting     HandEmpty  MustPlantFirst  PlantedEnough  FieldHoldsOtherBean  VarietyGrowsElsewhere  NotAside
├─ selling      FieldEmpty  BeanProtected  ThirdFieldOwned  ThirdFieldNotForSale  NotEnoughCoins  NoThirdFieldLeft
├─ trading      OfferEmpty  NotInHand  NotRevealed  CardNamedTwice  RevealedNotYours  NotWanted  WrongAddressee
│               NoSuchVariety  BadAmount  TooManyOffers  NoSuchOffer  OwnOffer  NotAddressedToYou  DeclinedAlready
│               NotYourOffer  PaymentMismatch
├─ dealer       DealerMustAct  NothingDue  NotAPermutation  WrongSecret
├─ rulings      GameIsPaused  GameNotPaused  PausedAlready  TakeBackOpen  NoTakeBack  AgreedAlready  ContradictsLog
│               SeenUnconfirmed  BadRuling
└─ setting_up   UnknownSystem  WrongPlayers  WrongCatalogue  UnknownOption  BadOption  RulesMismatch

Each line is a file here; what is refused in one rule system alone is `errors` in its room in `events/rules/systems/`.
Each refusal has a stable `code` for machines, and a topic of the printed rules: the rule
system of the game knows which section of which booklet that is (`RuleSystem.section_of`). They know nothing of HTTP.
"""

from events.rules.errors.base import RuleViolation
from events.rules.errors.dealer import (
    DealerMustAct,
    NotAPermutation,
    NothingDue,
    WrongSecret,
)
from events.rules.errors.game import (
    ChoiceDue,
    GameNotStarted,
    GameOver,
    GameStartedAlready,
    NotInThisGame,
    NotYourTurn,
    UnknownCommand,
    WrongPhase,
)
from events.rules.errors.planting import (
    FieldHoldsOtherBean,
    HandEmpty,
    MustPlantFirst,
    NotAside,
    PlantedEnough,
    VarietyGrowsElsewhere,
)
from events.rules.errors.rulings import (
    AgreedAlready,
    BadRuling,
    ContradictsLog,
    GameIsPaused,
    GameNotPaused,
    NoTakeBack,
    PausedAlready,
    SeenUnconfirmed,
    TakeBackOpen,
)
from events.rules.errors.selling import (
    BeanProtected,
    FieldEmpty,
    NotEnoughCoins,
    NoThirdFieldLeft,
    ThirdFieldNotForSale,
    ThirdFieldOwned,
)
from events.rules.errors.setting_up import (
    BadOption,
    RulesMismatch,
    UnknownOption,
    UnknownSystem,
    WrongCatalogue,
    WrongPlayers,
)
from events.rules.errors.table import (
    BadName,
    BadText,
    NoSuchField,
    NoSuchSeat,
    SeatOccupied,
)
from events.rules.errors.trading import (
    BadAmount,
    CardNamedTwice,
    DeclinedAlready,
    NoSuchOffer,
    NoSuchVariety,
    NotAddressedToYou,
    NotInHand,
    NotRevealed,
    NotWanted,
    NotYourOffer,
    OfferEmpty,
    OwnOffer,
    PaymentMismatch,
    RevealedNotYours,
    TooManyOffers,
    WrongAddressee,
)
