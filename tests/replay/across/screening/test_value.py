"""The value function as docs/screening.md publishes it, on the deck of `classic`."""

import pytest

from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.definition.rule_system import rules_for
from events.rules.systems.registry import system_named
from replay.across.screening.figures.value import Holding, ValueFunction

SYSTEM = system_named("classic")
RULES = rules_for(SYSTEM, 4, {}, shipped_catalogue(SYSTEM.catalogue))
WORTH = ValueFunction(RULES)
CARD = max(RULES.pay, key=lambda card: RULES.copies[card])
STEPS = [beans for beans in range(1, 20) if RULES.pay[CARD][beans] > RULES.pay[CARD][beans - 1]]
OTHER = next(card for card in RULES.pay if card != CARD)


def test_a_field_on_a_step_counts_what_it_pays_and_between_steps_in_proportion() -> None:
    """One bean before the first coin counts its part of a coin."""
    assert WORTH.field(CARD, STEPS[1]) == RULES.pay[CARD][STEPS[1]]
    assert WORTH.field(CARD, 1) == pytest.approx(1 / STEPS[0])
    assert WORTH.field("", 0) == 0


def test_coins_fields_cards_to_plant_and_half_of_the_hand_are_added_up() -> None:
    """Each card with what it adds to the field on which it grows."""
    holding = Holding(coins=3, fields=((CARD, 1), (OTHER, 1)), to_plant=(CARD,), hand=(CARD,))
    expected = 3 + WORTH.field(CARD, 2) + WORTH.field(OTHER, 1)
    expected += (WORTH.field(CARD, 3) - WORTH.field(CARD, 2)) / 2

    assert WORTH.value(holding) == pytest.approx(expected)


def test_what_grows_nowhere_takes_an_empty_field_or_counts_nothing() -> None:
    """The best of it first."""
    full = Holding(coins=0, fields=((CARD, 1), (CARD, 2)), to_plant=(OTHER,), hand=())
    empty = Holding(coins=0, fields=((CARD, 1), ("", 0)), to_plant=(OTHER,), hand=())

    assert WORTH.value(full) == pytest.approx(WORTH.field(CARD, 1) + WORTH.field(CARD, 2))
    assert WORTH.value(empty) == pytest.approx(WORTH.field(CARD, 1) + WORTH.field(OTHER, 1))


def test_a_trade_is_paid_from_the_hand_first_and_only_by_who_can_pay() -> None:
    """What a seat does not have it cannot turn down."""
    holding = Holding(coins=0, fields=(("", 0),), to_plant=(OTHER,), hand=(OTHER, CARD))

    after = holding.after_trade(gets=(CARD,), gives=(OTHER,))
    assert after is not None
    assert (sorted(after.to_plant), after.hand) == (sorted((OTHER, CARD)), (CARD,))
    assert holding.after_trade(gets=(), gives=(OTHER, OTHER, OTHER)) is None
