"""What one rule system adds to the table, and what the shared parts ask of it without knowing which system it is.

A system that has something of its own on the table derives a struct from `Addition` in its room and has a field for
it in `GameState`. Whatever it does not answer for itself is answered here as for a table with nothing more on it.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec

from events.domain_events.base import Card

if TYPE_CHECKING:
    from events.rules.table.state import GameState

SEES_ALL = -2
"""The viewer called ALL in `events.log.disclosure`."""
DRAW_PILE = "draw"
BONUS_PILE = "bonus"
"""The pile of the bonus cards that a catalogue may have."""


class Pile(msgspec.Struct, frozen=True, gc=False):
    """A pile besides the draw pile: its cards, top card first, the discards beside it, how often it was shuffled."""

    cards: tuple[Card, ...]
    discards: tuple[Card, ...]
    shuffles: int


class Seen(msgspec.Struct, frozen=True, omit_defaults=True):
    """Cards that were hidden on the earlier table and are known to somebody more on the later one.

    Attributes:
        what: `draw` or `bonus` (taken from that pile), `hand` or `bonus_hand` (left it, and so were shown),
        `offers` (hand
            cards named in offers), `coins` (shown).
        cards: those cards; empty where they cannot be told one by one.
        seat: whose they were; None for a pile.
    """

    what: str
    cards: tuple[Card, ...] = ()
    seat: int | None = None


class Addition(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Base of what rule systems add to the table."""

    field: ClassVar[str]
    """The field of `GameState` that it is in."""
    holds_cards: ClassVar[bool] = False
    """Whether any cards lie there that do not lie elsewhere on the table."""

    def in_new_turn(self) -> Self:
        """What is left of it when a turn begins."""
        return self

    def after_discarding(self) -> Self:
        """Return the addition after a revealed card was discarded."""
        return self

    def waiting_for(self, _phase: str) -> tuple[int, ...] | None:
        """Who has to act in this phase; None in a phase of which it says nothing."""
        return None

    def view(self, _state: "GameState", _viewer: int) -> dict[str, Any]:
        """What it adds to the view of a viewer (see `player_view`)."""
        return {}

    def veiled(self, _viewer: int) -> Self:
        """The same with everything taken out that this seat may not see; unseen coins are looked at by themselves."""
        return self

    def unseen_coins(self, _seat: int) -> frozenset[int]:
        """The places in the seat's coin stack, bottom 0, of the coins that nobody has seen."""
        return frozenset()

    def deck_cards(self) -> Iterable[tuple[Card, ...]]:
        """The cards of the deck that lie there."""
        return ()

    def piles(self) -> Mapping[str, Pile]:
        """The piles that lie there, by the names in their shuffles' purpose."""
        return {}

    def cards_off_piles(self) -> Iterable[Card]:
        """The cards of these piles that are in somebody's hands."""
        return ()

    def with_pile(self, _name: str, _pile: Pile) -> Self:
        """The same with this pile laid so."""
        return self

    def shown_since(self, _earlier: Self, _seat: int) -> Iterable[Seen]:
        """What of a seat's hidden cards here was shown since; coins and piles are looked at by themselves."""
        return ()
