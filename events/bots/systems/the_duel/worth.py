"""What beans are worth in `the-duel`, where a field may grow several varieties: what they add to the best field.

Everything is in coins. Of the own seat the bonus cards in hand are known, and a field that begins one is worth more.
"""

from collections.abc import Iterable, Sequence

from events.bots.greedy.evaluation import EMPTY_FIELD, between
from events.bots.situation import Situation
from events.domain_events import Card
from events.rules.definition.rule_system import Rules

COMING = 1.2
"""So many more cards a field may be expected to get."""
HOPED_FOR = 0.6
"""How much of a bonus card counts at most for a field that still lacks some of its sequence."""

Field = Sequence[Card]


def fields_of(situation: Situation, seat: int) -> Sequence[Field]:
    """The fields of a seat."""
    fields: Sequence[Field] = situation.view["seats"][seat]["fields"]
    return fields


def pays(situation: Situation, field: Field) -> int:
    """What a field pays now."""
    return situation.rules.pay[field[-1]][len(field)] if field else 0


def gain(situation: Situation, seat: int, field: Field, card: Card) -> float:
    """What a card adds to a field of the seat."""
    return _worth(situation, seat, (*field, card)) - _worth(situation, seat, field)


def best_gain(situation: Situation, seat: int, card: Card) -> float:
    """What a card adds to the fields of a seat, with a harvest where it fits nowhere."""
    fields = fields_of(situation, seat)
    opened = situation.rules.system.fields_for
    numbers = opened(situation.rules, tuple(map(tuple, fields)), card) if opened is not None else ()
    if numbers:
        return max(gain(situation, seat, fields[number], card) for number in numbers)
    return max(gain(situation, seat, (), card) - loss(situation, seat, field) for field in fields)


def loss(situation: Situation, seat: int, field: Field) -> float:
    """What harvesting a field now gives up."""
    return _worth(situation, seat, field) - pays(situation, field) - EMPTY_FIELD


def begun(sequence: tuple[Card, ...], field: Field) -> int:
    """How many of the first symbols are the top cards of a field."""
    most = min(len(sequence), len(field))
    return max((size for size in range(1, most + 1) if tuple(field[-size:]) == sequence[:size]), default=0)


def promise(rules: Rules, name: Card, fields: Iterable[Field]) -> float:
    """What a bonus card may bring, by how much of its sequence is on top of one of these fields: a coin and cents."""
    bonus = rules.bonus[name]
    part = max((begun(bonus.sequence, field) for field in fields), default=0) / len(bonus.sequence)
    return (1.0 if part == 1 else HOPED_FOR * part**2) * (1 + bonus.cents / 100)


def _worth(situation: Situation, seat: int, field: Field) -> float:
    """What a field may be expected to pay in the end."""
    if not field:
        return EMPTY_FIELD
    pay = situation.rules.pay[field[-1]]
    expected = max(float(pay[len(field)]), between(pay, min(len(field) + COMING, len(pay) - 1)))
    return expected + (_bonus(situation, field) if seat == situation.seat else 0.0)


def _bonus(situation: Situation, field: Field) -> float:
    """What the own bonus card that a field promises most for may bring: a coin and its cents."""
    held: list[Card] = situation.view["duel"]["seats"][situation.seat]["bonus"]["cards"]
    return max((promise(situation.rules, name, (field,)) for name in held), default=0.0)
