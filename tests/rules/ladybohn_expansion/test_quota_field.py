"""The third field and the quota field. Sections are those of the Lady Bohn booklet."""

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
    SOY,
    STINK,
    added,
    table,
)
from tests.support.tables import seat_with


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
