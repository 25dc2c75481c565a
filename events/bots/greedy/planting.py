"""How the greedy bot plants, harvests and buys."""

from events import commands as c
from events.bots.greedy.evaluation import Valuation, growing, valuation_for
from events.bots.greedy.plans import find_cheapest_harvest, gain_in_order, orders
from events.bots.situation import Situation, cards_of
from events.domain_events import Card

CLEAR_GAIN = 0.4
"""A field is harvested for an optional card only where that gains so much."""
WORTH_A_FIELD = 100
"""A third field pays for itself when so many cards are still to come."""


def plant_from_hand(situation: Situation) -> c.Command | None:
    """Phase 1: the front card is a must; the second is planted where it does no harm."""
    plants = [each for each in situation.legal if isinstance(each, c.Plant)]
    if plants:
        return plants[0]
    reveal = c.Reveal()
    valuation = valuation_for(situation)
    hand = cards_of(situation.own["hand"]["cards"])
    if reveal in situation.legal and (not hand or not _gains_by_harvest(situation, valuation, hand[0])):
        return reveal
    return make_room(situation, valuation, hand[1:])


def plant_aside(situation: Situation) -> c.Command | None:
    """Phase 3: what fits first; then new varieties in the order that costs least."""
    valuation = valuation_for(situation)
    fields = growing(situation.own["fields"])
    aside = situation.own["aside"]
    hand = cards_of(situation.own["hand"]["cards"])
    ways = orders(fields, cards_of(aside))
    best = max(ways, key=lambda order: gain_in_order(valuation, fields, order, hand))
    numbers = [each["number"] for each in aside if each["card"] == best[0]]
    for each in situation.legal:
        if isinstance(each, c.PlantAside) and each.card == numbers[0]:
            return each
    return make_room(situation, valuation, (*best[1:], *hand))


def make_room(situation: Situation, valuation: Valuation, coming: tuple[Card, ...]) -> c.Command | None:
    """Buy the third field, or harvest the field that is missed least."""
    if c.BuyField() in situation.legal and valuation.outlook.to_come >= WORTH_A_FIELD:
        return c.BuyField()
    victim = find_cheapest_harvest(valuation, growing(situation.own["fields"]), coming)
    return None if victim is None else _harvest(situation, victim)


def harvest_full_field(situation: Situation) -> c.Command | None:
    """Sell a field that more beans would not make worth more."""
    fields = situation.own["fields"]
    pay = situation.rules.pay
    pays = situation.own.get("pays") or [pay[field[-1]][len(field)] if field else 0 for field in fields]
    for number, field in enumerate(fields):
        if field and pays[number] >= pay[field[-1]][-1]:
            return _harvest(situation, number)
    return None


def _gains_by_harvest(situation: Situation, valuation: Valuation, card: Card) -> bool:
    fields = growing(situation.own["fields"])
    victim = find_cheapest_harvest(valuation, fields, ())
    if victim is None:
        return False
    return valuation.growth(card, 0) - valuation.loss(fields[victim]) >= CLEAR_GAIN


def _harvest(situation: Situation, number: int) -> c.Command | None:
    """Harvest the field, without a rotation; where make-up beans leave a choice, for the coin."""
    ways = (c.Harvest(number), c.Harvest(number, None, "coin"))
    return next((harvest for harvest in ways if harvest in situation.legal), None)
