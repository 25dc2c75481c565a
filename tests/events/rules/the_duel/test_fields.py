"""The Duel, Règles de plantation and La récolte des haricots: mixed fields and what they pay."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.decide import play
from events.rules.table.state import Field
from tests.support.duels import given_duel, side

RISING = ("garden", "red", "black_eyed", "soy", "green", "stink", "chili", "blue")


@pytest.mark.parametrize("top", RISING)
@pytest.mark.parametrize("card", RISING)
def test_a_field_takes_the_same_or_the_next_higher_variety(top: str, card: str) -> None:
    """Règles de plantation: no step down, none left out; what lies deeper does not count."""
    table = given_duel(side((card, "red"), ((("garden", top)), (), ())), side())
    when = table.when(c.Plant(0))
    if RISING.index(card) - RISING.index(top) in (0, 1):
        when.then(e.BeanPlanted(0, 0, card))
    else:
        when.then_refused(errors.FieldHoldsOtherBean)


@pytest.mark.parametrize("card", RISING)
def test_a_card_taken_by_a_field_lies_on_top_of_it(card: str) -> None:
    """Les cartes sont plantées en les superposant: the field remembers the order, the newest card on top."""
    field = ("garden", "garden", card)
    planted = given_duel(side((card, "red"), (field, (), ())), side()).when(c.Plant(0)).then_among_others()
    assert planted.state.seats[0].fields == ((*field, card), (), ())


def test_several_varieties_grow_on_one_field() -> None:
    """Chaque champ peut contenir plusieurs variétés: up to all eight, and one variety on several fields."""
    table = given_duel(side(("blue", "red"), (RISING[:-1], ("blue",), ("chili",))), side())
    for field in range(3):
        planted = table.when(c.Plant(field)).then(e.BeanPlanted(0, field, "blue"))
        assert planted.state.seats[0].fields[field][-1] == "blue"


def test_an_empty_field_takes_any_bean_even_if_another_field_would_take_it() -> None:
    """Planter: start a row or go on with one."""
    given_duel(side(("red", "red"), (("red",), (), ())), side()).when(c.Plant(1)).then(
        e.BeanPlanted(0, 1, "red")
    )


def test_the_first_bean_is_a_must_the_second_is_not_and_there_is_no_third() -> None:
    """Planter une ou deux cartes de sa main."""
    table = given_duel(side(("red", "red", "red")), side())
    table.when(c.Reveal()).then_refused(errors.MustPlantFirst)
    once = table.when(c.Plant(0)).then(e.BeanPlanted(0, 0, "red"))
    once.when(c.Reveal()).then_among_others(e.CardsRevealed(0, ("green",) * 3))
    twice = once.when(c.Plant(0)).then(e.BeanPlanted(0, 0, "red"), e.PhaseBegan("reveal"))
    twice.when(c.Plant(0)).then_refused(errors.WrongPhase)


def test_who_cannot_plant_harvests_first() -> None:
    """Planter: no field fits, so one has to go."""
    fields = (("blue", "blue"), ("stink",), ("chili",))
    table = given_duel(side(("red", "red"), fields), side())
    for field in range(3):
        table.when(c.Plant(field)).then_refused(errors.FieldHoldsOtherBean)
    sold = table.when(c.Harvest(0)).then(e.FieldHarvested(0, 0, ("blue", "blue"), 0))
    sold.when(c.Plant(0)).then(e.BeanPlanted(0, 0, "red"))


def test_who_has_no_field_for_a_card_is_told_to_harvest_and_not_to_buy_a_field() -> None:
    """Contenu: there are three fields, always, so a refusal names no other way out."""
    table = given_duel(side(("red", "red"), (("blue", "blue"), ("stink",), ("chili",))), side())
    with pytest.raises(errors.FieldHoldsOtherBean, match="Harvest a field to make room"):
        play(table.rules, table.state, 0, c.Plant(0))


def test_a_harvest_counts_all_cards_and_pays_by_the_top_cards_meter() -> None:
    """Etapes de la récolte: four cards with a soy bean on top pay two coins, the top cards of the field."""
    field = ("red", "black_eyed", "black_eyed", "soy")
    sold = (
        given_duel(side(("red",), (field, (), ()), coins=("blue",)), side())
        .when(c.Harvest(0))
        .then(e.FieldHarvested(0, 0, field, 2))
    )
    assert sold.state.seats[0].coins == ("blue", "soy", "black_eyed")
    assert sold.state.discard_pile == ("red", "black_eyed")
    assert sold.state.seats[0].fields == ((), (), ())


METERS = {
    "garden": (2, 2, 3), "red": (2, 3, 4, 5), "black_eyed": (2, 4, 5, 6), "soy": (2, 4, 6, 7),
    "green": (3, 5, 6, 7), "stink": (3, 5, 7, 8), "chili": (3, 6, 8, 9), "blue": (4, 6, 8, 10),
}  # fmt: skip
"""Cards needed for 1, 2, 3, 4 coins (house); two garden beans earn two at once, and there is no fourth."""


@pytest.mark.parametrize("top", RISING)
@pytest.mark.parametrize("cards", range(1, 13))
def test_every_meter_pays_for_all_cards_below_it(top: str, cards: int) -> None:
    """Chaque variété possède un Beanomètre: with only its top card of the variety; past the last step no more."""
    field = (*("garden",) * (cards - 1), top)
    coins = sum(1 for needed in METERS[top] if needed <= cards)
    sold = given_duel(side(("red",), (field, (), ())), side()).when(c.Harvest(0))
    sold.then(e.FieldHarvested(0, 0, field, coins))


def test_a_harvest_may_pay_nothing() -> None:
    """Certaines récoltes ne rapportent aucune pièce: three cards with a blue one on top need a fourth."""
    field = ("stink", "chili", "blue")
    given_duel(side(("red",), (field, (), ())), side()).when(c.Harvest(0)).then(
        e.FieldHarvested(0, 0, field, 0)
    )


def test_a_single_card_is_protected_by_a_field_with_more_cards_of_whatever_variety() -> None:
    """Règle de protection: it counts cards, not varieties; an empty field does not matter."""
    fields: tuple[Field, ...] = (("red",), ("blue",), ())
    given_duel(side(("red",), fields), side()).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, ("red",), 0))
    fields = (("red",), ("stink", "chili"), ())
    given_duel(side(("red",), fields), side()).when(c.Harvest(0)).then_refused(errors.BeanProtected)


@pytest.mark.parametrize(
    ("phase", "gifts"),
    [
        ("plant", ()),
        ("reveal", ()),
        ("offer_gift", ()),
        ("answer_gift", ((0, "red"),)),
        ("plant_aside", ()),
        ("draw", ()),
        ("bonus", ()),
    ],
)
def test_both_harvest_at_any_moment(phase: str, gifts: tuple[tuple[int, str], ...]) -> None:
    """La récolte: also who is not active."""
    grown = (("red", "red"), (), ())
    aside = ("blue",) if phase == "plant_aside" else ()
    table = given_duel(side(("red",), grown), side(("red",), grown, aside=aside), phase=phase, gifts=gifts)
    for seat in range(2):
        table.when(c.Harvest(0), by=seat).then(e.FieldHarvested(seat, 0, ("red", "red"), 1))
