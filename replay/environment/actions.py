"""Actions: a fixed list for each rule system and table, in which what may be done now is marked.

An action says where things lie and not which number they have: the first card aside, the second open offer. So a
number means the same from the first turn to the last. What has more ways than anybody needs is capped: of the ways to
move a miss, to rotate a field or to pay for an offer the first is taken, offers give one card, and want one variety
or nothing. Talk, counter-offers, take-backs and leaving are no actions.
"""

from collections.abc import Callable, Iterable
from itertools import product
from typing import Final

from events import commands as c
from events.rules.definition.rule_system import Rules

HAND: Final = 6
"""So many places of a hand can be offered, from the front."""
LYING: Final = 6
"""So many cards that lie aside or revealed can be named."""
OFFERS: Final = 4
"""So many open offers can be answered, the oldest first."""
LONGEST_HAND: Final = 12
"""So many places of a hand can be discarded or given."""
HELD: Final = 3
"""So many bonus cards, moves of misses and payers of a levy can be told apart."""
FIELDS: Final = 3
Action = tuple[str | int, ...]
"""The type of a command and where it is done; `pass` for nothing."""
PASS: Final[Action] = ("pass",)


NOTHING: Final = ""
"""What an offer wants that is a gift."""
PLAIN: Final[dict[type[c.Command], str]] = {
    c.Reveal: "reveal",
    c.Draw: "draw",
    c.EndTrading: "end_trading",
    c.BuyField: "buy_field",
    c.AcceptGift: "accept_gift",
    c.KeepBonus: "keep_bonus",
}
"""The commands that say nothing but their type."""
PLACES: Final[dict[type[c.Command], tuple[str, int]]] = {
    c.Plant: ("plant", FIELDS),
    c.Harvest: ("harvest", FIELDS),
    c.Accept: ("accept", OFFERS),
    c.Decline: ("decline", OFFERS),
    c.Discard: ("discard", LONGEST_HAND),
    c.DiscardRevealed: ("discard_revealed", LYING),
    c.GiveRevealed: ("give_revealed", LYING),
    c.GiveFromHand: ("give_from_hand", LONGEST_HAND),
    c.ClaimBonus: ("claim_bonus", HELD),
    c.DiscardBonus: ("discard_bonus", HELD),
    c.SwapHand: ("swap_hand", 2),
    c.ChooseFan: ("choose_fan", 2),
    c.Levy: ("levy", HELD + 1),
    c.MoveMiss: ("move_miss", HELD),
}
"""The commands that say one place, and how many places there are."""


def actions_of(rules: Rules) -> tuple[Action, ...]:
    """Every action of a table, in the order of their numbers."""
    kinds = {kind for phase in rules.phases.values() for kind in phase.rules} | {*rules.system.any_time}
    found: list[Action] = [PASS]
    found += [(name,) for kind, name in PLAIN.items() if kind in kinds]
    found += [
        (name, place) for kind, (name, most) in PLACES.items() if kind in kinds for place in range(most)
    ]
    for kind, list_them in _OTHERS.items():
        if kind in kinds:
            found += list_them(rules)
    return tuple(found)


def _offers(rules: Rules) -> Iterable[Action]:
    wanted = (NOTHING, *rules.wantable)
    yield from product(("offer",), ("hand",), range(HAND), wanted)
    yield from product(("offer",), ("revealed",), range(HELD), wanted)
    yield from product(("request",), range(HELD), range(-1, HAND))


_OTHERS: Final[dict[type[c.Command], Callable[[Rules], Iterable[Action]]]] = {
    c.PlantAside: lambda _: product(("plant_aside",), range(LYING), range(FIELDS)),
    c.PlantRevealed: lambda _: product(("plant_revealed",), range(LYING), range(FIELDS)),
    c.OfferGift: lambda rules: product(("offer_gift",), rules.rising),
    c.CounterGift: lambda rules: product(("counter_gift",), rules.rising),
    c.Offer: _offers,
}
