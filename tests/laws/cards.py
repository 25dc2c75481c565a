"""Laws about cards: none appears or vanishes, and a hand is a queue."""

from collections import Counter
from functools import cache
from itertools import chain

from events.domain_events import Card, DomainEvent
from events.rules.definition.rule_system import Rules
from events.rules.table.state import GameState, NumberedCard
from tests.laws.particulars import JOINS_HAND, LEAVES_HAND
from tests.support.tables import all_cards

PLACES = ("seats", "draw_pile", "discard_pile", "box", "revealed", "duel", "ladybohn_expansion")
"""The parts of a state in which cards lie."""


def cards_are_conserved(rules: Rules, state: GameState) -> None:
    """Beans, those that became coins included, and bonus cards: no card appears, vanishes or changes."""
    assert all_cards(state) == _counted(rules.deck), "a card has appeared or vanished"
    if state.duel is None:
        return
    duel = state.duel
    held = Counter(chain(duel.pile, duel.discards, *(seat.bonus + seat.claimed for seat in duel.seats)))
    assert held == _counted(rules.bonus_deck), "a bonus card has appeared or vanished"


def no_event_changes_the_deck(rules: Rules, before: GameState, _event: DomainEvent, after: GameState) -> None:
    """From the first turn on every event leaves all cards on the table.

    Values of the state are shared as long as they stay the same, so where each place for cards is the very same
    object as before, no card has moved.
    """
    if after.turn and any(getattr(before, place) is not getattr(after, place) for place in PLACES):
        cards_are_conserved(rules, after)


@cache
def _counted(deck: tuple[Card, ...]) -> Counter[Card]:
    return Counter(deck)


def hands_keep_their_order(_rules: Rules, before: GameState, event: DomainEvent, after: GameState) -> None:
    """Cards leave a hand only as the event says, and join it at the back with rising numbers."""
    for number, (old, new) in enumerate(zip(before.seats, after.seats, strict=False)):
        if old is new or old.hand == new.hand:
            continue
        kept = tuple(card for card in new.hand if card in old.hand)
        joined = new.hand[len(kept) :]
        assert new.hand == kept + joined, "a card has joined a hand elsewhere than at its back"
        assert [card for card in old.hand if card in kept] == [*kept], "a hand was reordered"
        assert _numbers(joined) == (*range(old.next_number, new.next_number),)
        leaves = LEAVES_HAND.get(type(event))
        gone = {*_numbers(old.hand)} - {*_numbers(kept)}
        assert gone == (leaves(event, number, _numbers(old.hand)) if leaves else set())
        assert not joined or isinstance(event, JOINS_HAND), "this event deals no cards"


def _numbers(cards: tuple[NumberedCard, ...]) -> tuple[int, ...]:
    return tuple(number for number, _ in cards)
