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
├─ ladybohn     SameFieldTwice  NotABaby  NotAMiss  BadMove  NoMoveOpen
├─ lady_bohn    NoSuchFan  HandDoesNotFit  CannotRotate  BadReward  SeatNamedTwice  TooManyPayers  CannotBeLevied
│               PromiseBinds
├─ the_duel     NoSuchGiftCard  GiftCardUsed  CannotBluff  OwnGift  NotYourGift  NotTheGift  DiscardedAlready
│               BonusNotInHand  SequenceNotThere  DecidedAlready
├─ dealer       DealerMustAct  NothingDue  NotAPermutation  WrongSecret
├─ rulings      GameIsPaused  GameNotPaused  PausedAlready  TakeBackOpen  NoTakeBack  AgreedAlready  ContradictsLog
│               SeenUnconfirmed  BadRuling
└─ setting_up   UnknownSystem  WrongPlayers  WrongCatalogue  UnknownOption  BadOption  RulesMismatch

Each line is a file here. Each refusal has a stable `code` for machines, and a topic of the printed rules: the rule
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
from events.rules.errors.lady_bohn import (
    BadReward,
    CannotBeLevied,
    CannotRotate,
    HandDoesNotFit,
    NoSuchFan,
    PromiseBinds,
    SeatNamedTwice,
    TooManyPayers,
)
from events.rules.errors.ladybohn import (
    BadMove,
    NoMoveOpen,
    NotABaby,
    NotAMiss,
    SameFieldTwice,
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
from events.rules.errors.the_duel import (
    BonusNotInHand,
    CannotBluff,
    DecidedAlready,
    DiscardedAlready,
    GiftCardUsed,
    NoSuchGiftCard,
    NotTheGift,
    NotYourGift,
    OwnGift,
    SequenceNotThere,
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

__all__ = [
    "AgreedAlready",
    "BadAmount",
    "BadMove",
    "BadName",
    "BadOption",
    "BadReward",
    "BadRuling",
    "BadText",
    "BeanProtected",
    "BonusNotInHand",
    "CannotBeLevied",
    "CannotBluff",
    "CannotRotate",
    "CardNamedTwice",
    "ChoiceDue",
    "ContradictsLog",
    "DealerMustAct",
    "DecidedAlready",
    "DeclinedAlready",
    "DiscardedAlready",
    "FieldEmpty",
    "FieldHoldsOtherBean",
    "GameIsPaused",
    "GameNotPaused",
    "GameNotStarted",
    "GameOver",
    "GameStartedAlready",
    "GiftCardUsed",
    "HandDoesNotFit",
    "HandEmpty",
    "MustPlantFirst",
    "NoMoveOpen",
    "NoSuchFan",
    "NoSuchField",
    "NoSuchGiftCard",
    "NoSuchOffer",
    "NoSuchSeat",
    "NoSuchVariety",
    "NoTakeBack",
    "NoThirdFieldLeft",
    "NotABaby",
    "NotAMiss",
    "NotAPermutation",
    "NotAddressedToYou",
    "NotAside",
    "NotEnoughCoins",
    "NotInHand",
    "NotInThisGame",
    "NotRevealed",
    "NotTheGift",
    "NotWanted",
    "NotYourGift",
    "NotYourOffer",
    "NotYourTurn",
    "NothingDue",
    "OfferEmpty",
    "OwnGift",
    "OwnOffer",
    "PausedAlready",
    "PaymentMismatch",
    "PlantedEnough",
    "PromiseBinds",
    "RevealedNotYours",
    "RuleViolation",
    "RulesMismatch",
    "SameFieldTwice",
    "SeatNamedTwice",
    "SeatOccupied",
    "SeenUnconfirmed",
    "SequenceNotThere",
    "TakeBackOpen",
    "ThirdFieldNotForSale",
    "ThirdFieldOwned",
    "TooManyOffers",
    "TooManyPayers",
    "UnknownCommand",
    "UnknownOption",
    "UnknownSystem",
    "VarietyGrowsElsewhere",
    "WrongAddressee",
    "WrongCatalogue",
    "WrongPhase",
    "WrongPlayers",
    "WrongSecret",
]
