"""What the laws have to know about systems and events that differ: each says it here, in one line."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from events import domain_events as e
from events.rules.definition.rule_system import Rules
from events.rules.table.state import Field, GameState, Seat


@dataclass(frozen=True)
class Particulars:
    """Where a system differs from the laws that nearly all keep."""

    one_variety_a_field: bool = True
    """Only beans of one variety grow on a field."""
    scores_are_coins: bool = True
    """The score is the number of coins."""
    turns_after_the_end: int = 0
    """So many turns at most begin after the pile has run out for the last time."""


PARTICULARS = {
    "the-duel": Particulars(one_variety_a_field=False, scores_are_coins=False, turns_after_the_end=1)
}
"""By key of the system; a system that is not named keeps every law."""


def particulars(system: str) -> Particulars:
    """Where this system differs."""
    return PARTICULARS.get(system, Particulars())


REVEALED_IN = {
    "fans", "trade", "offered", "plant_revealed",
    "offer_gift", "answer_gift", "give", "plant_aside",
}  # fmt: skip
"""The phases in which cards may lie revealed between two commands."""
ASIDE_IN = {"trade", "plant_aside"}
"""The phases in which cards may lie aside between two commands."""

# --- cards of a hand ---------------------------------------------------------------------------------------


def _front(event: e.BeanPlanted, seat: int, hand: tuple[int, ...]) -> set[int]:
    return {hand[0]} if event.seat == seat else set()


def _traded(event: e.TradeMade, seat: int, _hand: tuple[int, ...]) -> set[int]:
    named = {event.active: event.active_hand, event.partner: event.partner_hand}
    return {*named.get(seat, ())}


def _discarded(event: e.HandCardDiscarded, seat: int, _hand: tuple[int, ...]) -> set[int]:
    return {event.number} if event.seat == seat else set()


def _given(event: e.GiftGiven, seat: int, _hand: tuple[int, ...]) -> set[int]:
    return {*event.hand} if event.seat == seat else set()


def _swapped(event: e.HandSwapped, seat: int, hand: tuple[int, ...]) -> set[int]:
    return {*hand} if event.seat == seat else set()


LEAVES_HAND: dict[type[e.DomainEvent], Callable[[Any, int, tuple[int, ...]], set[int]]] = {
    e.BeanPlanted: _front,
    e.TradeMade: _traded,
    e.HandCardDiscarded: _discarded,
    e.GiftGiven: _given,
    e.HandSwapped: _swapped,
}
"""For each event by which cards leave hands: the numbers that leave the hand of a seat, which held these."""
JOINS_HAND: tuple[type[e.DomainEvent], ...] = (e.HandDealt, e.CardsDrawn, e.HandSwapped)
"""The events by which cards join the back of a hand."""

# --- coins -------------------------------------------------------------------------------------------------

CoinLaw = Callable[[Rules, GameState, Any, GameState], None]
"""Checks the coins of the event's seat: rules, the table before, the event, the table after."""


def _harvested(rules: Rules, before: GameState, event: e.FieldHarvested, after: GameState) -> None:
    old, new = _seats(before, event.seat, after)
    sold = old.fields[event.field]
    assert event.coins in _pay(rules, before, event)
    assert new.coins == old.coins + tuple(reversed(sold))[: event.coins]
    assert after.discard_pile == before.discard_pile + sold[: len(sold) - event.coins]
    assert new.fields[event.field] == ()


def _pay(rules: Rules, before: GameState, event: e.FieldHarvested) -> set[int]:
    sold = before.seats[event.seat].fields[event.field]
    beans = {bean.card: bean for bean in rules.catalogue.beans}
    if beans[sold[-1]].sold == "make_up":
        return {0} if len(sold) < 5 else {1} if event.final else {0, 1}
    quota = before.ladybohn_expansion is not None and (before.ladybohn_expansion.quota, 2) == (
        event.seat,
        event.field,
    )
    if quota and all(beans[card].sex == "male" for card in sold):
        return {0}
    return {_by_beanometer(rules, sold)}


def _by_beanometer(rules: Rules, sold: Field) -> int:
    (beanometer,) = (bean.beanometer for bean in rules.catalogue.beans if bean.card == sold[-1])
    return max((int(coins) for coins, needed in beanometer.items() if needed <= len(sold)), default=0)


def _paid_from_piles(rules: Rules, before: GameState, event: e.FieldPaidFromPiles, after: GameState) -> None:
    old, new = _seats(before, event.seat, after)
    sold = old.fields[event.field]
    sources = (*reversed(before.discard_pile), *before.draw_pile, *reversed(sold))
    if before.discard_pile or before.draw_pile:
        assert _by_beanometer(rules, sold) > len(sold) or sold[-1] in rules.setup.paid_from_piles
    assert new.coins == old.coins + sources[: _by_beanometer(rules, sold)]
    assert new.fields[event.field] == ()


def _shown(_rules: Rules, before: GameState, event: e.CoinsShown, after: GameState) -> None:
    old, new = _seats(before, event.seat, after)
    assert new.coins == old.coins
    assert event.cards == tuple(old.coins[place] for place in event.places)


def _bought(rules: Rules, before: GameState, event: e.ThirdFieldBought, after: GameState) -> None:
    old, new = _seats(before, event.seat, after)
    price = rules.setup.third_field_price
    assert price is not None
    paid = tuple(reversed(old.coins[-price:]))
    assert new.coins == old.coins[:-price]
    assert new.fields == (*old.fields, ())
    boxed = rules.setup.third_field_boxed
    assert after.discard_pile == before.discard_pile + (() if boxed else paid)
    assert after.box == before.box + (paid if boxed else ())


def _dealt(_rules: Rules, before: GameState, event: e.CoinsDealt, after: GameState) -> None:
    old, new = _seats(before, event.seat, after)
    assert event.cards == before.draw_pile[: len(event.cards)]
    assert new.coins == old.coins + event.cards


def _paid(_rules: Rules, before: GameState, event: e.BluffPaid, after: GameState) -> None:
    bluffer, paid = _seats(before, event.seat, after)
    accepter, gained = _seats(before, event.to, after)
    assert bluffer.coins
    assert paid.coins == bluffer.coins[:-1]
    assert gained.coins == accepter.coins + bluffer.coins[-1:]


def _levied(_rules: Rules, before: GameState, event: e.CoinsLevied, after: GameState) -> None:
    old, new = _seats(before, event.seat, after)
    assert new.coins == old.coins + tuple(before.seats[payer].coins[-1] for payer in event.payers)
    for payer in event.payers:
        assert after.seats[payer].coins == before.seats[payer].coins[:-1]


def _seats(before: GameState, seat: int, after: GameState) -> tuple[Seat, Seat]:
    return before.seats[seat], after.seats[seat]


COIN_LAWS: dict[type[e.DomainEvent], CoinLaw] = {
    e.FieldHarvested: _harvested,
    e.FieldPaidFromPiles: _paid_from_piles,
    e.CoinsShown: _shown,
    e.ThirdFieldBought: _bought,
    e.CoinsDealt: _dealt,
    e.BluffPaid: _paid,
    e.CoinsLevied: _levied,
}
"""Every event that changes coin stacks, with what it does to them."""
