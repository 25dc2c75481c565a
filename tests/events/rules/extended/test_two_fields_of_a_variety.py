"""Where the French and the Italian booklet of the 154-card game differ: whether a variety may grow twice."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from tests.events.rules.games import Giving
from tests.support.tables import rules_of

FRENCH = Giving(rules_of("extended", 5))
ITALIAN = FRENCH.under(duplicate_fields=True)


def test_a_variety_that_grows_must_join_its_field() -> None:
    """Bohnanza (154), French booklet, 1: the card must be planted on the field of its variety."""
    table = FRENCH(fields=(("blue",), ()))
    table.when(c.Plant(1)).then_refused(errors.VarietyGrowsElsewhere)
    table.when(c.Plant(0)).then(e.BeanPlanted(0, 0, "blue"))


def test_a_variety_may_have_two_fields_by_option() -> None:
    """Bohnanza (154), Italian booklet, 1: it may be planted there; with the option also on an empty field."""
    table = ITALIAN(fields=(("blue",), ()))
    table.when(c.Plant(0)).then(e.BeanPlanted(0, 0, "blue"))
    twice = table.when(c.Plant(1)).then(e.BeanPlanted(0, 1, "blue"))
    assert twice.state.seats[0].fields == (("blue",), ("blue",))
    ITALIAN(fields=(("red",), ("blue",))).when(c.Plant(0)).then_refused(errors.FieldHoldsOtherBean)


def test_the_option_holds_for_what_lies_aside_too() -> None:
    """Bohnanza (154), Italian booklet, 3; rules of the house: all plantings follow the same rule."""
    for field in (0, 1):
        table = ITALIAN(phase="plant_aside", aside=("blue",), fields=(("blue",), ()))
        table.when(c.PlantAside(1, field)).then_among_others(e.AsidePlanted(0, 1, field, "blue"))


def test_the_option_belongs_to_the_games_with_154_cards() -> None:
    """Rules of the house: `classic` has no such option, because its booklet forbids a second field."""
    with pytest.raises(errors.UnknownOption):
        rules_of("classic", 3, {"duplicate_fields": True})
