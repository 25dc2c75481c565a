"""Families on fields, the two beans of phase 1, and the misses that babies move. Sections of the Ladybohn booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.log.disclosure import PUBLIC
from events.rules import errors
from events.rules.systems.ladybohn.errors import BadMove, NotABaby, NotAMiss, SameFieldTwice
from events.rules.table.player_view import player_view
from tests.events.rules.ladybohn.tables import BABY, MISS, MISTER, field_of, table
from tests.support.given import given
from tests.support.tables import OptionValues, rules_of


def test_misters_misses_and_babies_of_a_family_share_a_field() -> None:
    """Déroulement: the three kinds of one family must be planted on the same field."""
    before = table(hand=(MISS, BABY), fields=((MISTER,), ()))
    before.when(c.Plant(1)).then_refused(errors.VarietyGrowsElsewhere) \
        .when(c.Plant(0)).then(e.BeanPlanted(0, 0, MISS)) \
        .when(c.Plant(1)).then_refused(errors.VarietyGrowsElsewhere) \
        .when(c.Plant(0)).then(e.BeanPlanted(0, 0, BABY), e.PhaseBegan("reveal"))  # fmt: skip


def test_another_family_is_refused() -> None:
    """Les champs de haricots: a field holds one family at a time."""
    table(hand=("blue_baby",), fields=((MISTER,), (MISS,))).when(c.Plant(0)).then_refused(
        errors.FieldHoldsOtherBean
    )


def test_a_card_is_always_laid_on_the_top_card() -> None:
    """Déroulement: a new card goes on top, never between others."""
    after = (
        table(hand=(BABY,), fields=((MISTER, MISS), ()))
        .when(c.Plant(0))
        .then(e.BeanPlanted(0, 0, BABY), e.PhaseBegan("reveal"))
    )
    assert field_of(after) == (MISTER, MISS, BABY)


# --- the two beans of phase 1 ------------------------------------------------------------------------------


def test_both_beans_may_go_to_the_same_field() -> None:
    """Phase 1: read as "need not"; the default."""
    table(hand=(MISTER, MISTER, MISTER)) \
        .when(c.Plant(0)).then(e.BeanPlanted(0, 0, MISTER)) \
        .when(c.Plant(0)).then(e.BeanPlanted(0, 0, MISTER), e.PhaseBegan("reveal"))  # fmt: skip


LITERAL: OptionValues = {"phase1_distinct_fields": True}


def test_by_the_letter_the_second_bean_goes_to_another_field() -> None:
    """Phase 1, option `phase1_distinct_fields`: not twice the same field; another one is fine."""
    table(hand=(MISTER, "blue_male", MISTER), options=LITERAL) \
        .when(c.Plant(0)).then(e.BeanPlanted(0, 0, MISTER), e.FieldBarred(0, 0)) \
        .when(c.Plant(0)).then_refused(errors.FieldHoldsOtherBean) \
        .when(c.Plant(1)).then(e.BeanPlanted(0, 1, "blue_male"), e.PhaseBegan("reveal"))  # fmt: skip


def test_by_the_letter_a_bean_of_the_same_family_cannot_be_planted() -> None:
    """The same option: there is no other legal field, so the turn goes on without it."""
    table(hand=(MISTER, MISS, MISTER), options=LITERAL) \
        .when(c.Plant(0)).then_among_others(e.BeanPlanted(0, 0, MISTER)) \
        .when(c.Plant(0)).then_refused(SameFieldTwice) \
        .when(c.Plant(1)).then_refused(errors.VarietyGrowsElsewhere) \
        .when(c.Reveal()).then_among_others(e.PhaseBegan("trade"))  # fmt: skip


def test_by_the_letter_a_harvested_field_is_still_the_same() -> None:
    """The same option: selling the field in between doesn't open it."""
    table(hand=(MISTER, "blue_male", MISTER), fields=((MISTER,), ("chili_male",)), options=LITERAL) \
        .when(c.Plant(0)).then_among_others(e.BeanPlanted(0, 0, MISTER)) \
        .when(c.Harvest(0)).then(e.FieldHarvested(0, 0, (MISTER, MISTER), 1)) \
        .when(c.Plant(0)).then_refused(SameFieldTwice)  # fmt: skip


def test_by_the_letter_only_the_hand_is_kept_from_the_field() -> None:
    """The same option: in phase 3 the field is open; everybody sees which one is barred in phase 1."""
    barred = (
        table(hand=(MISTER, MISTER), options=LITERAL, draw_pile=(MISTER,) * 9)
        .when(c.Plant(0))
        .then_among_others()
    )
    barred.when(c.Reveal()).then_among_others() \
        .when(c.EndTrading()).then_among_others() \
        .when(c.PlantAside(1, 0)).then(e.AsidePlanted(0, 1, 0, MISTER))  # fmt: skip
    assert player_view(barred.state, PUBLIC)["barred_field"] == 0
    revealed = barred.when(c.Reveal()).then_among_others()
    assert player_view(revealed.state, PUBLIC)["barred_field"] is None


# --- misses moved by babies --------------------------------------------------------------------------------


def test_the_booklets_example_of_a_red_miss_moved_twice_by_babies() -> None:
    """Rapprochement des miss, Exemple: mister, mister, miss, mister, mister; two babies bring her to the top.

    A and B: the first baby moves her up two places. C: the second one, two more; with her on top the field pays
    what seven beans pay by the beanometer of the miss.
    """
    row = (MISTER, MISTER, MISS, MISTER, MISTER)
    first = (
        table(hand=(BABY, BABY, "blue_male"), fields=(row, ()))
        .when(c.Plant(0, miss=2, places=2))
        .then(e.BeanPlanted(0, 0, BABY), e.MissMoved(0, 0, 2, 2))
    )
    assert field_of(first) == (MISTER, MISTER, MISTER, MISTER, MISS, BABY)
    second = first.when(c.Plant(0, miss=4, places=2)).then(
        e.BeanPlanted(0, 0, BABY), e.MissMoved(0, 0, 4, 2), e.PhaseBegan("reveal")
    )
    assert field_of(second) == (MISTER, MISTER, MISTER, MISTER, BABY, BABY, MISS)
    first.when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field_of(first), 0))
    second.when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field_of(second), 4))


@pytest.mark.parametrize("places", [1, 2])
def test_one_or_two_places_in_phase_3_too(places: int) -> None:
    """Phase 3: a baby moves a miss as in phase 1; the rules of the house: one or two places everywhere."""
    after = (
        table(phase="plant_aside", aside=(BABY, PLAIN_ASIDE), fields=((MISS, MISTER), ()))
        .when(c.PlantAside(1, 0, miss=0, places=places))
        .then(e.AsidePlanted(0, 1, 0, BABY), e.MissMoved(0, 0, 0, places))
    )
    assert field_of(after) == ((MISTER, MISS, BABY), (MISTER, BABY, MISS))[places - 1]


PLAIN_ASIDE = "soy_male"


def test_the_move_is_optional() -> None:
    """Rapprochement des miss: the owner may move a miss, and need not."""
    table(hand=(BABY, BABY, BABY), fields=((MISS, MISTER), ())).when(c.Plant(0)).then(
        e.BeanPlanted(0, 0, BABY)
    )


@pytest.mark.parametrize("places", [0, 3, -1])
def test_a_miss_moves_one_or_two_places(places: int) -> None:
    """Rapprochement des miss: one or two places, towards the top card."""
    table(hand=(BABY,), fields=((MISS, MISTER, MISTER, MISTER), ())).when(c.Plant(0, 0, places)).then_refused(
        BadMove
    )


def test_a_miss_does_not_move_beyond_the_top() -> None:
    """Rules of the house: a move beyond the top is refused, not shortened."""
    before = table(hand=(BABY,), fields=((MISTER, MISS), ()))
    before.when(c.Plant(0, 1, 2)).then_refused(BadMove)
    after = before.when(c.Plant(0, 1, 1)).then_among_others(e.MissMoved(0, 0, 1, 1))
    assert field_of(after) == (MISTER, BABY, MISS)


@pytest.mark.parametrize("miss", [0, 2, 3, -1, None])
def test_only_a_miss_is_moved(miss: int | None) -> None:
    """Rapprochement des miss: misters and babies stay where they are; a place is counted from the bottom."""
    table(hand=(BABY,), fields=((MISTER, MISS), ())).when(c.Plant(0, miss, 1)).then_refused(NotAMiss)


@pytest.mark.parametrize("card", [MISTER, MISS])
def test_only_a_baby_moves_a_miss(card: str) -> None:
    """Rapprochement des miss: planting anything else moves nobody."""
    before = table(hand=(card,), fields=((MISS, MISTER), ()))
    before.when(c.Plant(0, 0, 1)).then_refused(NotABaby)
    aside = table(phase="plant_aside", aside=(card,), fields=((MISS, MISTER), ()))
    aside.when(c.PlantAside(1, 0, 0, 1)).then_refused(NotABaby)


def test_which_of_several_misses_is_the_owners_choice() -> None:
    """Rapprochement des miss: one of the misses of the field."""
    before = table(hand=("blue_baby",), fields=(("blue_female", "blue_male", "blue_female", "blue_male"), ()))
    first = before.when(c.Plant(0, 0, 1)).then_among_others(e.MissMoved(0, 0, 0, 1))
    assert field_of(first)[:2] == ("blue_male", "blue_female")
    other = before.when(c.Plant(0, 2, 2)).then_among_others(e.MissMoved(0, 0, 2, 2))
    assert field_of(other)[-1] == "blue_female"


@pytest.mark.parametrize("command", [c.Plant(0, 0, 1), c.Plant(0, places=1)])
def test_other_games_have_no_such_move(command: c.Plant) -> None:
    """Rules of the house: a planting that moves a miss is refused where there are none."""
    given(hand=("blue", "chili")).when(command).then_refused(errors.NotInThisGame)
    duel = rules_of("bean-duel", 2)
    given(hand=("blue", "chili"), rules=duel).when(command).then_refused(errors.NotInThisGame)
    aside = given(phase="plant_aside", aside=("blue",))
    aside.when(c.PlantAside(1, 0, 0, 1)).then_refused(errors.NotInThisGame)
