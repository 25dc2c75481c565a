"""What a field pays, which fields may be sold, and when. Sections of the Ladybohn booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.log.disclosure import PUBLIC
from events.rules import errors
from events.rules.table.player_view import player_view
from tests.events.rules.ladybohn.tables import BABY, MISS, MISTER, PLAIN, table
from tests.support.tables import seat_with

GARDEN, LADY, INFANT = "garden_male", "garden_female", "garden_baby"


@pytest.mark.parametrize(
    ("field", "coins"),
    [
        ((MISTER,) * 2, 1), ((MISS, MISTER, MISTER), 2), ((MISTER, MISTER, MISS), 3), ((MISTER, MISS, BABY), 0),
        ((BABY, MISTER), 1), ((MISTER,) * 9, 4), ((GARDEN,) * 2, 2), ((LADY, GARDEN, GARDEN), 3),
        ((LADY, GARDEN, INFANT), 0),
    ],
)  # fmt: skip
def test_the_top_card_says_what_the_field_pays(field: tuple[str, ...], coins: int) -> None:
    """Attention: the beanometer of the top card counts for all cards of the field; a baby has none."""
    table(fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, coins))


def test_the_booklets_example_of_two_stink_beans_that_pay_nothing() -> None:
    """Récolte, par exemple: a field with only two stink beans earns no coin; read as misters."""
    field = ("stink_male", "stink_male")
    table(fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, 0))


@pytest.mark.parametrize(("beans", "coins"), [(1, 0), (2, 0), (3, 1), (4, 1), (5, 2), (6, 2), (7, 3), (8, 4)])
def test_the_booklets_example_of_the_beanometer(beans: int, coins: int) -> None:
    """Les Thunes, Exemple: 1 or 2 pay nothing, 3 or 4 one coin, 5 or 6 two, 7 three, 8 four (stink misters)."""
    field = ("stink_male",) * beans
    table(fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, coins))


def test_a_field_is_sold_whole_and_its_top_cards_become_coins() -> None:
    """Récolte: not chosen, but one by one from the top, onto the coin stack; all others are discarded face up."""
    field = (MISS, BABY, MISTER, BABY, MISTER)
    after = (
        table(fields=(field, ("blue_male",)), coins=("soy_male",), discard_pile=(PLAIN,))
        .when(c.Harvest(0))
        .then(e.FieldHarvested(0, 0, field, 4))
    )
    assert after.state.seats[0].coins == ("soy_male", MISTER, BABY, MISTER, BABY)
    assert after.state.discard_pile == (PLAIN, MISS)
    assert after.state.seats[0].fields == ((), ("blue_male",))
    for viewer in (PUBLIC, 0, 1):
        view = player_view(after.state, viewer)
        assert view["discard_pile"] == [PLAIN, MISS]
        assert view["seats"][0]["coins"] == ["soy_male", MISTER, BABY, MISTER, BABY]


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_owner_chooses_the_field(number: int) -> None:
    """Récolte: any one of those with two cards or more; an empty one can't be sold."""
    fields = ((MISTER, MISTER), (PLAIN, PLAIN), ("blue_male", "blue_baby"))
    before = table(fields=fields)
    before.when(c.Harvest(number)).then_among_others().when(c.Harvest(number)).then_refused(errors.FieldEmpty)
    before.when(c.Harvest(3)).then_refused(errors.NoSuchField)


def test_a_field_with_a_baby_on_top_pays_again_when_she_is_covered_or_passed() -> None:
    """Récolte: worth nothing until another bean is planted on the baby or a miss moved past it."""
    field = (MISTER, MISTER, MISS, BABY)
    before = table(hand=(MISTER, PLAIN), fields=(field, ()), open_moves=((0, 0),))
    before.when(c.Harvest(0)).then_among_others(e.FieldHarvested(0, 0, field, 0))
    before.when(c.Plant(0)).then_among_others(e.MissMovesLapsed(0, 0)) \
        .when(c.Harvest(0)).then(e.FieldHarvested(0, 0, (*field, MISTER), 4))  # fmt: skip
    before.when(c.MoveMiss(0, 2, 1)).then_among_others() \
        .when(c.Harvest(0)).then(e.FieldHarvested(0, 0, (MISTER, MISTER, BABY, MISS), 4))  # fmt: skip


def test_a_single_bean_is_protected_whatever_it_is() -> None:
    """Récolte: a field of one card can't be harvested, unless no field has more."""
    table(fields=((BABY,), (PLAIN, PLAIN))).when(c.Harvest(0)).then_refused(errors.BeanProtected)
    table(fields=((LADY,), (PLAIN,)), discard_pile=(PLAIN,) * 3).when(c.Harvest(0)).then(
        e.FieldPaidFromPiles(0, 0, (LADY,), (PLAIN,) * 2)
    )


@pytest.mark.parametrize("single", [MISTER, MISS, BABY])
@pytest.mark.parametrize("other", [(), ("blue_male",), ("blue_male", "blue_male")])
@pytest.mark.parametrize("protection", ["lenient", "strict"])
def test_single_beans_may_be_sold_where_no_field_has_more(
    single: str, other: tuple[str, ...], protection: str
) -> None:
    """Récolte, exception: any of them; `strict` wants one on every field. House: it pays by its beanometer."""
    before = table(fields=(other, (single,)), options={"bean_protection": protection})
    if len(other) > 1 or (protection == "strict" and not other):
        before.when(c.Harvest(1)).then_refused(errors.BeanProtected)
        return
    coins = int(single == MISS)
    after = before.when(c.Harvest(1)).then(e.FieldHarvested(0, 1, (single,), coins))
    assert after.state.discard_pile == (single,) * (1 - coins)
    if other:
        before.when(c.Harvest(0)).then(e.FieldHarvested(0, 0, other, 0))


@pytest.mark.parametrize("phase", ["plant", "reveal", "trade", "plant_aside", "draw"])
@pytest.mark.parametrize("seat", [0, 1])
def test_everybody_harvests_at_any_time(phase: str, seat: int) -> None:
    """Phase 3: fields may be harvested at any moment."""
    grower = {seat: seat_with(fields=((MISTER, MISTER), ()))}
    table(phase=phase, others=grower).when(c.Harvest(0), by=seat).then(
        e.FieldHarvested(seat, 0, (MISTER, MISTER), 1)
    )


@pytest.mark.parametrize("command", [c.Harvest(0, rotate=1), c.Harvest(0, reward="coin")])
def test_a_harvest_names_a_field_and_nothing_else(command: c.Harvest) -> None:
    """Récolte: rotating a field and choosing a reward belong to another game."""
    table(fields=((MISTER, MISTER), (PLAIN, PLAIN))).when(command).then_refused(errors.NotInThisGame)
