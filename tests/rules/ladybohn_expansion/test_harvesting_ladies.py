"""Males and females on one field, rotations and the quota field. Sections are those of the Lady Bohn booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from tests.rules.ladybohn_expansion.tables import (
    BLUE,
    BLUE_LADY,
    GARDEN,
    MAKE_UP,
    RED,
    RED_LADY,
    SOY,
    SOY_LADY,
    STINK,
    STINK_LADY,
    added,
    table,
)
from tests.support.given import given
from tests.support.tables import classic_rules, seat_with

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
    [(0, errors.CannotRotate), (1, errors.CannotRotate), (2, errors.CannotRotate), (3, errors.NoSuchField)],
)
def test_only_another_field_of_two_or_more_can_be_rotated(
    rotate: int, error: type[errors.RuleViolation]
) -> None:
    """House: not the harvested field, none with fewer than two cards, none that is not there."""
    at = table(fields=((BLUE, BLUE), (SOY,), ()))
    if error is errors.CannotRotate:
        at.when(c.Harvest(0, rotate=rotate)).then_refused(errors.CannotRotate)
    else:
        at.when(c.Harvest(0, rotate=rotate)).then_refused(errors.NoSuchField)


def test_other_games_know_no_rotation_and_no_reward() -> None:
    """Bohnanza (104): a harvest names a field only."""
    at = given(fields=(("blue", "blue"), ("soy", "soy")))
    at.when(c.Harvest(0, rotate=1)).then_refused(errors.NotInThisGame)
    at.when(c.Harvest(0, reward="coin")).then_refused(errors.NotInThisGame)
    assert classic_rules().setup.promises_bind is False


# --- the third field and the quota field -------------------------------------------------------------------


def test_the_first_third_field_of_the_game_is_the_quota_field() -> None:
    """The third bean field: who is first to acquire one takes the quota field; later ones are regular."""
    others = {1: seat_with(coins=(SOY,) * 3)}
    at = table(coins=(BLUE, RED, STINK, SOY), others=others)
    at = at.when(c.BuyField(), by=1).then(e.ThirdFieldBought(1, (SOY, SOY, SOY)), e.QuotaFieldTaken(1))
    at = at.when(c.BuyField()).then(e.ThirdFieldBought(0, (SOY, STINK, RED)))
    assert added(at).quota == 1
    assert len(at.state.seats[0].fields) == len(at.state.seats[1].fields) == 3


def test_nobody_has_a_regular_third_field_besides_or_exchanges_it() -> None:
    """The third bean field: who has the quota field may not acquire a regular one."""
    at = table(coins=(BLUE,) * 6, fields=((), (), ()), quota=0)
    at.when(c.BuyField()).then_refused(errors.ThirdFieldOwned)
    table(coins=(BLUE,) * 2).when(c.BuyField()).then_refused(errors.NotEnoughCoins)


def test_without_a_female_the_quota_field_pays_nothing() -> None:
    """The ratio field: with males only, all cards go to the discard pile and no coin is collected."""
    field = (BLUE,) * 10
    at = table(fields=((), (), field), quota=0)
    after = at.when(c.Harvest(2)).then(e.FieldHarvested(0, 2, field, 0))
    assert after.state.discard_pile == field


@pytest.mark.parametrize(
    ("field", "coins"),
    [((BLUE_LADY, *(BLUE,) * 5), 2), ((*(BLUE,) * 4, BLUE_LADY), 2), ((BLUE_LADY, BLUE), 0)],
)
def test_with_a_female_anywhere_the_quota_field_pays_by_its_top_card(
    field: tuple[str, ...], coins: int
) -> None:
    """The ratio field: only as long as nothing but males are on it."""
    table(fields=((), (), field), quota=0).when(c.Harvest(2)).then(e.FieldHarvested(0, 2, field, coins))


def test_a_regular_third_field_and_the_quota_owners_other_fields_pay_as_usual() -> None:
    """The ratio field: the regulation is for that field only."""
    field = (BLUE,) * 4
    table(fields=((), (), field), quota=1).when(c.Harvest(2)).then(e.FieldHarvested(0, 2, field, 1))
    table(fields=(field, (), ()), quota=0).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, 1))


def test_make_up_beans_are_females_on_the_quota_field() -> None:
    """Make-up beans: there are no males among them."""
    field = (MAKE_UP,) * 5
    table(fields=((), (), field), quota=0).when(c.Harvest(2)).then(
        e.FieldHarvested(0, 2, field, 1), e.LevyEarned(0)
    )


def test_garden_beans_are_worthless_on_the_quota_field() -> None:
    """The ratio field, tip: there are no female garden beans."""
    table(fields=((), (), (GARDEN,) * 3), quota=0).when(c.Harvest(2)).then(
        e.FieldHarvested(0, 2, (GARDEN,) * 3, 0)
    )
