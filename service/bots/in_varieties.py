"""Thinking in varieties: where males and females share a field, the greedy bot sees beans of one variety.

What it weighs is then the same as in a game without them. What it sends names cards by number and wants by variety,
so it fits the game as it is.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import msgspec

from events.domain_events import Card
from events.rules.catalogue import Bean
from events.rules.rule_system import Rules
from service.bots.situation import Situation

MAKE_UP_WORTH = {3: 1, 5: 3}
"""What so many make-up beans are worth, in coins: a third field; a coin and what a levy brings."""


def in_varieties(situation: Situation) -> Situation:
    """The situation with the variety in place of every card; the same one where they do not differ."""
    rules = situation.rules
    if all(card == variety for card, variety in rules.variety.items()):
        return situation
    return replace(
        situation,
        rules=_rules_in_varieties(rules),
        view=_view_in_varieties(rules.variety, situation.view),
        offers_made=tuple(
            msgspec.structs.replace(made, hand_cards=_varieties(rules.variety, made.hand_cards))
            for made in situation.offers_made
        ),
    )


def _rules_in_varieties(rules: Rules) -> Rules:
    """Rules by which a variety pays what its most frequent card pays."""
    frequent: dict[str, Bean] = {}
    for bean in rules.beans.values():
        if bean.variety not in frequent or bean.copies > frequent[bean.variety].copies:
            frequent[bean.variety] = bean
    most = len(rules.deck)
    pay = {
        variety: _make_up_pay(most) if bean.sold == "make_up" else rules.pay[bean.card]
        for variety, bean in frequent.items()
    }
    itself = {variety: variety for variety in rules.varieties}
    return replace(rules, pay=pay, copies=rules.varieties, variety=itself)


@cache
def _make_up_pay(most: int) -> tuple[int, ...]:
    return tuple(
        max((worth for beans, worth in MAKE_UP_WORTH.items() if beans <= size), default=0)
        for size in range(most + 1)
    )


def _view_in_varieties(variety: Mapping[Card, str], view: dict[str, Any]) -> dict[str, Any]:
    seen = view | {
        "discard_pile": _varieties(variety, view["discard_pile"]),
        "revealed": _numbered(variety, view["revealed"]),
        "seats": [_seat(variety, seat) for seat in view["seats"]],
        "offers": [_offer(variety, offer) for offer in view["offers"]],
    }
    if "fans" in view:
        seen["fans"] = [_varieties(variety, fan) for fan in view["fans"]]
    return seen


def _seat(variety: Mapping[Card, str], seat: dict[str, Any]) -> dict[str, Any]:
    hand = dict(seat["hand"])
    if "cards" in hand:
        hand["cards"] = _numbered(variety, hand["cards"])
    return seat | {
        "hand": hand,
        "fields": [_varieties(variety, field) for field in seat["fields"]],
        "coins": _varieties(variety, seat["coins"]),
        "aside": _numbered(variety, seat["aside"]),
    }


def _offer(variety: Mapping[Card, str], offer: dict[str, Any]) -> dict[str, Any]:
    want: dict[str, int] = {}
    for name, count in offer["want"].items():
        want[variety.get(name, name)] = want.get(variety.get(name, name), 0) + count
    return offer | {"hand_cards": _varieties(variety, offer["hand_cards"]), "want": want}


def _numbered(variety: Mapping[Card, str], cards: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each | {"card": variety.get(each["card"], each["card"])} for each in cards]


def _varieties(variety: Mapping[Card, str], cards: Iterable[Card]) -> tuple[str, ...]:
    return tuple(variety.get(card, card) for card in cards)
