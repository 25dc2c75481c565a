"""What a seat may ask for in `bean-duel` only."""

from typing import ClassVar

from events.commands.base import ACTOR, Command


class PlantRevealed(Command, frozen=True):
    """Plant a revealed card, or one that the opponent left on offer, by its number (`bean-duel`, `the-duel`)."""

    card: int
    field: int


class DiscardRevealed(Command, frozen=True):
    """Discard a card by its number: one left on offer (`bean-duel`), or one revealed card in phase 3 (`the-duel`)."""

    card: int


class Discard(Command, frozen=True):
    """Discard one card from any place of the hand, by its number; planting from the hand ends (`bean-duel`)."""

    card: int

    private: ClassVar[dict[str, str]] = {"card": ACTOR}


BEAN_DUEL = PlantRevealed | DiscardRevealed | Discard
