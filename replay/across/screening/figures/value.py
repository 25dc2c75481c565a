"""The value function of the screens: what lies before a seat, in coins. Fixed and published in docs/screening.md.

It knows no strategy and no chance. A seat has its coins; each field counts by its beanometer, as a line from step to
step; each card that has to be planted counts with what it adds to the fields; a hand card counts half of that.
A card that grows nowhere takes an empty field where there is one, and counts nothing where there is none.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from events.domain_events import Card
from events.rules.definition.rule_system import Rules
from events.rules.table.state import GameState

VALUE_FUNCTION: Final = "fields-1"
"""Its name; another function gets another one."""
IN_HAND: Final = 0.5
"""How much of what a card adds to the fields counts while it is in the hand."""


@dataclass(frozen=True, slots=True)
class Holding:
    """What lies before a seat, in varieties."""

    coins: int
    fields: tuple[tuple[str, int], ...]
    """The variety and the number of beans; an empty field has none."""
    to_plant: tuple[str, ...]
    """What lies aside, and for the active player the revealed cards."""
    hand: tuple[str, ...]

    def after_trade(self, gets: Iterable[str], gives: Iterable[str]) -> "Holding | None":
        """After a trade, paid from the hand first; None where the seat does not have what is to be given."""
        to_plant, hand = Counter(self.to_plant), Counter(self.hand)
        for variety, count in Counter(gives).items():
            from_hand = min(count, hand[variety])
            hand[variety] -= from_hand
            to_plant[variety] -= count - from_hand
            if to_plant[variety] < 0:
                return None
        to_plant.update(gets)
        return replace(self, to_plant=tuple(to_plant.elements()), hand=tuple(hand.elements()))


class ValueFunction:
    """Values what lies before a seat by the rules of its game."""

    def __init__(self, rules: Rules) -> None:
        """Take each variety's beanometer from its most frequent card."""
        frequent: dict[str, int] = {}
        self._variety: Mapping[Card, str] = rules.variety
        self._lines: dict[str, tuple[float, ...]] = {}
        for card, copies in rules.copies.items():
            variety = rules.variety[card]
            if copies > frequent.get(variety, 0):
                frequent[variety] = copies
                self._lines[variety] = _line(rules.pay[card])

    def varieties(self, cards: Iterable[Card]) -> tuple[str, ...]:
        """The varieties of cards; what is a variety already stays one, and what is hidden is left out."""
        return tuple(found for card in cards if (found := self._variety.get(card, card)) in self._lines)

    def holding(self, state: GameState, seat: int) -> Holding:
        """What lies before a seat."""
        own = state.seats[seat]
        aside = [card for _, card in own.aside]
        if state.turn and state.active == seat:
            aside += [card for _, card in state.revealed]
        return Holding(
            coins=len(own.coins),
            fields=tuple(
                (self._variety.get(field[-1], field[-1]), len(field)) if field else ("", 0)
                for field in own.fields
            ),
            to_plant=self.varieties(aside),
            hand=self.varieties(card for _, card in own.hand),
        )

    def value(self, holding: Holding) -> float:
        """What it is worth, in coins."""
        fields = list(holding.fields)
        grown = sum(self.field(variety, beans) for variety, beans in fields)
        planted = self._plant(fields, holding.to_plant)
        return holding.coins + grown + planted + IN_HAND * self._plant(fields, holding.hand)

    def field(self, variety: str, beans: int) -> float:
        """What a field counts: between two steps of its beanometer in proportion."""
        line = self._lines.get(variety)
        return line[min(beans, len(line) - 1)] if line else 0.0

    def _plant(self, fields: list[tuple[str, int]], cards: Sequence[str]) -> float:
        """What cards add to the fields, which change."""
        added, new = 0.0, []
        for variety, count in sorted(Counter(cards).items()):
            sizes = [beans for grown, beans in fields if grown == variety]
            if not sizes:
                new.append((self.field(variety, count), variety, count))
                continue
            most = max(sizes)
            added += self.field(variety, most + count) - self.field(variety, most)
            fields[fields.index((variety, most))] = (variety, most + count)
        new.sort(key=lambda each: (-each[0], each[1]))
        for worth, variety, count in new:
            if ("", 0) not in fields:
                break
            fields[fields.index(("", 0))] = (variety, count)
            added += worth
        return added


def _line(pay: Sequence[int]) -> tuple[float, ...]:
    """What so many beans count, from step to step.

    >>> _line((0, 0, 1, 1, 2, 2))
    (0.0, 0.5, 1.0, 1.5, 2.0, 2.0)
    """
    steps = [0, *(beans for beans in range(1, len(pay)) if pay[beans] > pay[beans - 1])]
    line = [float(pay[-1])] * len(pay)
    for low, high in pairwise(steps):
        for beans in range(low, high):
            line[beans] = pay[low] + (pay[high] - pay[low]) * (beans - low) / (high - low)
    return tuple(line)
