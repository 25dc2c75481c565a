"""What a seat may ask for in `the-duel` only."""

from typing import ClassVar

from events.commands.base import ACTOR, Command


class OfferGift(Command, frozen=True):
    """Push the gift card of a variety to the opponent: phase 2 cannot go on without it (`the-duel`).

    It is a bluff when no such bean lies revealed or in the hand.
    """

    variety: str


class CounterGift(Command, frozen=True):
    """Refuse the gift on offer by pushing another gift card back; it may be a bluff (`the-duel`)."""

    variety: str


class AcceptGift(Command, frozen=True):
    """Accept the gift on offer: its bean, or a coin if it was a bluff (`the-duel`)."""


class GiveRevealed(Command, frozen=True):
    """Hand over a revealed card, by its number, as the gift that was accepted (`the-duel`)."""

    card: int


class GiveFromHand(Command, frozen=True):
    """Hand over a hand card, by its number, as the gift that was accepted (`the-duel`)."""

    card: int

    private: ClassVar[dict[str, str]] = {"card": ACTOR}


class ClaimBonus(Command, frozen=True):
    """Claim a bonus card of one's hand for the top cards of a field of this owner, at any moment (`the-duel`)."""

    bonus: str
    owner: int
    field: int


class DiscardBonus(Command, frozen=True):
    """Discard one bonus card of one's hand, face up, before hands are refilled in phase 4 (`the-duel`)."""

    bonus: str


class KeepBonus(Command, frozen=True):
    """Discard no bonus card in this phase 4 (`the-duel`)."""


THE_DUEL = (
    OfferGift | CounterGift | AcceptGift | GiveRevealed | GiveFromHand | ClaimBonus | DiscardBonus | KeepBonus
)
