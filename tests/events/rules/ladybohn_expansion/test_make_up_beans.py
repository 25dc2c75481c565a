"""What a harvest of make-up beans brings. Sections are those of the Lady Bohn booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.systems.ladybohn_expansion.errors import BadReward
from tests.events.rules.ladybohn_expansion.tables import (
    BLUE,
    CHILI,
    MAKE_UP,
    PHASES,
    RED,
    SOY,
    SOY_LADY,
    added,
    table,
)
from tests.support.given import Given
from tests.support.tables import seat_with


def growing(count: int, third: tuple[str, ...] | None = None, quota: int | None = None) -> Given:
    """The active player grows so many make-up beans, and has a third field or not."""
    fields = ((MAKE_UP,) * count, (SOY, SOY)) + (() if third is None else (third,))
    return table(fields=fields, quota=quota)


@pytest.mark.parametrize("third", [None, ()])
def test_fewer_than_three_bring_nothing(third: tuple[str, ...] | None) -> None:
    """House: there is no step for them."""
    after = growing(2, third).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, (MAKE_UP,) * 2, 0))
    assert after.state.discard_pile == (MAKE_UP,) * 2


@pytest.mark.parametrize("count", [3, 4])
def test_three_or_four_bring_a_third_field(count: int) -> None:
    """Make-up beans: at least three of them bring the third field; the cards are discarded."""
    after = growing(count).when(c.Harvest(0)).then(
        e.FieldHarvested(0, 0, (MAKE_UP,) * count, 0), e.ThirdFieldWon(0), e.QuotaFieldTaken(0)
    )  # fmt: skip
    assert after.state.seats[0].fields == ((), (SOY, SOY), ())
    assert after.state.seats[0].third_field
    assert after.state.seats[0].coins == ()
    assert after.state.discard_pile == (MAKE_UP,) * count


@pytest.mark.parametrize("reward", ["coin", "field"])
def test_it_cannot_be_declined(reward: str) -> None:
    """House: with three or four there is nothing to choose."""
    growing(3).when(c.Harvest(0, reward=reward)).then_refused(BadReward)


def test_a_later_third_field_is_regular() -> None:
    """The third bean field: the quota field is gone."""
    growing(3, quota=1).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, (MAKE_UP,) * 3, 0), e.ThirdFieldWon(0))


@pytest.mark.parametrize("count", [3, 4])
def test_who_has_a_third_field_gets_nothing_for_three_or_four(count: int) -> None:
    """House: there is only one third field for each."""
    growing(count, third=()).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, (MAKE_UP,) * count, 0))


@pytest.mark.parametrize("count", [5, 7, 9])
def test_five_or_more_leave_a_choice(count: int) -> None:
    """Make-up beans: five or more give the choice between third field and coin."""
    field = (MAKE_UP,) * count
    at = growing(count)
    at.when(c.Harvest(0, reward="field")).then(
        e.FieldHarvested(0, 0, field, 0), e.ThirdFieldWon(0), e.QuotaFieldTaken(0)
    )
    after = at.when(c.Harvest(0, reward="coin")).then(e.FieldHarvested(0, 0, field, 1), e.LevyEarned(0))
    assert after.state.seats[0].coins == (MAKE_UP,)
    assert after.state.discard_pile == (MAKE_UP,) * (count - 1)
    assert added(after).levies == (0,)


@pytest.mark.parametrize("reward", ["", "both"])
def test_the_choice_must_be_made(reward: str) -> None:
    """House: a harvest that leaves a choice names what is chosen."""
    growing(5).when(c.Harvest(0, reward=reward)).then_refused(BadReward)


@pytest.mark.parametrize("reward", ["", "coin"])
def test_who_has_a_third_field_need_not_name_the_coin(reward: str) -> None:
    """House: there is nothing else to choose."""
    at = growing(5, third=())
    at.when(c.Harvest(0, reward=reward)).then(e.FieldHarvested(0, 0, (MAKE_UP,) * 5, 1), e.LevyEarned(0))
    at.when(c.Harvest(0, reward="field")).then_refused(BadReward)


def test_other_beans_have_no_reward_to_choose() -> None:
    """House: a beanometer leaves no choice."""
    growing(3).when(c.Harvest(1, reward="coin")).then_refused(BadReward)


def test_a_make_up_harvest_may_rotate_too() -> None:
    """Rotation after a harvest: each harvest."""
    at = table(fields=((MAKE_UP,) * 3, (SOY_LADY, SOY)))
    at.when(c.Harvest(0, rotate=1)).then(
        e.FieldHarvested(0, 0, (MAKE_UP,) * 3, 0),
        e.ThirdFieldWon(0),
        e.QuotaFieldTaken(0),
        e.FieldRotated(0, 1, SOY),
    )


def test_everybody_may_harvest_them_at_any_time() -> None:
    """Make-up beans: like all other beans; off turn the levy waits for the owner's turn."""
    at = table(others={1: seat_with(fields=((MAKE_UP,) * 5, (), ()))}, phase="trade")
    after = at.when(c.Harvest(0), by=1).then(e.FieldHarvested(1, 0, (MAKE_UP,) * 5, 1), e.LevyEarned(1))
    assert added(after).levies == (1,)
    assert after.state.phase == "trade"


def test_a_single_make_up_bean_is_protected() -> None:
    """The harvest: except for fields with exactly one bean."""
    table(fields=((MAKE_UP,), (BLUE, BLUE))).when(c.Harvest(0)).then_refused(errors.BeanProtected)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("seat", [0, 1])
def test_they_are_harvested_at_any_moment(phase: str, seat: int) -> None:
    """Make-up beans: like all other beans, at any time, on turn or off."""
    growing_them = seat_with((RED,), fields=((MAKE_UP,) * 3, ()), coins=(RED,))
    at = table(phase=phase, levies=(0,), others={2: seat_with(coins=(RED,)), seat: growing_them})
    at.when(c.Harvest(0), by=seat).then(
        e.FieldHarvested(seat, 0, (MAKE_UP,) * 3, 0), e.ThirdFieldWon(seat), e.QuotaFieldTaken(seat)
    )


def test_a_field_that_is_won_takes_a_bean_at_once() -> None:
    """Make-up beans: a harvest in the middle of planting makes room twice."""
    at = table(hand=(BLUE, CHILI), fields=((MAKE_UP,) * 3, (SOY, SOY)))
    at.when(c.Plant(0)).then_refused(errors.FieldHoldsOtherBean)
    at = at.when(c.Harvest(0)).then_among_others(e.ThirdFieldWon(0))
    at.when(c.Plant(2)).then(e.BeanPlanted(0, 2, BLUE))
