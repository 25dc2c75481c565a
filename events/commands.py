"""What may be asked of a game. A command is a wish: the rules may refuse it, and then nothing has happened.

Type names and field names are stored in the log and are part of the HTTP interface: never rename one.
A seat's commands come first, then the dealer's, then the host's.
"""

from typing import ClassVar

import msgspec

ACTOR = "actor"
NOBODY = ""


def _verb(class_name: str) -> str:
    """Spell a class name as the command's type: `EndTrading` becomes `end_trading`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in class_name).lstrip("_")


class Command(
    msgspec.Struct, frozen=True, tag_field="type", tag=_verb, forbid_unknown_fields=True, omit_defaults=True
):
    """Base of all commands."""

    private: ClassVar[dict[str, str]] = {}
    """Fields that others may not see: field name to ACTOR (only who sent it) or NOBODY (until the end)."""


class Plant(Command, frozen=True):
    """Plant the front card of the hand on a field (phase 1)."""

    field: int


class Reveal(Command, frozen=True):
    """Turn the next cards of the draw pile face up: phase 2 begins."""


class Offer(Command, frozen=True):
    """Offer cards, or ask for some, in phase 2.

    `to` names one seat; without it the active player's offer is open to all. `hand` are running numbers of
    own hand cards, `revealed` numbers of revealed cards (active player only); `want` maps varieties to how
    many are wanted, `want_revealed` names revealed cards (of the active player).
    """

    to: int | None = None
    hand: tuple[int, ...] = ()
    revealed: tuple[int, ...] = ()
    want: dict[str, int] = {}
    want_revealed: tuple[int, ...] = ()

    private: ClassVar[dict[str, str]] = {"hand": ACTOR}


class Counter(Command, frozen=True):
    """Answer an offer with another one, linked to it and addressed to who made it."""

    offer: int
    hand: tuple[int, ...] = ()
    revealed: tuple[int, ...] = ()
    want: dict[str, int] = {}
    want_revealed: tuple[int, ...] = ()

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


class EndTrading(Command, frozen=True):
    """End phase 2; what is left of the revealed cards is the active player's to plant."""


class PlantAside(Command, frozen=True):
    """Plant a card that lies aside, by its number, on a field (phase 3)."""

    card: int
    field: int


class Draw(Command, frozen=True):
    """Draw new cards to the back of the hand (phase 4): the turn ends with it."""


class Harvest(Command, frozen=True):
    """Harvest and sell a whole field."""

    field: int


class BuyField(Command, frozen=True):
    """Buy the third field."""


class Say(Command, frozen=True):
    """Table talk: recorded, because disputes are about what was said."""

    text: str


class PlantRevealed(Command, frozen=True):
    """Plant one of the revealed cards, or one that the opponent left on offer, by its number (`bean-duel`)."""

    card: int
    field: int


class DiscardRevealed(Command, frozen=True):
    """Discard a card that the opponent left on offer, by its number (`bean-duel`)."""

    card: int


class Discard(Command, frozen=True):
    """Discard one card from any place of the hand, by its number; planting from the hand ends (`bean-duel`)."""

    card: int

    private: ClassVar[dict[str, str]] = {"card": ACTOR}


SEAT_COMMANDS = (
    Plant | Reveal | Offer | Counter | Accept | Decline | Withdraw | EndTrading | PlantAside | Draw | Harvest
    | BuyField | Say | PlantRevealed | DiscardRevealed | Discard
)  # fmt: skip


class Shuffle(Command, frozen=True):
    """The dealer lays a pile in this order, top card first."""

    pile: str
    order: tuple[str, ...]

    private: ClassVar[dict[str, str]] = {"order": NOBODY}


class ChooseStartingSeat(Command, frozen=True):
    """The dealer names the starting player where the option `start_seat` is `random`."""

    seat: int


class RevealSecret(Command, frozen=True):
    """The dealer opens the secret it committed itself to (64 hex digits): the last command of a game."""

    secret: str


class CreateGame(Command, frozen=True):
    """The host sets up a table: rule system, number of players, options, catalogue and commitment."""

    game: str
    system: str
    players: int
    options: dict[str, str | int | bool]
    catalogue: str
    commitment: str


class TakeSeat(Command, frozen=True):
    """The host lets a person or a bot take a seat; `seed` is the seat's own share of chance."""

    seat: int
    name: str
    kind: str
    bot: str = ""
    bot_seed: str = ""
    seed: str = ""

    private: ClassVar[dict[str, str]] = {"bot_seed": NOBODY}


AnyCommand = SEAT_COMMANDS | Shuffle | ChooseStartingSeat | RevealSecret | CreateGame | TakeSeat
