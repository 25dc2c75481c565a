"""Phase 1: planting from the hand. Sections are those of the 104-card booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.table.state import Field
from tests.events.rules.games import Giving, all_games, standard_games
from tests.support.tables import seat_with


@all_games
def test_the_front_card_is_planted_on_an_empty_field(given: Giving) -> None:
    """Bohnanza (104), phase 1: the first card of the hand goes on a field; the rest of the hand stays in order."""
    table = given(hand=("blue", "chili", "blue")).when(c.Plant(1)).then(e.BeanPlanted(0, 1, "blue"))
    assert table.state.seats[0].fields == ((), ("blue",))
    assert table.state.seats[0].hand == ((2, "chili"), (3, "blue"))


@all_games
def test_a_bean_joins_its_variety_on_top(given: Giving) -> None:
    """Bohnanza (104), phase 1, note: a variety that grows already is planted on its own field."""
    table = (
        given(hand=("stink",), fields=((), ("stink", "stink")))
        .when(c.Plant(1))
        .then(e.BeanPlanted(0, 1, "stink"), e.PhaseBegan("reveal"))
    )
    assert table.state.seats[0].fields == ((), ("stink",) * 3)


@all_games
def test_a_bean_that_grows_nowhere_goes_on_any_empty_field(given: Giving) -> None:
    """Bohnanza (154), 1: an empty field takes any variety, and the player chooses which one is begun."""
    for field in (0, 1):
        for card in dict.fromkeys(given.rules.deck):
            given(hand=(card, "x")).when(c.Plant(field)).then(e.BeanPlanted(0, field, card))


@all_games
def test_a_field_grows_without_limit(given: Giving) -> None:
    """Bohnanza (154), bean fields: as many cards of the variety as one can get."""
    for card, copies in given.rules.copies.items():
        if card in given.rules.deck:
            table = given(hand=(card, "x"), fields=((), (card,) * (copies - 1))).when(c.Plant(1))
            assert table.then(e.BeanPlanted(0, 1, card)).state.seats[0].fields == ((), (card,) * copies)


@all_games
def test_a_field_takes_one_variety_only(given: Giving) -> None:
    """Bohnanza (104), bean fields: each row holds a single variety."""
    given(hand=("blue", "chili"), fields=(("stink",), ())).when(c.Plant(0)).then_refused(
        errors.FieldHoldsOtherBean
    )


@all_games
def test_a_second_field_of_one_variety_is_refused(given: Giving) -> None:
    """Bohnanza (104), phase 1, note: two fields with the same bean are forbidden."""
    given(hand=("blue",), fields=(("blue",), ())).when(c.Plant(1)).then_refused(errors.VarietyGrowsElsewhere)


@all_games
def test_another_variety_is_refused_even_where_the_bean_grows_elsewhere(given: Giving) -> None:
    """Bohnanza (104), phase 1, note: only the field of the variety will do."""
    given(hand=("blue",), fields=(("blue",), ("chili",))).when(c.Plant(1)).then_refused(
        errors.FieldHoldsOtherBean
    )


@all_games
def test_any_field_may_be_sold_to_make_room(given: Giving) -> None:
    """Bohnanza (154), 1: the player chooses the field, sells it whole, and plants where it was."""
    for field, grown in ((0, ("stink", "stink")), (1, ("red",) * 3)):
        full = given(fields=(("stink", "stink"), ("red",) * 3))
        full.when(c.Plant(0)).then_refused(errors.FieldHoldsOtherBean)
        full.when(c.Plant(1)).then_refused(errors.FieldHoldsOtherBean)
        sold = full.when(c.Harvest(field)).then(e.FieldHarvested(0, field, grown, 2 * field))
        sold.when(c.Plant(field)).then(e.BeanPlanted(0, field, "blue"))


@pytest.mark.parametrize("field", [-1, 2, 3, 10**20])
@all_games
def test_a_field_that_one_does_not_have_is_refused(given: Giving, field: int) -> None:
    """Bohnanza (104), bean fields: two fields at the start, so numbers 0 and 1."""
    given().when(c.Plant(field)).then_refused(errors.NoSuchField)


@all_games
def test_the_third_field_can_be_planted_once_bought(given: Giving) -> None:
    """Bohnanza (104), bean fields: up to three rows with the third field."""
    given(fields=(("stink",), ("red",), ())).when(c.Plant(2)).then(e.BeanPlanted(0, 2, "blue"))


@standard_games
def test_a_second_card_may_be_planted_and_ends_the_phase(given: Giving) -> None:
    """Bohnanza (104), phase 1: a second card may follow, but no third."""
    given(hand=("blue", "blue", "blue")) \
        .when(c.Plant(0)).then(e.BeanPlanted(0, 0, "blue")) \
        .when(c.Plant(0)).then(e.BeanPlanted(0, 0, "blue"), e.PhaseBegan("reveal")) \
        .when(c.Plant(0)).then_refused(errors.WrongPhase)  # fmt: skip


@all_games
def test_the_second_card_may_go_to_the_same_field_or_to_another(given: Giving) -> None:
    """Bohnanza (154), phase 1: the same field will do, and need not be taken."""
    once = given(hand=("blue", "blue", "x")).when(c.Plant(1)).then(e.BeanPlanted(0, 1, "blue"))
    once.when(c.Plant(1)).then_among_others(e.BeanPlanted(0, 1, "blue"))
    other = given(hand=("blue", "red", "x")).when(c.Plant(1)).then(e.BeanPlanted(0, 1, "blue"))
    other.when(c.Plant(0)).then_among_others(e.BeanPlanted(0, 0, "red"))
    other.when(c.Plant(1)).then_refused(errors.FieldHoldsOtherBean)
    sold = given(hand=("blue", "red", "x"), fields=(("soy", "soy"), ())).when(c.Plant(1)).then_among_others()
    sold.when(c.Harvest(0)).then_among_others().when(c.Plant(0)).then_among_others(e.BeanPlanted(0, 0, "red"))


@all_games
def test_a_third_card_is_refused(given: Giving) -> None:
    """Bohnanza (104), phase 1: not more than two, also where a phase would go on after the second."""
    given(planted=2).when(c.Plant(0)).then_refused(errors.PlantedEnough)


@standard_games
def test_the_plantings_of_one_turn_do_not_count_in_the_next(given: Giving) -> None:
    """Bohnanza (104), phase 1: the limit is that of a turn, and so is the duty to plant the first card."""
    given(phase="draw", planted=2, others={1: seat_with(("red", "red", "red"))}) \
        .when(c.Draw()).then_among_others(e.TurnBegan(1, 2)) \
        .when(c.Reveal()).then_refused(errors.MustPlantFirst) \
        .when(c.Plant(0)).then(e.BeanPlanted(1, 0, "red")) \
        .when(c.Plant(0)).then(e.BeanPlanted(1, 0, "red"), e.PhaseBegan("reveal"))  # fmt: skip


@all_games
def test_an_empty_hand_has_nothing_to_plant(given: Giving) -> None:
    """Bohnanza (104), phase 1: without cards in hand there is nothing to plant."""
    given(hand=()).when(c.Plant(0)).then_refused(errors.HandEmpty)


@all_games
def test_the_phase_ends_with_the_last_card_of_the_hand(given: Giving) -> None:
    """Rules of the house: with nothing left to plant, phase 2 follows at once."""
    given(hand=("blue",)).when(c.Plant(0)).then(e.BeanPlanted(0, 0, "blue"), e.PhaseBegan("reveal"))


@all_games
def test_only_the_active_player_plants_from_the_hand(given: Giving) -> None:
    """Bohnanza (104), course of the game: the four actions are those of the player whose turn it is."""
    given().when(c.Plant(0), by=1).then_refused(errors.NotYourTurn)


@pytest.mark.parametrize("phase", ["reveal", "trade", "plant_aside", "draw"])
@standard_games
def test_the_hand_is_planted_in_phase_1_only(given: Giving, phase: str) -> None:
    """Bohnanza (104), course of the game: actions come in their order."""
    given(phase=phase).when(c.Plant(0)).then_refused(errors.WrongPhase)


@pytest.mark.parametrize(
    "fields",
    [(("stink",), ("red",)), (("stink", "stink"), ("red",)), (("stink",), ("red",), ("soy",))],
    ids=["singles", "one big", "three"],
)
@pytest.mark.parametrize("protection", ["lenient", "strict"])
@all_games
def test_room_can_always_be_made_by_harvesting(
    given: Giving, fields: tuple[Field, ...], protection: str
) -> None:
    """Bohnanza (104), phase 1: who cannot plant must sell a field, and some field can always be sold."""
    table = given.under(bean_protection=protection)(fields=fields)
    table.when(c.Plant(0)).then_refused(errors.FieldHoldsOtherBean)
    table.when(c.Harvest(0)).then_among_others(e.FieldHarvested(0, 0, fields[0], 0)).when(c.Plant(0)).then(
        e.BeanPlanted(0, 0, "blue")
    )
