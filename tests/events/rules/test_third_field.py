"""Buying the third field. Sections are those of the 104-card booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.log.disclosure import PUBLIC
from events.rules import errors
from events.rules.table.player_view import player_view
from tests.events.rules.games import Giving, all_games, standard_games
from tests.support.tables import classic_rules, rules_of, seat_with

CLASSIC = Giving(classic_rules())
RICH = ("stink",) * 6
"""Coins enough, whatever the third field costs."""


def test_the_third_field_costs_the_top_three_coins() -> None:
    """Bohnanza (104), bean fields: three coins go to the discards; rules of the house: the top ones, top first."""
    table = (
        CLASSIC(coins=("stink", "red", "soy", "blue"), discard_pile=("green",))
        .when(c.BuyField())
        .then(e.ThirdFieldBought(0, ("blue", "soy", "red")))
    )
    assert table.state.seats[0].coins == ("stink",)
    assert table.state.seats[0].fields == ((), (), ())
    assert table.state.discard_pile == ("green", "blue", "soy", "red")


def test_the_last_three_coins_are_enough() -> None:
    """Bohnanza (104), bean fields: the price is three coins, and none need be left."""
    table = (
        CLASSIC(coins=("stink", "red", "soy"))
        .when(c.BuyField())
        .then(e.ThirdFieldBought(0, ("soy", "red", "stink")))
    )
    assert table.state.seats[0].coins == ()


@pytest.mark.parametrize("coins", [0, 1, 2])
def test_fewer_than_three_coins_are_not_enough(coins: int) -> None:
    """Bohnanza (104), bean fields: the price is three coins."""
    CLASSIC(coins=("stink",) * coins).when(c.BuyField()).then_refused(errors.NotEnoughCoins)


@all_games
def test_nobody_borrows_coins(given: Giving) -> None:
    """Bohnanza (154), buying a third field: the coins of the others and of the bank are not there to be lent."""
    others = {1: seat_with(coins=RICH)}
    given(coins=("red",), others=others).when(c.BuyField()).then_refused(errors.NotEnoughCoins)


@all_games
def test_nobody_has_four_fields(given: Giving) -> None:
    """Bohnanza (104), bean fields: three rows at most, so there is one purchase a player."""
    bought = given(coins=RICH + RICH).when(c.BuyField()).then_among_others()
    assert len(bought.state.seats[0].fields) == 3
    bought.when(c.BuyField()).then_refused(errors.ThirdFieldOwned)


@all_games
def test_everybody_may_buy_at_any_time(given: Giving) -> None:
    """Bohnanza (104), other actions: the purchase is open on and off turn, in every phase; the duel: house."""
    for phase in given.phases:
        for seat in given.seats:
            table = given(phase=phase, others={seat: seat_with(coins=RICH)})
            after = table.when(c.BuyField(), by=seat).then_among_others()
            assert after.state.seats[seat].fields == ((), (), ())
            assert after.state.phase == phase


@all_games
def test_there_is_a_third_field_for_everybody(given: Giving) -> None:
    """Bohnanza (154), title page: seven cards, as many as there can be players; nobody comes too late."""
    table = given(others={seat: seat_with(coins=RICH) for seat in given.seats})
    for seat in given.seats:
        table = table.when(c.BuyField(), by=seat).then_among_others()
    assert {len(seat.fields) for seat in table.state.seats} == {3}


@all_games
def test_everybody_sees_a_third_field(given: Giving) -> None:
    """Bohnanza (104), bean fields: it lies before its buyer, open to all."""
    bought = given(coins=RICH).when(c.BuyField()).then_among_others()
    for viewer in (PUBLIC, *given.seats):
        assert player_view(bought.state, viewer)["seats"][0]["fields"] == [[], [], []]


def test_where_everybody_has_three_fields_none_is_for_sale() -> None:
    """Bohnanza (154), number of players: with 3 players everybody starts with three fields and buys none."""
    table = Giving(rules_of("extended", 3))(fields=((), (), ()), coins=RICH)
    table.when(c.BuyField()).then_refused(errors.ThirdFieldNotForSale)


@all_games
def test_a_new_field_takes_a_bean_at_once(given: Giving) -> None:
    """Bohnanza (104), bean fields: a purchase in the middle of planting makes room."""
    given(fields=(("stink",), ("red",)), coins=RICH) \
        .when(c.Plant(0)).then_refused(errors.FieldHoldsOtherBean) \
        .when(c.BuyField()).then_among_others() \
        .when(c.Plant(2)).then(e.BeanPlanted(0, 2, "blue"))  # fmt: skip


@standard_games
def test_a_new_field_makes_room_for_what_lies_aside(given: Giving) -> None:
    """Bohnanza (154), 3: who has no room for a card may buy the third field, off turn too."""
    full = seat_with(aside=("stink",), fields=(("red", "red"), ("soy",)), coins=RICH)
    given(phase="plant_aside", others={1: full}) \
        .when(c.PlantAside(1, 0), by=1).then_refused(errors.FieldHoldsOtherBean) \
        .when(c.BuyField(), by=1).then_among_others() \
        .when(c.PlantAside(1, 2), by=1).then(e.AsidePlanted(1, 1, 2, "stink"), e.PhaseBegan("draw"))  # fmt: skip
