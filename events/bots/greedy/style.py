"""How somebody plays who values bargains like the greedy bot: how often it speaks, and what it dares to ask for."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Style:
    """What may differ between bots that bargain; as it stands here it is the greedy bot's."""

    trades_in_a_turn: int = 4
    """The active player asks something for its cards at most so often; counter-offers count too."""
    gifts_in_a_turn: int = 3
    """And then gives away at most so many."""
    offers_off_turn: int = 2
    """Another player makes at most so many offers in a turn; counter-offers count too."""
    front_cards: int = 3
    """So many cards from the front of the hand are offered."""
    bold: bool = False
    """Whether it asks for more cards than it gives, and for cards that others may be glad to be rid of."""


GREEDY: Final = Style()
"""That of the greedy bot. Recorded games depend on it."""
