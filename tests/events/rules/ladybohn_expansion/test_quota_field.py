"""The third field and the quota field. Sections are those of the Lady Bohn booklet."""

from itertools import product

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.decide import play
from tests.events.rules.ladybohn_expansion.tables import (
    BLUE,
    BLUE_LADY,
    GARDEN,
    MAKE_UP,
    PHASES,
    RED,
    SOY,
    SOY_LADY,
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


@pytest.mark.parametrize(("phase", "seat"), [*product(PHASES, (0, 1, 2))])
def test_everybody_may_buy_at_any_moment(phase: str, seat: int) -> None:
    """The third bean field: three coins; it is open on turn and off (house)."""
    rich = seat_with((RED,), coins=(BLUE, RED, STINK, SOY))
    at = table(phase=phase, levies=(0,), others={1: seat_with(coins=(RED,)), seat: rich})
    after = at.when(c.BuyField(), by=seat).then(
        e.ThirdFieldBought(seat, (SOY, STINK, RED)), e.QuotaFieldTaken(seat)
    )
    assert after.state.discard_pile == (SOY, STINK, RED)


def test_two_coins_buy_no_third_field() -> None:
    """The third bean field: it costs three."""
    table(coins=(BLUE,) * 2).when(c.BuyField()).then_refused(errors.NotEnoughCoins)


def test_who_won_the_quota_field_buys_no_other() -> None:
    """The third bean field: neither a second third field nor an exchange, however the first one was got."""
    at = table(fields=((MAKE_UP,) * 3, ()), coins=(BLUE,) * 6)
    at = at.when(c.Harvest(0)).then_among_others(e.ThirdFieldWon(0), e.QuotaFieldTaken(0))
    at.when(c.BuyField()).then_refused(errors.ThirdFieldOwned)
    with pytest.raises(errors.ThirdFieldOwned, match="You have your third field already"):
        play(at.rules, at.state, 0, c.BuyField())


@pytest.mark.parametrize("first", ["bought", "won"])
def test_who_comes_second_gets_a_regular_field(first: str) -> None:
    """The third bean field: only the first in the game takes the quota field, bought or won."""
    buyer, winner = seat_with(coins=(BLUE,) * 3), seat_with(fields=((MAKE_UP,) * 3, ()))
    at = table(others={1: buyer, 2: winner})
    ways: list[tuple[c.Command, int]] = [(c.BuyField(), 1), (c.Harvest(0), 2)]
    for command, seat in ways if first == "bought" else ways[::-1]:
        at = at.when(command, by=seat).then_among_others()
    assert added(at).quota == (1 if first == "bought" else 2)
    assert all(len(at.state.seats[seat].fields) == 3 for seat in (1, 2))
    at.when(c.BuyField(), by=1).then_refused(errors.ThirdFieldOwned)


def test_a_harvest_of_the_quota_field_that_pays_nothing_may_rotate_too() -> None:
    """Rotation after a harvest: each harvest makes one possible (house: also this one)."""
    at = table(fields=((SOY_LADY, SOY), (), (BLUE,) * 4), quota=0)
    at.when(c.Harvest(2, rotate=0)).then(e.FieldHarvested(0, 2, (BLUE,) * 4, 0), e.FieldRotated(0, 0, SOY))


def test_a_rotation_brings_a_female_of_the_quota_field_to_the_top() -> None:
    """Rotation after a harvest and the ratio field: then her beanometer counts."""
    at = table(fields=((SOY, SOY), (), (BLUE, BLUE_LADY, BLUE)), quota=0)
    at.when(c.Harvest(2)).then(e.FieldHarvested(0, 2, (BLUE, BLUE_LADY, BLUE), 0))
    at = at.when(c.Harvest(0, rotate=2)).then_among_others(e.FieldRotated(0, 2, BLUE))
    at.when(c.Harvest(2)).then(e.FieldHarvested(0, 2, (BLUE, BLUE, BLUE_LADY), 1))
