"""Phase 3: planting what was traded or kept. Sections are those of the 104-card booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from tests.events.rules.games import Giving, standard_games
from tests.support.given import Given
from tests.support.tables import seat_with


def two_planters(given: Giving) -> Given:
    """The active player has two cards aside, seat 2 has one."""
    return given(phase="plant_aside", aside=("red", "soy"), others={2: seat_with(aside=("stink",))})


@standard_games
def test_cards_aside_are_planted_in_an_order_of_ones_own(given: Giving) -> None:
    """Bohnanza (104), growing: everybody lays the traded cards on their fields; the order is theirs."""
    two_planters(given) \
        .when(c.PlantAside(2, 0)).then(e.AsidePlanted(0, 2, 0, "soy")) \
        .when(c.PlantAside(1, 1)).then(e.AsidePlanted(0, 1, 1, "red"))  # fmt: skip


@standard_games
def test_nobody_waits_for_anybody(given: Giving) -> None:
    """Bohnanza (104), growing: another player may plant before, between and after the active one."""
    two_planters(given) \
        .when(c.PlantAside(1, 0)).then(e.AsidePlanted(0, 1, 0, "red")) \
        .when(c.PlantAside(1, 0), by=2).then(e.AsidePlanted(2, 1, 0, "stink")) \
        .when(c.PlantAside(2, 1)).then(e.AsidePlanted(0, 2, 1, "soy"), e.PhaseBegan("draw"))  # fmt: skip


@standard_games
def test_phase_4_waits_for_the_last_card_of_everybody(given: Giving) -> None:
    """Bohnanza (104), course of the game: drawing follows when all cards are planted."""
    two_planters(given) \
        .when(c.Draw()).then_refused(errors.WrongPhase) \
        .when(c.PlantAside(1, 0)).then(e.AsidePlanted(0, 1, 0, "red")) \
        .when(c.PlantAside(2, 1)).then(e.AsidePlanted(0, 2, 1, "soy")) \
        .when(c.Draw()).then_refused(errors.WrongPhase) \
        .when(c.PlantAside(1, 1), by=2).then(e.AsidePlanted(2, 1, 1, "stink"), e.PhaseBegan("draw"))  # fmt: skip


@pytest.mark.parametrize(("seat", "card"), [(0, 3), (0, 0), (1, 1), (2, 2)])
@standard_games
def test_only_a_card_that_lies_before_oneself_can_be_planted(given: Giving, seat: int, card: int) -> None:
    """Bohnanza (104), growing: everybody plants their own cards; a number is that of a card aside."""
    two_planters(given).when(c.PlantAside(card, 0), by=seat).then_refused(errors.NotAside)


@standard_games
def test_a_card_is_planted_once(given: Giving) -> None:
    """Bohnanza (104), growing: what is planted is gone."""
    two_planters(given).when(c.PlantAside(1, 0)).then_among_others().when(c.PlantAside(1, 0)).then_refused(
        errors.NotAside
    )


@standard_games
def test_fields_take_one_variety_as_in_phase_1(given: Giving) -> None:
    """Bohnanza (104), bean fields: the same rules for every planting."""
    table = given(phase="plant_aside", aside=("red", "soy"), fields=(("soy",), ()))
    table.when(c.PlantAside(1, 0)).then_refused(errors.FieldHoldsOtherBean)
    table.when(c.PlantAside(2, 1)).then_refused(errors.VarietyGrowsElsewhere)
    table.when(c.PlantAside(2, 2)).then_refused(errors.NoSuchField)


@standard_games
def test_who_has_no_room_harvests_first(given: Giving) -> None:
    """Bohnanza (104), growing: beans are sold to make room, by anybody who has to plant."""
    full = seat_with(aside=("stink",), fields=(("red", "red"), ("soy",)))
    given(phase="plant_aside", others={1: full}) \
        .when(c.PlantAside(1, 0), by=1).then_refused(errors.FieldHoldsOtherBean) \
        .when(c.Harvest(0), by=1).then(e.FieldHarvested(1, 0, ("red", "red"), 1)) \
        .when(c.PlantAside(1, 0), by=1).then(e.AsidePlanted(1, 1, 0, "stink"), e.PhaseBegan("draw"))  # fmt: skip


@pytest.mark.parametrize("phase", ["plant", "reveal", "trade", "draw"])
@standard_games
def test_cards_aside_are_planted_in_phase_3_only(given: Giving, phase: str) -> None:
    """Bohnanza (104), phase 2: received cards lie apart from the fields until trading is over."""
    given(phase=phase, aside=("red",)).when(c.PlantAside(1, 0)).then_refused(errors.WrongPhase)
