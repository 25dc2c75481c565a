"""Phase 3: what was traded, given or kept is planted. Sections of the Ladybohn booklet."""

from itertools import permutations

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from tests.events.rules.ladybohn.tables import MISS, MISTER, PLAIN, field_of, table
from tests.support.tables import seat_with


def test_everybody_plants_what_they_received() -> None:
    """Phase 3: all players, whoever is faster; phase 4 waits for the last card of everybody."""
    table(phase="plant_aside", aside=(MISTER,), others={1: seat_with(aside=(MISS,)), 2: seat_with(aside=(PLAIN,))}) \
        .when(c.Draw()).then_refused(errors.WrongPhase) \
        .when(c.PlantAside(1, 0), by=2).then(e.AsidePlanted(2, 1, 0, PLAIN)) \
        .when(c.PlantAside(1, 1)).then(e.AsidePlanted(0, 1, 1, MISTER)) \
        .when(c.Draw()).then_refused(errors.WrongPhase) \
        .when(c.PlantAside(1, 0), by=1).then(e.AsidePlanted(1, 1, 0, MISS), e.PhaseBegan("draw"))  # fmt: skip


@pytest.mark.parametrize("order", [*permutations((1, 2, 3))])
def test_in_any_order(order: tuple[int, ...]) -> None:
    """Phase 3: each player chooses the order of their own cards."""
    cards = {1: MISTER, 2: MISS, 3: "red_baby"}
    playing = table(phase="plant_aside", aside=tuple(cards.values()))
    for number in order:
        playing = (
            playing.when(c.PlantAside(number, 0))
            .then_among_others(e.AsidePlanted(0, number, 0, cards[number]))
        )  # fmt: skip
    assert field_of(playing) == tuple(cards[number] for number in order)


def test_who_has_no_room_buys_a_third_field_or_sells_one() -> None:
    """Phase 3: either way the new family then has a field."""
    before = table(
        phase="plant_aside", aside=(MISTER,), coins=(PLAIN,) * 3, fields=(("blue_male",) * 2, ("soy_male",) * 2)
    )  # fmt: skip
    for number in (0, 1):
        before.when(c.PlantAside(1, number)).then_refused(errors.FieldHoldsOtherBean)
    before.when(c.BuyField()).then(e.ThirdFieldBought(0, (PLAIN,) * 3)) \
        .when(c.PlantAside(1, 2)).then(e.AsidePlanted(0, 1, 2, MISTER), e.PhaseBegan("draw"))  # fmt: skip
    before.when(c.Harvest(0)).then(e.FieldHarvested(0, 0, ("blue_male",) * 2, 0)) \
        .when(c.PlantAside(1, 0)).then(e.AsidePlanted(0, 1, 0, MISTER), e.PhaseBegan("draw"))  # fmt: skip


def test_off_turn_only_selling_makes_room() -> None:
    """3ème champ: it is bought in one's own turn only, so another player has to harvest, rules of the house."""
    grower = seat_with(fields=(("blue_male",), ("soy_male",)), aside=(MISTER,), coins=(PLAIN,) * 3)
    table(phase="plant_aside", others={1: grower}) \
        .when(c.PlantAside(1, 0), by=1).then_refused(errors.FieldHoldsOtherBean) \
        .when(c.BuyField(), by=1).then_refused(errors.NotYourTurn) \
        .when(c.Harvest(0), by=1).then(e.FieldHarvested(1, 0, ("blue_male",), 0)) \
        .when(c.PlantAside(1, 0), by=1).then(e.AsidePlanted(1, 1, 0, MISTER), e.PhaseBegan("draw"))  # fmt: skip


def test_families_grow_together_here_too() -> None:
    """Déroulement: a family that grows already is planted on its field, whichever its kind."""
    before = table(phase="plant_aside", aside=(MISS, "red_baby"), fields=((), (MISTER,)))
    before.when(c.PlantAside(1, 0)).then_refused(errors.VarietyGrowsElsewhere)
    before.when(c.PlantAside(2, 0)).then_refused(errors.VarietyGrowsElsewhere)
    after = before.when(c.PlantAside(2, 1)).then(e.AsidePlanted(0, 2, 1, "red_baby"))
    assert field_of(after, 0, 1) == (MISTER, "red_baby")
