"""The life-line of one card: every entry that touched it, from the draw pile to the next shuffle.

Of a game that went back it is followed along what counts.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from events import domain_events as e
from events.rules.table.state import INITIAL_STATE
from replay.timeline.search.card_places import CardPlaces
from replay.timeline.timeline import Timeline

LIES, SHUFFLED, LOST = "lies", "shuffled", "lost"
"""How a life-line ends: the card still lies somewhere, was shuffled, or went where the viewer does not see."""
_HAND: Final = re.compile(r"seat:(0|[1-9][0-9]?)/([1-9][0-9]{0,5})")
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,6}")


class NoSuchCard(ValueError):
    """No card has that number, or the viewer never sees which one it is; the message says what there is."""


@dataclass(frozen=True, slots=True)
class LifeLine:
    """What happened to a card.

    Attributes:
        card: its number in the order in which cards left the draw pile.
        versions: the entries that touched it.
        ends: how it ends: LIES, SHUFFLED or LOST.
        until: the version up to which it can be followed.
    """

    card: int
    versions: tuple[int, ...]
    ends: str
    until: int


def life_line(timeline: Timeline, named: str) -> LifeLine:
    """The life-line of a card, as the timeline's viewer can follow it.

    Args:
        timeline: the game as the viewer sees it.
        named: `37`, the 37th card that left the draw pile, or `seat:1/7`, number 7 in the hand of seat 1.

    Raises:
        NoSuchCard: there is none, or the viewer cannot tell.
    """
    by_hand = _HAND.fullmatch(named)
    if by_hand is None and not _NUMBER.fullmatch(named):
        raise NoSuchCard(
            f"{named[:40]!r} names no card; say 37 for the 37th card drawn, or seat:1/7 for a hand's"
        )
    wanted = None if by_hand else int(named)
    touched: dict[int, list[int]] = defaultdict(list)
    ends, until = LIES, timeline.last
    for version, places, cards, shuffled in _follow(timeline):
        for card in cards:
            touched[card].append(version)
        if by_hand and wanted is None:
            wanted = places.in_hand(int(by_hand[1]), int(by_hand[2]))
        if wanted in touched and ends == LIES:
            if shuffled and wanted in cards:
                ends, until = SHUFFLED, version
            elif not places.in_sight(wanted):
                ends, until = LOST, version
    if wanted not in touched:
        drawn = max(touched, default=0)
        what = (
            f"only {drawn} cards have left the draw pile"
            if not by_hand
            else "no such card is seen in that hand"
        )
        raise NoSuchCard(f"there is no card {named}: {what}")
    return LifeLine(wanted, tuple(touched[wanted]), ends, until)


def _follow(timeline: Timeline) -> Iterator[tuple[int, CardPlaces, frozenset[int], bool]]:
    """Each version that counts, where the cards lie then, which were touched, and whether by a shuffle."""
    places, before = CardPlaces(), INITIAL_STATE
    for version in timeline.effective_history().select_effective(range(1, timeline.last + 1)):
        step = timeline.at(version)
        cards = places.follow(before, step.event)
        yield step.version, places, cards, isinstance(step.event, e.PileShuffled)
        before = step.state
