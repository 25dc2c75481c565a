"""Buying the third field. Sections are those of the 104-card booklet."""

from itertools import product

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from tests.support.given import given
from tests.support.tables import rules_of, seat_with

PHASES = ("plant", "reveal", "trade", "plant_aside", "draw")


def test_the_third_field_costs_the_top_three_coins() -> None:
    """Bohnanza (104), bean fields: three coins go to the discards; rules of the house: the top ones, top first."""
    table = (
        given(coins=("stink", "red", "soy", "blue"), discard_pile=("green",))
        .when(c.BuyField())
        .then(e.ThirdFieldBought(0, ("blue", "soy", "red")))
    )
    assert table.state.seats[0].coins == ("stink",)
    assert table.state.seats[0].fields == ((), (), ())
    assert table.state.discard_pile == ("green", "blue", "soy", "red")


def test_the_last_three_coins_are_enough() -> None:
    """Bohnanza (104), bean fields: the price is three coins, and none need be left."""
    table = (
        given(coins=("stink", "red", "soy"))
        .when(c.BuyField())
        .then(e.ThirdFieldBought(0, ("soy", "red", "stink")))
    )
    assert table.state.seats[0].coins == ()


@pytest.mark.parametrize("coins", [0, 1, 2])
def test_fewer_than_three_coins_are_not_enough(coins: int) -> None:
    """Bohnanza (104), bean fields: the price is three coins."""
    given(coins=("stink",) * coins).when(c.BuyField()).then_refused(errors.NotEnoughCoins)


def test_nobody_has_four_fields() -> None:
    """Bohnanza (104), bean fields: three rows at most, so there is one purchase a player."""
    given(coins=("stink",) * 6).when(c.BuyField()).then_among_others(e.ThirdFieldBought(0, ("stink",) * 3)) \
        .when(c.BuyField()).then_refused(errors.ThirdFieldOwned)  # fmt: skip


@pytest.mark.parametrize(("phase", "seat"), [*product(PHASES, (0, 1, 2))])
def test_everybody_may_buy_at_any_time(phase: str, seat: int) -> None:
    """Bohnanza (104), other actions: the purchase is open on and off turn, in every phase."""
    given(phase=phase, others={seat: seat_with(coins=("stink",) * 3)}).when(c.BuyField(), by=seat).then(
        e.ThirdFieldBought(seat, ("stink",) * 3)
    )


def test_where_everybody_has_three_fields_none_is_for_sale() -> None:
    """Bohnanza (154), number of players: with 3 players everybody starts with three fields and buys none."""
    table = given(rules=rules_of("extended", 3), fields=((), (), ()), coins=("stink",) * 6)
    table.when(c.BuyField()).then_refused(errors.ThirdFieldNotForSale)


def test_a_new_field_takes_a_bean_at_once() -> None:
    """Bohnanza (104), bean fields: a purchase in the middle of planting makes room."""
    given(fields=(("stink",), ("red",)), coins=("soy",) * 3) \
        .when(c.Plant(0)).then_refused(errors.FieldHoldsOtherBean) \
        .when(c.BuyField()).then(e.ThirdFieldBought(0, ("soy",) * 3)) \
        .when(c.Plant(2)).then(e.BeanPlanted(0, 2, "blue"))  # fmt: skip
