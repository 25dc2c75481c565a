"""Third fields: two for all, bought in one's own turn. Sections of the Ladybohn booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.domain_events import UNKNOWN_CARD
from events.rules import errors
from events.rules.table.player_view import player_view
from tests.events.rules.ladybohn.tables import BABY, MISS, MISTER, PLAIN, table
from tests.support.tables import seat_with


def test_a_third_field_costs_the_top_three_coins() -> None:
    """3ème champ: the top cards of the stack, face up to the discards."""
    after = (
        table(coins=(PLAIN, MISTER, MISS, BABY))
        .when(c.BuyField())
        .then(e.ThirdFieldBought(0, (BABY, MISS, MISTER)))
    )
    assert after.state.discard_pile == (BABY, MISS, MISTER)
    after.when(c.BuyField()).then_refused(errors.ThirdFieldOwned)
    table(coins=(PLAIN,) * 2).when(c.BuyField()).then_refused(errors.NotEnoughCoins)


def test_it_takes_beans_like_the_other_two() -> None:
    """3ème champ: who bought it has three fields to plant on."""
    bought = table(
        hand=(MISTER, MISS), fields=(("blue_male",), ("soy_male",)), coins=(PLAIN,) * 3
    ).when(c.BuyField()).then_among_others()  # fmt: skip
    assert bought.state.seats[0].fields == (("blue_male",), ("soy_male",), ())
    bought.when(c.Plant(2)).then(e.BeanPlanted(0, 2, MISTER)) \
        .when(c.Plant(2)).then(e.BeanPlanted(0, 2, MISS), e.PhaseBegan("reveal")) \
        .when(c.Harvest(2)).then(e.FieldHarvested(0, 2, (MISTER, MISS), 2)) \
        .when(c.Harvest(3)).then_refused(errors.NoSuchField)  # fmt: skip


@pytest.mark.parametrize("phase", ["plant", "reveal", "trade", "plant_aside", "draw"])
def test_it_is_bought_in_ones_own_turn_only(phase: str) -> None:
    """3ème champ: only during one's own turn, in every phase of it."""
    before = table(phase=phase, coins=(PLAIN,) * 3, others={1: seat_with(coins=(PLAIN,) * 3)})
    before.when(c.BuyField(), by=1).then_refused(errors.NotYourTurn)
    before.when(c.BuyField()).then(e.ThirdFieldBought(0, (PLAIN,) * 3))


def test_there_are_only_two() -> None:
    """3ème champ: when two players have bought theirs, the others do with two fields."""
    owner = seat_with(fields=((), (), ()))
    table(coins=(PLAIN,) * 3, others={1: owner}).when(c.BuyField()).then(e.ThirdFieldBought(0, (PLAIN,) * 3))
    table(coins=(PLAIN,) * 3, others={1: owner, 2: owner}).when(c.BuyField()).then_refused(
        errors.NoThirdFieldLeft
    )


def test_unseen_coins_are_shown_as_they_are_spent() -> None:
    """Rules of the house: those below them in the stack stay unseen."""
    after = (
        table(coins=(PLAIN, MISTER, MISS, BABY, "soy_male"), unseen=((0, 0), (0, 2), (0, 3)))
        .when(c.BuyField())
        .then(e.CoinsShown(0, (2, 3), (MISS, BABY)), e.ThirdFieldBought(0, ("soy_male", BABY, MISS)))
    )
    assert player_view(after.state, 0)["seats"][0]["coins"] == [UNKNOWN_CARD, MISTER]
