"""What a field pays, which fields may be sold, and when. Sections of the Ladybohn booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from tests.rules.ladybohn.tables import BABY, MISS, MISTER, PLAIN, table
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


def test_two_stink_misters_pay_nothing() -> None:
    """Récolte, the example: a field with only two stink beans earns no coin; read as misters."""
    field = ("stink_male", "stink_male")
    table(fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, 0))


@pytest.mark.parametrize(("beans", "coins"), [(2, 0), (3, 1), (4, 1), (5, 2), (6, 2), (7, 3), (8, 4)])
def test_the_example_of_the_beanometer(beans: int, coins: int) -> None:
    """Les Thunes, the example: 3 and 4 cards pay one coin, 5 and 6 two, 7 three, 8 four: the stink mister."""
    field = ("stink_male",) * beans
    table(fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, coins))


def test_a_single_bean_is_protected_whatever_it_is() -> None:
    """Récolte: a field of one card can't be harvested, unless no field has more."""
    table(fields=((BABY,), (PLAIN, PLAIN))).when(c.Harvest(0)).then_refused(errors.BeanProtected)
    table(fields=((LADY,), (PLAIN,)), discard_pile=(PLAIN,) * 3).when(c.Harvest(0)).then(
        e.FieldPaidFromPiles(0, 0, (LADY,), (PLAIN,) * 2)
    )


@pytest.mark.parametrize("phase", ["plant", "reveal", "trade", "plant_aside", "draw"])
@pytest.mark.parametrize("seat", [0, 1])
def test_everybody_harvests_at_any_time(phase: str, seat: int) -> None:
    """Phase 3: fields may be harvested at any moment."""
    grower = {seat: seat_with(fields=((MISTER, MISTER), ()))}
    table(phase=phase, others=grower).when(c.Harvest(0), by=seat).then(
        e.FieldHarvested(seat, 0, (MISTER, MISTER), 1)
    )
