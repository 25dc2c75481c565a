"""What happened in a game. An event is a fact: it is never refused, changed or taken back.

These type names and field names ARE the storage format. Never rename one; a changed shape is a new schema
version with an upcaster and a stored sample of the old form. So is the table of private fields, because the
hash chain runs over the public forms.

Every event carries all that `evolve` needs (coins earned, cards drawn, whose turn), so a later correction of
the rules never changes how an old game reads.
"""

from events.domain_events.base import UNKNOWN_CARD, UNKNOWN_NUMBER, Card, DomainEvent, ForeseeableEvent
from events.domain_events.rulings import (
    RULINGS,
    GamePaused,
    GameResumed,
    GameRewound,
    RulingMade,
    TakeBackAgreed,
    TakeBackAsked,
    TakeBackDeclined,
)
from events.domain_events.table import (
    TABLE,
    DealerCalled,
    GameCreated,
    GameEnded,
    GameStarted,
    HandDealt,
    PileExhausted,
    PileShuffled,
    SeatTaken,
    SecretRevealed,
    StartingSeatChosen,
)
from events.domain_events.trading import (
    TRADING,
    OfferDeclined,
    OfferLapsed,
    OfferMade,
    OfferWithdrawn,
    TradeMade,
    TradingEnded,
)
from events.domain_events.turn import (
    TURN,
    AsidePlanted,
    BeanPlanted,
    CardsDrawn,
    CardsRevealed,
    FieldHarvested,
    PhaseBegan,
    Talked,
    ThirdFieldBought,
    TurnBegan,
)
from events.rules.systems.bean_duel.domain_events import (
    BEAN_DUEL,
    DiscardsJoined,
    HandCardDiscarded,
    RevealedDiscarded,
    RevealedPlanted,
)
from events.rules.systems.ladybohn.domain_events import (
    LADYBOHN,
    CoinsShown,
    FieldBarred,
    FieldPaidFromPiles,
    MissMoved,
    MissMoveOpened,
    MissMovesLapsed,
)
from events.rules.systems.ladybohn_expansion.domain_events import (
    LADYBOHN_EXPANSION,
    CoinsLevied,
    FanLaidOut,
    FanOverflowed,
    FieldRotated,
    HandSwapped,
    LevyEarned,
    LevyPromised,
    QuotaFieldTaken,
    RevealedPutOnFan,
    ThirdFieldWon,
)
from events.rules.systems.the_duel.domain_events import (
    THE_DUEL,
    BluffPaid,
    BonusClaimed,
    BonusDiscarded,
    BonusDrawn,
    BonusKept,
    CoinsDealt,
    GiftAccepted,
    GiftGiven,
    GiftOffered,
)

AnyEvent = TABLE | TURN | TRADING | BEAN_DUEL | THE_DUEL | LADYBOHN_EXPANSION | LADYBOHN | RULINGS
"""Every event that can stand in a log."""
