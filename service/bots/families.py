"""How the greedy bot plays where families have misters, misses and babies.

It thinks in families: every card that it sees stands for its family, and a family pays as its misters do. What the
sexes change is added here: what its own fields would really pay, which card to plant first, and where a miss goes.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from events import commands as c
from events.domain_events import Card
from events.rules.rule_system import Rules
from service.bots.evaluation import EMPTY_FIELD, valuation_for
from service.bots.situation import Situation

WORTH_SELLING = 0.3
"""A field with a miss on top is sold where that is so much better than letting it grow."""
_PLANTED_FIRST = ("baby", "", "male", "female")
"""Of what lies aside for one field a baby goes first, because it moves a miss, and a miss last, to stay on top."""


def has_families(rules: Rules) -> bool:
    """Whether some cards of the game have a sex."""
    return any(bean.sex for bean in rules.beans.values())


def in_families(situation: Situation) -> Situation:
    """The situation with every card called by its family; in other games the situation itself."""
    if not has_families(situation.rules):
        return situation
    rules, view = situation.rules, situation.view
    pays = [rules.coins_for(tuple(field)) if field else 0 for field in situation.own["fields"]]
    seats = [_seat(rules, seat) for seat in view["seats"]]
    seats[situation.seat]["pays"] = pays
    thought = {
        **view,
        "seats": seats,
        "revealed": _numbered(rules, view["revealed"]),
        "discard_pile": _called(rules, view["discard_pile"]),
        "box": _called(rules, view["box"]),
    }
    return replace(situation, rules=_rules(rules), view=thought)


def moved_miss(situation: Situation) -> c.Command | None:
    """A miss goes as far up as a trade lets her."""
    moves = [each for each in situation.legal if isinstance(each, c.MoveMiss)]
    return max(moves, key=lambda move: (move.miss + move.places, move.places), default=None)


def sold_miss(situation: Situation, thought: Situation) -> c.Command | None:
    """Sell a field with a miss on top that is worth more now than by growing on."""
    if not has_families(situation.rules):
        return None
    valuation = valuation_for(thought)
    for number, field in enumerate(situation.own["fields"]):
        harvest = c.Harvest(number)
        if field and situation.rules.beans[field[-1]].sex == "female" and harvest in situation.legal:
            grown = valuation.worth((situation.rules.variety[field[-1]], len(field)))
            if situation.rules.coins_for(tuple(field)) >= grown - EMPTY_FIELD + WORTH_SELLING:
                return harvest
    return None


def with_sexes(situation: Situation, chosen: c.Command | None) -> c.Command | None:
    """The planting chosen, with the best card for it and the best move of a miss."""
    if not has_families(situation.rules):
        return chosen
    match chosen:
        case c.Plant(field):
            plants = [each for each in situation.legal if isinstance(each, c.Plant) and each.field == field]
            return max(plants, key=_height, default=chosen)
        case c.PlantAside(_, field):
            return _best_aside(situation, field) or chosen
        case _:
            return chosen


def _best_aside(situation: Situation, field: int) -> c.PlantAside | None:
    sexes = {each["number"]: situation.rules.beans[each["card"]].sex for each in situation.own["aside"]}
    chosen = [each for each in situation.legal if isinstance(each, c.PlantAside) and each.field == field]
    if not situation.own["fields"][field]:
        return None
    return max(
        chosen, key=lambda each: (-_PLANTED_FIRST.index(sexes[each.card]), _height(each)), default=None
    )


def _height(planting: c.Plant | c.PlantAside) -> int:
    """How high the miss stands that a planting moves; as low as can be where it moves none."""
    return -1 if planting.miss is None else planting.miss + planting.places


def _rules(rules: Rules) -> Rules:
    """The rules with families for cards; a family pays as its misters do."""
    misters = {bean.variety: bean.card for bean in rules.beans.values() if bean.sex in {"male", ""}}
    cards = {family: misters.get(family, family) for family in rules.varieties}
    pay = {family: rules.pay.get(card, (0,) * (len(rules.deck) + 1)) for family, card in cards.items()}
    return replace(
        rules, copies=rules.varieties, pay=pay, variety={family: family for family in rules.varieties}
    )


def _seat(rules: Rules, seat: dict[str, Any]) -> dict[str, Any]:
    hand = seat["hand"]
    if "cards" in hand:
        hand = {**hand, "cards": _numbered(rules, hand["cards"])}
    return {
        **seat,
        "hand": hand,
        "fields": [_called(rules, field) for field in seat["fields"]],
        "coins": _called(rules, seat["coins"]),
        "aside": _numbered(rules, seat["aside"]),
    }


def _numbered(rules: Rules, cards: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**each, "card": rules.variety[each["card"]]} for each in cards]


def _called(rules: Rules, cards: Iterable[Card]) -> list[Card]:
    return [rules.variety.get(card, card) for card in cards]
