"""What a seat may ask for in `bean-duel` only."""

from typing import ClassVar

from events.commands.base import ACTOR, Command


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


BEAN_DUEL = PlantRevealed | DiscardRevealed | Discard
