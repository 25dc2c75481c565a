"""What a seat may ask for in a standard turn, and at any time."""

from typing import ClassVar

import msgspec

from events.commands.base import ACTOR, Command


class Plant(Command, frozen=True):
    """Plant the front card of the hand on a field (phase 1).

    In `ladybohn` a baby may move a miss of that field: `miss` is her place, counted from 0 at the bottom, and she
    moves one or two `places` towards the top.
    """

    field: int
    miss: int | None = None
    places: int = 0


class Reveal(Command, frozen=True):
    """Turn the next cards of the draw pile face up: phase 2 begins."""


class Offer(Command, frozen=True):
    """Offer cards, or ask for some, in phase 2.

    `to` names one seat; without it the active player's offer is open to all. `hand` are running numbers of
    own hand cards, `revealed` numbers of revealed cards (active player only); `want` maps varieties to how
    many are wanted, `want_revealed` names revealed cards (of the active player). Where promises bind, `spare`
    promises the other side one's next levy, and `want_spared` asks the other side for such a promise.
    """

    to: int | None = None
    hand: tuple[int, ...] = ()
    revealed: tuple[int, ...] = ()
    want: dict[str, int] = msgspec.field(default_factory=dict)
    want_revealed: tuple[int, ...] = ()
    spare: bool = False
    want_spared: bool = False

    private: ClassVar[dict[str, str]] = {"hand": ACTOR}


class Counter(Command, frozen=True):
    """Answer an offer with another one, linked to it and addressed to who made it."""

    offer: int
    hand: tuple[int, ...] = ()
    revealed: tuple[int, ...] = ()
    want: dict[str, int] = msgspec.field(default_factory=dict)
    want_revealed: tuple[int, ...] = ()
    spare: bool = False
    want_spared: bool = False

    private: ClassVar[dict[str, str]] = {"hand": ACTOR}


class Accept(Command, frozen=True):
    """Accept an offer, naming the cards that are given for it: exactly what it wants."""

    offer: int
    hand: tuple[int, ...] = ()
    revealed: tuple[int, ...] = ()

    private: ClassVar[dict[str, str]] = {"hand": ACTOR}


class Decline(Command, frozen=True):
    """Say no to an offer."""

    offer: int


class Withdraw(Command, frozen=True):
    """Take back an own open offer."""

    offer: int


class Ready(Command, frozen=True):
    """Say that one wants nothing more in this phase 2; whatever else one does takes it back."""


class EndTrading(Command, frozen=True):
    """End phase 2; what is left of the revealed cards is the active player's to plant."""


class PlantAside(Command, frozen=True):
    """Plant a card that lies aside, by its number, on a field (phase 3); `miss` and `places` as in `plant`."""

    card: int
    field: int
    miss: int | None = None
    places: int = 0


class Draw(Command, frozen=True):
    """Draw new cards to the back of the hand (phase 4): the turn ends with it."""


class Harvest(Command, frozen=True):
    """Harvest and sell a whole field.

    In `ladybohn-expansion`, `rotate` names another own field whose top card goes to its bottom, and `reward` is
    `field` or `coin` where five or more make-up beans leave a choice.
    """

    field: int
    rotate: int | None = None
    reward: str = ""


class BuyField(Command, frozen=True):
    """Buy the third field."""


class Say(Command, frozen=True):
    """Table talk: recorded, because disputes are about what was said."""

    text: str


STANDARD = (
    Plant
    | Reveal
    | Offer
    | Counter
    | Accept
    | Decline
    | Withdraw
    | Ready
    | EndTrading
    | PlantAside
    | Draw
    | Harvest
    | BuyField
    | Say
)
