"""The cards that occur in a page, each named once; everything else names them by their place in that list.

A card that does not occur for the viewer of a page is not in it: not even its name. What has to fit together with
other answers about the game begins with its whole catalogue instead, so that a number means the same in all of them.
"""

import zlib
from collections.abc import Iterable
from itertools import groupby
from typing import Final, Self

from events.domain_events import UNKNOWN_CARD, Card
from events.rules.catalogues.catalogue import Catalogue
from replay.commentary import Commentary

HIDDEN: Final = 0
"""The place of a card that the viewer may not see."""
Run = tuple[int, int]
"""So many neighbours of one card: count and card."""
Numbered = tuple[int, int]
"""A card with the number by which commands name it: number and card."""
_COLOURS: Final = frozenset(
    {
        "black_eyed",
        "blue",
        "chili",
        "cocoa",
        "coffee",
        "garden",
        "green",
        "make_up",
        "red",
        "soy",
        "stink",
        "wax",
    }
)
_OTHERS: Final = 6
"""Colours for varieties that no shipped deck has."""


class Cards:
    """The cards met so far.

    Attributes:
        known: for each its name, its short name, and the colour of its variety.
    """

    def __init__(self, tell: Commentary) -> None:
        """Name the cards of this game in this language; the hidden one is always there."""
        self._tell = tell
        self._places = {UNKNOWN_CARD: HIDDEN}
        self.known: list[tuple[str, str, str]] = [(tell.names.card(UNKNOWN_CARD), UNKNOWN_CARD, "hidden")]

    @classmethod
    def of_catalogue(cls, tell: Commentary, catalogue: Catalogue) -> Self:
        """All cards of a catalogue in its order, then its varieties that have other names than their cards.

        The numbers depend on nothing else: neither on the viewer nor on what has happened.
        """
        cards = cls(tell)
        for name in (*(bean.card for bean in catalogue.beans), *(bean.variety for bean in catalogue.beans)):
            cards.place(name)
        return cards

    @property
    def keys(self) -> list[Card]:
        """For each its key in the catalogue, by which commands name it; `?` for the hidden one."""
        return [*self._places]

    def place(self, card: Card) -> int:
        """Where this card stands in the list."""
        place = self._places.get(card)
        if place is None:
            place = self._places[card] = len(self.known)
            names = self._tell.names
            self.known.append((names.card(card), names.short(card), colour_of(names.variety(card))))
        return place

    def runs(self, cards: Iterable[Card]) -> list[Run]:
        """Cards in their order, neighbours of a kind together."""
        return [(len([*run]), self.place(card)) for card, run in groupby(cards)]

    def numbered(self, cards: Iterable[tuple[int, Card]]) -> list[Numbered]:
        """Cards with their numbers."""
        return [(number, self.place(card)) for number, card in cards]


def colour_of(variety: str) -> str:
    """The name of a colour in the style sheet; a variety of an owner's deck gets one of a few others.

    >>> colour_of("chili"), colour_of("okra")
    ('chili', 'other-4')
    """
    return variety if variety in _COLOURS else f"other-{zlib.crc32(variety.encode()) % _OTHERS}"
