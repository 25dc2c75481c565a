"""Males and females on one field, and rotations. Sections are those of the Lady Bohn booklet."""

from itertools import product

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.systems.ladybohn_expansion.errors import CannotRotate
from tests.events.rules.ladybohn_expansion.tables import (
    BLUE,
    BLUE_LADY,
    GARDEN,
    PHASES,
    RED,
    RED_LADY,
    SOY,
    SOY_LADY,
    STINK,
    STINK_LADY,
    SYSTEM,
    table,
)
from tests.support.given import given
from tests.support.tables import classic_rules, seat_with

DECK = shipped_catalogue(SYSTEM)

# --- one field for both ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("planted", "growing"), [(BLUE, BLUE_LADY), (BLUE_LADY, BLUE)])
def test_males_and_females_share_a_field(planted: str, growing: str) -> None:
    """The play course, A: both are cultivated on the same field, and so must be."""
    at = table(hand=(planted,), fields=((growing,), ()))
    at.when(c.Plant(1)).then_refused(errors.VarietyGrowsElsewhere)
    after = at.when(c.Plant(0)).then_among_others(e.BeanPlanted(0, 0, planted))
    assert after.state.seats[0].fields[0] == (growing, planted)


@pytest.mark.parametrize(
    ("field", "coins"),
    [
        ((STINK, STINK), 0),
        ((STINK_LADY, STINK), 0),
        ((STINK, STINK_LADY), 1),
        ((STINK,) * 3 + (STINK_LADY,), 2),
        ((STINK_LADY,) * 3 + (STINK,), 1),
        ((SOY, SOY, SOY_LADY), 2),
        ((RED, RED, RED, RED_LADY), 4),
        ((GARDEN, GARDEN), 2),
    ],
)
def test_the_top_card_decides_what_a_field_pays(field: tuple[str, ...], coins: int) -> None:
    """The play course, A: the beanometer of the last card planted counts."""
    after = table(fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, coins))
    assert after.state.seats[0].coins == field[::-1][:coins]
    assert after.state.discard_pile == field[: len(field) - coins]


def test_a_single_bean_is_protected_here_too() -> None:
    """The harvest: any time, except for fields with exactly one bean."""
    at = table(fields=((BLUE,), (SOY, SOY)))
    at.when(c.Harvest(0)).then_refused(errors.BeanProtected)
    at.when(c.Harvest(1)).then(e.FieldHarvested(0, 1, (SOY, SOY), 1))
    table(fields=((BLUE,), ()), options={"bean_protection": "strict"}).when(c.Harvest(0)).then_refused(
        errors.BeanProtected
    )


@pytest.mark.parametrize(("phase", "seat"), [*product(PHASES, (0, 1, 2))])
def test_everybody_harvests_at_any_moment(phase: str, seat: int) -> None:
    """The harvest: at any time, on turn and off; elsewhere the booklet says phases 1 and 3 only (house: any time)."""
    fields = ((BLUE,) * 4, (SOY, SOY_LADY))
    at = table(
        phase=phase, levies=(0,), others={1: seat_with(coins=(RED,)), seat: seat_with((RED,), fields, (RED,))}
    )
    at.when(c.Harvest(0, rotate=1), by=seat).then(
        e.FieldHarvested(seat, 0, (BLUE,) * 4, 1), e.FieldRotated(seat, 1, SOY_LADY)
    )


def test_an_offer_stays_open_when_somebody_harvests() -> None:
    """The harvest: at any time, also while an offer is open (house)."""
    at = table(phase="trade", others={1: seat_with((SOY,), fields=((BLUE,) * 4, ()))})
    at = at.when(c.Offer(0, hand=(1,)), by=1).then_among_others()
    after = at.when(c.Harvest(0), by=1).then(e.FieldHarvested(1, 0, (BLUE,) * 4, 1))
    assert after.state.offers == at.state.offers


def test_a_card_received_in_a_trade_is_planted_on_top_of_both_sexes() -> None:
    """The play course, A: a new card goes on top, in phase 3 as in phase 1."""
    at = table(phase="plant_aside", fields=((BLUE, BLUE_LADY), ()), aside=(BLUE, RED))
    at.when(c.PlantAside(1, 1)).then_refused(errors.VarietyGrowsElsewhere)
    after = at.when(c.PlantAside(1, 0)).then(e.AsidePlanted(0, 1, 0, BLUE))
    assert after.state.seats[0].fields[0] == (BLUE, BLUE_LADY, BLUE)


@pytest.mark.parametrize(
    ("card", "size", "coins"),
    [
        (
            bean.card,
            size,
            max((int(step) for step, needed in bean.beanometer.items() if needed <= size), default=0),
        )
        for bean in DECK.beans
        if bean.beanometer
        for size in range(2, 13)
    ],
)
def test_every_card_on_top_pays_by_its_own_beanometer(card: str, size: int, coins: int) -> None:
    """The harvest: only the last card planted counts; above the last step the pay stays (house)."""
    family = card.rpartition("_")[0]
    field = (f"{family}_male",) * (size - 1) + (card,)
    table(fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, coins))


# --- rotation ----------------------------------------------------------------------------------------------


def test_a_harvest_may_rotate_another_field() -> None:
    """Rotation after a harvest: the top card of one other field goes under its other cards."""
    at = table(fields=((SOY, SOY), (BLUE, BLUE_LADY, BLUE)))
    after = at.when(c.Harvest(0, rotate=1)).then(
        e.FieldHarvested(0, 0, (SOY, SOY), 1), e.FieldRotated(0, 1, BLUE)
    )
    assert after.state.seats[0].fields == ((), (BLUE, BLUE, BLUE_LADY))


def test_after_a_rotation_the_new_top_card_decides() -> None:
    """Rotation after a harvest: this may get a female on top."""
    at = table(fields=((SOY,) * 2, (BLUE, BLUE_LADY, BLUE)))
    at = at.when(c.Harvest(0, rotate=1)).then_among_others(e.FieldRotated(0, 1, BLUE))
    at.when(c.Harvest(1)).then(e.FieldHarvested(0, 1, (BLUE, BLUE, BLUE_LADY), 1))


def test_a_harvest_that_pays_nothing_may_rotate_as_well() -> None:
    """Rotation after a harvest: each harvest makes one possible."""
    at = table(fields=((BLUE, BLUE), (SOY, SOY_LADY)))
    at.when(c.Harvest(0, rotate=1)).then(
        e.FieldHarvested(0, 0, (BLUE, BLUE), 0), e.FieldRotated(0, 1, SOY_LADY)
    )


def test_the_quota_field_can_be_rotated() -> None:
    """House: it is a field like the others here."""
    at = table(fields=((BLUE, BLUE), (), (SOY_LADY, SOY)), quota=0)
    at.when(c.Harvest(0, rotate=2)).then(e.FieldHarvested(0, 0, (BLUE, BLUE), 0), e.FieldRotated(0, 2, SOY))


def test_off_turn_too() -> None:
    """The harvest: as in the basic game, at any time."""
    at = table(others={1: seat_with(fields=((BLUE,) * 4, (SOY, SOY_LADY)))})
    at.when(c.Harvest(0, rotate=1), by=1).then(
        e.FieldHarvested(1, 0, (BLUE,) * 4, 1), e.FieldRotated(1, 1, SOY_LADY)
    )


@pytest.mark.parametrize(
    ("rotate", "error"),
    [(0, CannotRotate), (1, CannotRotate), (2, CannotRotate), (3, errors.NoSuchField)],
)
def test_only_another_field_of_two_or_more_can_be_rotated(
    rotate: int, error: type[errors.RuleViolation]
) -> None:
    """House: not the harvested field, none with fewer than two cards, none that is not there."""
    at = table(fields=((BLUE, BLUE), (SOY,), ()))
    if error is CannotRotate:
        at.when(c.Harvest(0, rotate=rotate)).then_refused(CannotRotate)
    else:
        at.when(c.Harvest(0, rotate=rotate)).then_refused(errors.NoSuchField)


def test_other_games_know_no_rotation_and_no_reward() -> None:
    """Bohnanza (104): a harvest names a field only."""
    at = given(fields=(("blue", "blue"), ("soy", "soy")))
    at.when(c.Harvest(0, rotate=1)).then_refused(errors.NotInThisGame)
    at.when(c.Harvest(0, reward="coin")).then_refused(errors.NotInThisGame)
    assert classic_rules().setup.promises_bind is False
