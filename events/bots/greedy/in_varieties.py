"""Thinking in varieties: where a variety has cards of several sexes, the greedy bot sees beans of one variety.

What it weighs is then the same as in a game without sexes. What it sends names cards by number and wants by variety,
so it fits the game as it is. Only what its own fields pay now is looked up by their real cards.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import msgspec

from events.bots.situation import Situation
from events.domain_events import Card
from events.rules.catalogues.catalogue import Bean
from events.rules.definition.rule_system import Rules
from events.rules.systems.ladybohn_expansion.make_up import FOR_A_FIELD, FOR_A_LEVY, THIRD, pay

WORTH_OF_A_FIELD = 1
"""What a third field for nothing is worth, in coins."""
WORTH_OF_A_LEVY = 3
"""What five make-up beans are worth: a coin and what a levy brings."""


def in_varieties(situation: Situation) -> Situation:
    """The situation with the variety in place of every card; the same one where they do not differ.

    The own seat says in `pays` what each of its fields would bring now.
    """
    rules = situation.rules
    if all(card == variety for card, variety in rules.variety.items()):
        return situation
    thought = _rules_in_varieties(rules, third_field=situation.own["third_field"])
    view = _view_in_varieties(rules.variety, situation.view)
    view["seats"][situation.seat]["pays"] = _pays(situation, thought)
    return replace(
        situation,
        rules=thought,
        view=view,
        offers_made=tuple(
            msgspec.structs.replace(made, hand_cards=_varieties(rules.variety, made.hand_cards))
            for made in situation.offers_made
        ),
    )


def _rules_in_varieties(rules: Rules, *, third_field: bool) -> Rules:
    """Rules by which a variety pays what its most frequent card pays: its males, where it has any."""
    frequent: dict[str, Bean] = {}
    for bean in rules.beans.values():
        if bean.variety not in frequent or bean.copies > frequent[bean.variety].copies:
            frequent[bean.variety] = bean
    most = len(rules.deck)
    pays = {
        variety: _make_up_pays(most, third_field=third_field)
        if bean.sold == "make_up"
        else rules.pay[bean.card]
        for variety, bean in frequent.items()
    }
    itself = {variety: variety for variety in rules.varieties}
    return replace(rules, pay=pays, copies=rules.varieties, variety=itself)


@cache
def _make_up_pays(most: int, *, third_field: bool) -> tuple[int, ...]:
    """What make-up beans are worth to who has a third field already, or has none."""
    few = 0 if third_field else WORTH_OF_A_FIELD
    return tuple(
        WORTH_OF_A_LEVY if beans >= FOR_A_LEVY else few if beans >= FOR_A_FIELD else 0
        for beans in range(most + 1)
    )


def _pays(situation: Situation, thought: Rules) -> list[int]:
    """What each own field brings if it is harvested now."""
    rules, pays = situation.rules, []
    for number, field in enumerate(situation.own["fields"]):
        if not field:
            pays.append(0)
        elif rules.beans[field[-1]].sold == "make_up":
            pays.append(thought.pay[rules.variety[field[-1]]][len(field)])
        else:
            quota = number == THIRD and situation.view.get("quota_field") == situation.seat
            pays.append(pay(rules, tuple(field), quota=quota))
    return pays


def _view_in_varieties(variety: Mapping[Card, str], view: dict[str, Any]) -> dict[str, Any]:
    seen = view | {
        "discard_pile": _varieties(variety, view["discard_pile"]),
        "box": _varieties(variety, view["box"]),
        "revealed": _number_cards(variety, view["revealed"]),
        "seats": [_seat(variety, seat) for seat in view["seats"]],
        "offers": [_offer(variety, offer) for offer in view["offers"]],
    }
    if "fans" in view:
        seen["fans"] = [_varieties(variety, fan) for fan in view["fans"]]
    return seen


def _seat(variety: Mapping[Card, str], seat: dict[str, Any]) -> dict[str, Any]:
    hand = dict(seat["hand"])
    if "cards" in hand:
        hand["cards"] = _number_cards(variety, hand["cards"])
    return seat | {
        "hand": hand,
        "fields": [_varieties(variety, field) for field in seat["fields"]],
        "coins": _varieties(variety, seat["coins"]),
        "aside": _number_cards(variety, seat["aside"]),
    }


def _offer(variety: Mapping[Card, str], offer: dict[str, Any]) -> dict[str, Any]:
    want: dict[str, int] = {}
    for name, count in offer["want"].items():
        want[variety.get(name, name)] = want.get(variety.get(name, name), 0) + count
    return offer | {"hand_cards": _varieties(variety, offer["hand_cards"]), "want": want}


def _number_cards(variety: Mapping[Card, str], cards: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each | {"card": variety.get(each["card"], each["card"])} for each in cards]


def _varieties(variety: Mapping[Card, str], cards: Iterable[Card]) -> tuple[str, ...]:
    return tuple([variety.get(card, card) for card in cards])
