"""What happened in a game. An event is a fact: it is never refused, changed or taken back.

These type names and field names ARE the storage format. Never rename one; a changed shape is a new schema
version with an upcaster and a stored sample of the old form. So is the table of private fields, because the
hash chain runs over the public forms.

Every event carries all that `evolve` needs (coins earned, cards drawn, whose turn), so a later correction of
the rules never changes how an old game reads.
"""

from typing import ClassVar

import msgspec

from events.commands import NOBODY

Card = str
"""A card's key in the catalogue, such as `blue`."""
UNKNOWN_CARD: Card = "?"
"""Stands for a card that a viewer may not see, when a filtered log is folded."""
UNKNOWN_NUMBER = 0
"""Stands for a hand number that a viewer may not see (numbers start at 1)."""


def _past_tense(class_name: str) -> str:
    """Spell a class name as the event's type: `BeanPlanted` becomes `bean_planted`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in class_name).lstrip("_")


class DomainEvent(
    msgspec.Struct,
    frozen=True,
    tag_field="type",
    tag=_past_tense,
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """Base of all events."""

    schema: ClassVar[int] = 1
    private: ClassVar[dict[str, str]] = {}
    """Fields that not everybody may see: field name to the field holding the seat that may, or NOBODY."""


class GameCreated(DomainEvent, frozen=True):
    """A table was set up; everything that the game is pinned to."""

    game: str
    system: str
    system_version: int
    engine_version: int
    players: int
    options: dict[str, str | int | bool]
    catalogue: str
    commitment: str


class SeatTaken(DomainEvent, frozen=True):
    """A person or a bot sat down."""

    seat: int
    name: str
    kind: str
    bot: str = ""
    bot_seed: str = ""
    seed: str = ""

    private: ClassVar[dict[str, str]] = {"bot_seed": NOBODY}


class GameStarted(DomainEvent, frozen=True):
    """Every seat is taken; everybody has this many fields."""

    fields: int


class DealerCalled(DomainEvent, frozen=True):
    """Chance is due: only the dealer can act.

    `task` is `starting_seat`, `shuffle` or `secret`. For a shuffle, `pile` says which, and what was under
    way goes on afterwards: `purpose` (`deal`, `reveal` or `draw`), and `count` cards still owed to `seat`.
    """

    task: str
    pile: str = ""
    purpose: str = ""
    seat: int = 0
    count: int = 0


class StartingSeatChosen(DomainEvent, frozen=True):
    """Who begins."""

    seat: int


class PileShuffled(DomainEvent, frozen=True):
    """A pile was shuffled for the `number`-th time; `order` is the new pile, top card first."""

    pile: str
    number: int
    order: tuple[Card, ...]

    private: ClassVar[dict[str, str]] = {"order": NOBODY}


class HandDealt(DomainEvent, frozen=True):
    """A seat got its first hand, front card first."""

    seat: int
    cards: tuple[Card, ...]

    private: ClassVar[dict[str, str]] = {"cards": "seat"}


class TurnBegan(DomainEvent, frozen=True):
    """A new turn of this seat, the `turn`-th of the game."""

    seat: int
    turn: int


class PhaseBegan(DomainEvent, frozen=True):
    """The turn went on to this phase."""

    phase: str


class BeanPlanted(DomainEvent, frozen=True):
    """The front card of a hand was planted."""

    seat: int
    field: int
    card: Card


class CardsRevealed(DomainEvent, frozen=True):
    """The active player turned up cards from the draw pile."""

    seat: int
    cards: tuple[Card, ...]


class PileExhausted(DomainEvent, frozen=True):
    """The last card left the pile, for the `times`-th time."""

    pile: str
    times: int


class OfferMade(DomainEvent, frozen=True):
    """A seat offered a trade.

    `hand` are the running numbers of the offered hand cards, `hand_cards` what they are; `counters` names the
    offer that this one answers.
    """

    offer: int
    seat: int
    to: int | None
    hand: tuple[int, ...] = ()
    hand_cards: tuple[Card, ...] = ()
    revealed: tuple[int, ...] = ()
    want: dict[str, int] = {}
    want_revealed: tuple[int, ...] = ()
    counters: int | None = None

    private: ClassVar[dict[str, str]] = {"hand": "seat"}


class OfferDeclined(DomainEvent, frozen=True):
    """A seat said no to an offer; `closed` when nobody is left who may answer it."""

    offer: int
    seat: int
    closed: bool


class OfferWithdrawn(DomainEvent, frozen=True):
    """The giver took an offer back."""

    offer: int
    seat: int


class OfferLapsed(DomainEvent, frozen=True):
    """An offer can no longer be fulfilled: a card it names is gone, or trading has ended."""

    offer: int


class TradeMade(DomainEvent, frozen=True):
    """The active player and one other traded; received cards lie aside.

    The cards are public, the numbers of the hand cards are not.
    """

    offer: int
    active: int
    partner: int
    active_cards: tuple[Card, ...]
    partner_cards: tuple[Card, ...]
    active_hand: tuple[int, ...] = ()
    active_revealed: tuple[int, ...] = ()
    partner_hand: tuple[int, ...] = ()

    private: ClassVar[dict[str, str]] = {"active_hand": "active", "partner_hand": "partner"}


class TradingEnded(DomainEvent, frozen=True):
    """The active player ended phase 2; the revealed cards left are theirs to plant."""

    seat: int
    kept: tuple[Card, ...]


class AsidePlanted(DomainEvent, frozen=True):
    """A card that lay aside was planted."""

    seat: int
    number: int
    field: int
    card: Card


class FieldHarvested(DomainEvent, frozen=True):
    """A field was sold: its `cards` from bottom to top; the top `coins` of them became coins."""

    seat: int
    field: int
    cards: tuple[Card, ...]
    coins: int
    final: bool = False


class ThirdFieldBought(DomainEvent, frozen=True):
    """A seat got its third field for these coins, in the order paid."""

    seat: int
    paid: tuple[Card, ...]
    boxed: bool = False
    """Whether the coins leave the game instead of going to the discard pile."""


class CardsDrawn(DomainEvent, frozen=True):
    """A seat drew cards to the back of its hand, in this order."""

    seat: int
    cards: tuple[Card, ...]

    private: ClassVar[dict[str, str]] = {"cards": "seat"}


class DiscardsJoined(DomainEvent, frozen=True):
    """Cards from the top of the discard pile joined the revealed cards, in this order (`bean-duel`)."""

    seat: int
    cards: tuple[Card, ...]


class RevealedPlanted(DomainEvent, frozen=True):
    """A revealed card, or one left on offer, was planted (`bean-duel`)."""

    seat: int
    number: int
    field: int
    card: Card


class RevealedDiscarded(DomainEvent, frozen=True):
    """A card left on offer was discarded (`bean-duel`)."""

    seat: int
    number: int
    card: Card


class HandCardDiscarded(DomainEvent, frozen=True):
    """A card from the hand was discarded; its place in the hand is its owner's (`bean-duel`)."""

    seat: int
    number: int
    card: Card

    private: ClassVar[dict[str, str]] = {"number": "seat"}


class Talked(DomainEvent, frozen=True):
    """Somebody said something at the table."""

    seat: int
    text: str


class GameEnded(DomainEvent, frozen=True):
    """The game is over: the coins of each seat, who won, and why it ended."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str


class SecretRevealed(DomainEvent, frozen=True):
    """The dealer opened its secret: from here on anybody can recompute every shuffle."""

    secret: str


AnyEvent = (
    GameCreated | SeatTaken | GameStarted | DealerCalled | StartingSeatChosen | PileShuffled | HandDealt | TurnBegan
    | PhaseBegan | BeanPlanted | CardsRevealed | PileExhausted | OfferMade | OfferDeclined | OfferWithdrawn
    | OfferLapsed | TradeMade | TradingEnded | AsidePlanted | FieldHarvested | ThirdFieldBought | CardsDrawn | Talked
    | GameEnded | SecretRevealed | DiscardsJoined | RevealedPlanted | RevealedDiscarded | HandCardDiscarded
)  # fmt: skip
