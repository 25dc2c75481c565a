"""What may be asked of a game. A command is a wish: the rules may refuse it, and then nothing has happened.

Type names and field names are stored in the log and are part of the HTTP interface: never rename one.
"""

from events.commands.base import ACTOR, NOBODY, Command
from events.commands.rulings import (
    ARBITER_COMMANDS,
    TAKE_BACKS,
    AgreeTakeBack,
    AskTakeBack,
    DeclineTakeBack,
    PauseGame,
    ResumeGame,
    RuleGame,
)
from events.commands.standard import (
    STANDARD,
    Accept,
    BuyField,
    Counter,
    Decline,
    Draw,
    EndTrading,
    Harvest,
    Offer,
    Plant,
    PlantAside,
    Reveal,
    Say,
    Withdraw,
)
from events.commands.table import TABLE, ChooseStartingSeat, CreateGame, RevealSecret, Shuffle, TakeSeat
from events.rules.systems.bean_duel.commands import BEAN_DUEL, Discard, DiscardRevealed, PlantRevealed
from events.rules.systems.ladybohn.commands import LADYBOHN, MoveMiss
from events.rules.systems.ladybohn_expansion.commands import LADYBOHN_EXPANSION, ChooseFan, Levy, SwapHand
from events.rules.systems.the_duel.commands import (
    THE_DUEL,
    AcceptGift,
    ClaimBonus,
    CounterGift,
    DiscardBonus,
    GiveFromHand,
    GiveRevealed,
    KeepBonus,
    OfferGift,
)

SEAT_COMMANDS = STANDARD | BEAN_DUEL | THE_DUEL | LADYBOHN_EXPANSION | LADYBOHN | TAKE_BACKS
"""Everything that a seat may ask for in some rule system."""
AnyCommand = SEAT_COMMANDS | TABLE | ARBITER_COMMANDS
"""Every command that can stand in a log."""
