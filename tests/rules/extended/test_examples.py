"""The examples of the 154-card booklet, played; and where a variety may grow twice."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from tests.support.given import given
from tests.support.tables import rules_of, seat_with

FIVE = rules_of("extended", 5)


@pytest.mark.parametrize(
    ("beans", "coins"), [(2, 0), (3, 1), (4, 1), (5, 2), (6, 2), (7, 3), (8, 4), (9, 4), (16, 4)]
)
def test_example_1_what_stink_beans_pay(beans: int, coins: int) -> None:
    """Bohnanza (154), example 1: 1 or 2 pay nothing, 3 or 4 one coin, 5 or 6 two, 7 three, 8 and more four."""
    field = ("stink",) * beans
    given(rules=FIVE, fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, coins))


def test_examples_2_to_4_a_soy_and_a_blue_bean_for_a_red_one() -> None:
    """Bohnanza (154), examples 2 to 4: one revealed card is kept, the other goes with a hand card; then all plant."""
    anne = seat_with(hand=("green", "red"))
    table = given(
        rules=FIVE, phase="reveal", hand=("chili", "blue"), others={1: anne}, draw_pile=("garden", "soy") * 9
    )
    planting = (
        table.when(c.Reveal())
        .then_among_others(e.CardsRevealed(0, ("garden", "soy")))
        .when(c.Offer(None, (2,), (2,), {"red": 1}))
        .then_among_others(e.OfferMade(1, 0, None, (2,), ("blue",), (2,), {"red": 1}))
        .when(c.Accept(1, (2,)), by=1)
        .then_among_others()
        .when(c.EndTrading())
        .then_among_others(e.TradingEnded(0, ("garden",)), e.PhaseBegan("plant_aside"))
    )
    assert planting.state.seats[0].aside == ((1, "red"), (2, "garden"))
    assert sorted(card for _, card in planting.state.seats[1].aside) == ["blue", "soy"]
    after = (
        planting.when(c.PlantAside(1, 0))
        .then(e.AsidePlanted(0, 1, 0, "red"))
        .when(c.PlantAside(2, 1))
        .then(e.AsidePlanted(0, 2, 1, "garden"))
    )
    assert after.state.seats[0].fields == (("red",), ("garden",))
    assert after.state.seats[0].hand == ((1, "chili"),)


def test_example_5_three_chili_beans_pay_one_coin() -> None:
    """Bohnanza (154), example 5: one card is turned over, two are discarded."""
    field = ("chili",) * 3
    after = given(rules=FIVE, fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, 1))
    assert after.state.seats[0].coins == ("chili",)
    assert after.state.discard_pile == ("chili", "chili")


def test_example_6_two_chili_beans_pay_nothing() -> None:
    """Bohnanza (154), example 6: at least three are needed for a coin."""
    field = ("chili",) * 2
    given(rules=FIVE, fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, 0))


@pytest.mark.parametrize(("beans", "coins"), [(1, 0), (2, 2), (3, 3), (4, 4)])
def test_cocoa_beans_pay_two_coins_at_once(beans: int, coins: int) -> None:
    """Bohnanza (154), bean cards: the beanometer of the cocoa bean begins with two coins."""
    field = ("cocoa",) * beans
    given(rules=FIVE, fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, coins))


def test_a_variety_that_grows_must_join_its_field() -> None:
    """Bohnanza (154), French booklet, 1: the card must be planted on the field of its variety."""
    table = given(rules=FIVE, fields=(("blue",), ()))
    table.when(c.Plant(1)).then_refused(errors.VarietyGrowsElsewhere)
    table.when(c.Plant(0)).then(e.BeanPlanted(0, 0, "blue"))


def test_a_variety_may_have_two_fields_by_option() -> None:
    """Bohnanza (154), Italian booklet, 1: it may be planted there; with the option also on an empty field."""
    rules = rules_of("extended", 5, {"duplicate_fields": True})
    table = given(rules=rules, fields=(("blue",), ()))
    table.when(c.Plant(0)).then(e.BeanPlanted(0, 0, "blue"))
    twice = table.when(c.Plant(1)).then(e.BeanPlanted(0, 1, "blue"))
    assert twice.state.seats[0].fields == (("blue",), ("blue",))
    given(rules=rules, fields=(("red",), ("blue",))).when(c.Plant(0)).then_refused(errors.FieldHoldsOtherBean)


def test_the_option_belongs_to_the_games_with_154_cards() -> None:
    """Rules of the house: `classic` has no such option, because its booklet forbids a second field."""
    with pytest.raises(errors.UnknownOption):
        rules_of("classic", 3, {"duplicate_fields": True})


def test_who_has_no_card_in_hand_reveals_at_once() -> None:
    """Bohnanza (154), 1: an active player without cards skips the step."""
    given(rules=FIVE, phase="draw", others={1: seat_with()}).when(c.Draw()).then_among_others(
        e.TurnBegan(1, 2), e.PhaseBegan("reveal")
    )


def test_with_one_card_left_one_is_revealed_and_the_turn_is_finished() -> None:
    """Bohnanza (154), end of the game: too few cards for two are one; the game ends with the end of step 3."""
    table = (
        given(rules=FIVE, phase="reveal", draw_pile=("red",), exhaustions=2)
        .when(c.Reveal())
        .then(e.CardsRevealed(0, ("red",)), e.PileExhausted("draw", 3), e.PhaseBegan("trade"))
    )
    table.when(c.EndTrading()).then_among_others(e.PhaseBegan("plant_aside")).when(
        c.PlantAside(1, 0)
    ).then_among_others(e.GameEnded((0,) * 5, (0,), "exhausted_before_drawing"))
