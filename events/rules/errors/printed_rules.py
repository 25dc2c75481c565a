"""Where the printed rules speak of what: topics, and the section of a booklet that has each of them.

A refusal belongs to a topic; each rule system states where its booklets have the topics. So the same refusal sends
the players of every system to the page that lies before them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

BOHNANZA_104 = "Bohnanza (104 cards)"
BOHNANZA_154 = "Bohnanza (154 cards)"


class Topic(Enum):
    """What a part of the rules is about; the value says it to people."""

    PLAYERS = "how many may play, and what that changes"
    PREPARING = "shuffling, dealing and who begins"
    TURN = "whose turn it is, and the order of its phases"
    ENDING = "the end of the game"
    FIELDS = "the fields that a player has"
    VARIETIES = "what may grow on one field"
    GROWN_ALREADY = "where a variety goes that a player grows already"
    PLANTING = "planting from the hand"
    PLANTING_ASIDE = "planting what was kept or received"
    REVEALED = "the revealed cards"
    HAND = "giving cards from the hand"
    TRADING = "who trades with whom, and what for"
    SELLING = "harvesting and selling a field"
    PROTECTION = "fields with a single bean"
    THIRD_FIELD = "a third field"
    DRAWING = "drawing at the end of a turn"
    BABIES = "moving a miss when a baby is planted"
    FANS = "swapping a hand for a fan"
    ROTATION = "rotating a field after a harvest"
    MAKE_UP = "make-up beans, levies and the promises that bind them"
    GIFTS = "offering a gift and answering it"
    BLUFFS = "offering what one does not hold"
    BONUS = "bonus cards"


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a booklet, by the title that is printed over it."""

    booklet: str
    title: str

    def __str__(self) -> str:
        """Booklet and title, as a refusal names them."""
        return f"{self.booklet}, {self.title}"


HOUSE_RULE = Section("Fieldbook", "house rule")
"""What no booklet says; the page of the rule system in `docs/rules` has it."""


def in_booklet(booklet: str, titles: Mapping[Topic, str]) -> Mapping[Topic, Section]:
    """The sections of one booklet, from their titles."""
    return MappingProxyType({topic: Section(booklet, title) for topic, title in titles.items()})
