"""The table as it stands after some events: frozen values that share what did not change.

`GameState` is also what the state hash is made of, so its field names and their defaults are part of the
record format; a field added later needs a default that means "not in this game".
"""

from typing import Any

import msgspec
from msgspec.structs import replace

from events.commands.clock import ClockSettings
from events.commands.dealing import Dealing
from events.domain_events.base import Card
from events.rules.systems.ladybohn.table import LadybohnTable
from events.rules.systems.ladybohn_expansion.table import LadybohnExpansionTable
from events.rules.systems.the_duel.table import DuelState
from events.rules.table.addition import Addition

NumberedCard = tuple[int, Card]
"""A card with the number by which commands name it."""
Field = tuple[Card, ...]
"""A field's cards from bottom to top."""


class Seat(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What lies before one player."""

    name: str = ""
    kind: str = ""
    """`human`, `bot`, `program`, or empty while the seat is free."""
    bot: str = ""
    program: str = ""
    """What plays a seat of kind `program`: its name, and which version of it."""
    program_version: str = ""
    seed: str = ""
    player: str = ""
    """Who took it, by an id of all their games; empty where nobody said."""
    hand: tuple[NumberedCard, ...] = ()
    """The queue, front first; numbers count the cards that ever entered this hand."""
    next_number: int = 1
    fields: tuple[Field, ...] = ()
    third_field: bool = False
    """Whether the seat got its third field in this game."""
    coins: tuple[Card, ...] = ()
    """The coin stack from bottom to top."""
    aside: tuple[NumberedCard, ...] = ()
    """Cards received or kept in phase 2, to be planted in phase 3."""
    next_aside: int = 1
    strikes: int = 0
    """In how many turns its time ran out."""
    last_strike: int = 0
    """The last of them; 0 for none."""
    away: str = ""
    """The kind of who left, while a bot plays on for them; empty while whoever took the seat plays it."""
    returns: int = 0
    """How often who left has come back."""


class OpenOffer(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """An offer that may still be answered."""

    number: int
    seat: int
    to: int | None
    """The one seat that it is addressed to; None when it is open to all."""
    hand: tuple[int, ...] = ()
    hand_cards: tuple[Card, ...] = ()
    revealed: tuple[int, ...] = ()
    want: dict[str, int] = {}
    want_revealed: tuple[int, ...] = ()
    counters: int | None = None
    declined: tuple[int, ...] = ()
    spare: bool = False
    """Whether who made it promises the other side to spare it with the next levy."""
    want_spared: bool = False
    """Whether the other side is to promise the same."""


class Due(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What the dealer has to do before anybody else can act, and what goes on then."""

    task: str
    pile: str = ""
    purpose: str = ""
    seat: int = 0
    count: int = 0


class Result(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """How a game ended."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    unit: str = "coins"
    """What the scores count: `coins`, or `cents` of a coin."""


class TakeBack(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A seat's question to go back, which every other seat has to answer."""

    seat: int
    to_version: int
    agreed: tuple[int, ...] = ()
    """Who has agreed, whoever asked first."""
    seen_confirmed: bool = False
    """Whether who asked knows that hidden cards were seen since."""


class EndOffer(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A seat's offer to end the game, which every other seat has to accept."""

    seat: int
    kind: str
    """`drawn` or `called_off`."""
    agreed: tuple[int, ...] = ()
    """Who has agreed, whoever offered first."""


class GameState(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The whole table, hidden cards included."""

    game: str = ""
    system: str = ""
    system_version: int = 0
    engine_version: int = 0
    options: dict[str, str | int | bool] = {}
    catalogue: str = ""
    commitment: str = ""
    secret: str = ""
    status: str = "none"
    """`none`, `open` (seats free), `running`, `ended` (secret not yet opened) or `finished`."""
    seats: tuple[Seat, ...] = ()
    start_seat: int = 0
    active: int = 0
    turn: int = 0
    phase: str = ""
    planted: int = 0
    """Cards planted from the hand in this phase 1."""
    draw_pile: tuple[Card, ...] = ()
    """Top card first."""
    discard_pile: tuple[Card, ...] = ()
    """From bottom to top."""
    shuffles: int = 0
    exhaustions: int = 0
    box: tuple[Card, ...] = ()
    """Cards that left the game."""
    revealed: tuple[NumberedCard, ...] = ()
    next_revealed: int = 1
    offers: tuple[OpenOffer, ...] = ()
    next_offer: int = 1
    due: Due | None = None
    result: Result | None = None
    duel: DuelState | None = None
    """Gift cards, bonus cards and unseen coins, in `the-duel`."""
    ladybohn_expansion: LadybohnExpansionTable | None = msgspec.field(default=None, name="lady_bohn")
    """In `ladybohn-expansion` only."""
    ladybohn: LadybohnTable | None = None
    """In `ladybohn` only."""
    paused_by: tuple[int, ...] = ()
    """The cases that hold the game up."""
    take_back: TakeBack | None = None
    """What is to be answered before the game goes on."""
    ready: tuple[int, ...] = ()
    """Who wants nothing more in this phase 2."""
    people_patience: int = 0
    """Seconds that a bot whose turn it is waits for people."""
    program_patience: int = 0
    """The same for programs."""
    end_offer: EndOffer | None = None
    """Whether somebody has offered to end the game; it goes on meanwhile."""
    redeal: tuple[str, ...] = ()
    """The piles that the dealer has to deal anew since the game went back."""
    clock: ClockSettings | None = None
    """What the game is played with."""
    dealing: Dealing | None = None
    """How it is dealt, where all tables of a round get the same deal."""

    @property
    def addition(self) -> Addition | None:
        """What the rule system of this game adds to the table."""
        return self.duel or self.ladybohn or self.ladybohn_expansion

    def with_addition(self, changed: Addition, **changes: Any) -> "GameState":
        """The table with this addition in place of its own, and with these changes."""
        return replace(self, **{changed.field: changed}, **changes)


INITIAL_STATE = GameState()
"""Before anything happened."""
