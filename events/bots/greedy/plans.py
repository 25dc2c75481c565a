"""Thinking a planting through: the known cards in their order, with the harvests that they force."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations

from events.bots.greedy.evaluation import EMPTY, Growing, Valuation
from events.domain_events import Card

NEARNESS = (1.0, 0.8, 0.65, 0.5, 0.4, 0.3)
"""How much a hand card counts by its place in the hand: what lies far back may still be traded away."""
KEPT_FOR_COMING = 0.3
"""How much dearer a field is for each card that is known to come for it."""
MANY_VARIETIES = 4
"""With more new varieties aside than these, trying out every order of planting would take too long."""


def gain_of_planting(
    valuation: Valuation, fields: Sequence[Growing], aside: Iterable[Card], hand: Sequence[Card]
) -> float:
    """The gain from planting what lies aside, in the best order, and then the hand."""
    return max(gain_in_order(valuation, fields, order, hand) for order in orders(fields, aside))


def orders(fields: Sequence[Growing], aside: Iterable[Card]) -> list[tuple[Card, ...]]:
    """The orders of planting worth considering: what fits first, then new varieties in every order."""
    grown = {card for card, _ in fields}
    counted: dict[Card, int] = {}
    for card in aside:
        counted[card] = counted.get(card, 0) + 1
    fitting: list[Card] = []
    new: list[Card] = []
    for card, count in counted.items():
        if card in grown:
            fitting += [card] * count
        else:
            new.append(card)
    if len(new) <= 1 or len(new) > MANY_VARIETIES:
        return [_all_of(fitting, new, counted)]
    return [_all_of(fitting, way, counted) for way in permutations(new)]


def _all_of(fitting: Sequence[Card], new: Sequence[Card], counted: Mapping[Card, int]) -> tuple[Card, ...]:
    """What fits, and then all cards of each new variety in turn."""
    order = list(fitting)
    for card in new:
        order += [card] * counted[card]
    return tuple(order)


def gain_in_order(
    valuation: Valuation, fields: Sequence[Growing], aside: Sequence[Card], hand: Sequence[Card]
) -> float:
    """The gain from planting what lies aside in this order, and then the hand."""
    now = list(fields)
    cards = (*aside, *hand)
    gain = 0.0
    for step in range(len(cards)):
        place = min(max(0, step - len(aside)), len(NEARNESS) - 1)
        gain += NEARNESS[place] * _plant(valuation, now, cards, step)
    return gain


def find_cheapest_harvest(
    valuation: Valuation, fields: Sequence[Growing], coming: Sequence[Card]
) -> int | None:
    """The field whose harvest costs least, with an eye on the cards known to come, if any is allowed."""
    best, least = None, 0.0
    for number in harvestable(valuation, fields):
        field = fields[number]
        loss = valuation.loss(field) + KEPT_FOR_COMING * coming.count(field[0])
        if best is None or loss < least:
            best, least = number, loss
    return best


def harvestable(valuation: Valuation, fields: Sequence[Growing]) -> list[int]:
    """The fields that bean protection lets a player harvest."""
    sizes = [beans for _, beans in fields]
    if max(sizes) > 1:
        return [number for number, beans in enumerate(sizes) if beans > 1]
    if valuation.strict and 0 in sizes:
        return []
    return [number for number, beans in enumerate(sizes) if beans]


def _plant(valuation: Valuation, fields: list[Growing], cards: Sequence[Card], step: int) -> float:
    """Plant the card of this step, harvesting what must be; the fields change, and the gain is returned."""
    card = cards[step]
    for number, (grown, beans) in enumerate(fields):
        if grown == card:
            fields[number] = (card, beans + 1)
            return valuation.growth(card, beans)
    lost = 0.0
    if EMPTY in fields:
        room = fields.index(EMPTY)
    else:
        victim = find_cheapest_harvest(valuation, fields, cards[step + 1 :])
        if victim is None:
            return 0.0
        room, lost = victim, valuation.loss(fields[victim])
    fields[room] = (card, 1)
    return valuation.growth(card, 0) - lost
