"""Harvesting: who, when, for how much, and what becomes of the cards. Sections are those of the 104-card booklet."""

from itertools import product

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.catalogue import shipped_catalogue
from events.rules.evolve import evolve
from events.rules.rule_system import Rules
from events.rules.state import Field
from tests.support.given import given
from tests.support.tables import classic_rules, seat_with

PHASES = ("plant", "reveal", "trade", "plant_aside", "draw")
LENIENT, STRICT = classic_rules(bean_protection="lenient"), classic_rules(bean_protection="strict")


def test_a_field_is_sold_whole() -> None:
    """Bohnanza (104), harvest: coins off the top one at a time, the rest to the discards, its bottom lowest."""
    table = (
        given(fields=(("red",) * 4, ("stink",)), coins=("soy",), discard_pile=("blue",))
        .when(c.Harvest(0))
        .then(e.FieldHarvested(0, 0, ("red",) * 4, 3))
    )
    assert table.state.seats[0].coins == ("soy", "red", "red", "red")
    assert table.state.seats[0].fields == ((), ("stink",))
    assert table.state.discard_pile == ("blue", "red")


def test_coins_and_discards_keep_their_order() -> None:
    """Rules of the house: the top card becomes the first coin; the rest is one packet, the bottom card lowest."""
    state = evolve(
        given(fields=(("a", "b", "c", "d"), ())).state, e.FieldHarvested(0, 0, ("a", "b", "c", "d"), 2)
    )
    assert state.seats[0].coins == ("d", "c")
    assert state.discard_pile == ("a", "b")


def test_a_harvest_may_pay_nothing() -> None:
    """Bohnanza (104), aim of the game: sometimes there is nothing to earn, and all beans are discarded."""
    table = (
        given(fields=(("blue",) * 3, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, ("blue",) * 3, 0))
    )
    assert table.state.discard_pile == ("blue",) * 3


@pytest.mark.parametrize(
    ("variety", "beans", "coins"),
    [
        (
            bean.card,
            beans,
            max((int(step) for step, needed in bean.beanometer.items() if needed <= beans), default=0),
        )
        for bean in shipped_catalogue("bohnanza-104").beans
        for beans in range(2, bean.copies + 1)
    ],
)
def test_pay_follows_the_beanometer(variety: str, beans: int, coins: int) -> None:
    """Bohnanza (104), bean cards: what a field pays at every size; above the last step it stays at that step."""
    field = (variety,) * beans
    given(fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, coins))


def test_red_beans_pay_as_in_the_printed_example() -> None:
    """Bohnanza (104), example 1: two red beans pay 1, three 2, four 3, five and more 4."""
    assert LENIENT.pay["red"][:9] == (0, 0, 1, 2, 3, 4, 4, 4, 4)


def test_garden_beans_pay_two_or_three_only() -> None:
    """Bohnanza (104), bean cards: the garden bean has two steps."""
    assert LENIENT.pay["garden"][:7] == (0, 0, 2, 3, 3, 3, 3)


def test_an_empty_field_cannot_be_harvested() -> None:
    """Bohnanza (104), harvest: there is nothing to sell."""
    given().when(c.Harvest(1)).then_refused(errors.FieldEmpty)


@pytest.mark.parametrize("field", [-1, 2])
def test_a_field_that_one_does_not_have_cannot_be_harvested(field: int) -> None:
    """Bohnanza (104), bean fields: only one's own fields are there to sell."""
    given(fields=(("red", "red"), ("soy", "soy"))).when(c.Harvest(field)).then_refused(errors.NoSuchField)


@pytest.mark.parametrize(("phase", "seat"), [*product(PHASES, (0, 1, 2))])
def test_everybody_may_harvest_at_any_time(phase: str, seat: int) -> None:
    """Bohnanza (104), other actions: on and off turn, in every phase."""
    own = seat_with(fields=((), ("red",) * 2))
    given(phase=phase, others={seat: own}).when(c.Harvest(1), by=seat).then(
        e.FieldHarvested(seat, 1, ("red", "red"), 1)
    )


@pytest.mark.parametrize(
    ("fields", "sold_under"),
    [
        ((("red",), ("soy",)), "lenient strict"),
        ((("red",), ("soy", "soy")), ""),
        ((("red",), ()), "lenient"),
        ((("red",), ("soy",), ("stink",)), "lenient strict"),
        ((("red",), ("soy",), ()), "lenient"),
        ((("red",), ("soy",), ("stink", "stink")), ""),
        ((("red",), (), ("stink", "stink")), ""),
        ((("red", "red"), ("soy",)), "lenient strict"),
    ],
)
@pytest.mark.parametrize("rules", [LENIENT, STRICT], ids=["lenient", "strict"])
def test_a_single_bean_is_protected(fields: tuple[Field, ...], sold_under: str, rules: Rules) -> None:
    """Bohnanza (104), harvest, note: a single bean is sold only where all fields are like that.

    `lenient` (house): no other field holds two or more. `strict`: an empty field blocks it as well.
    """
    act = given(fields=fields, rules=rules).when(c.Harvest(0))
    if str(rules.options["bean_protection"]) in sold_under:
        act.then(e.FieldHarvested(0, 0, fields[0], 1 if len(fields[0]) == 2 else 0))
    else:
        act.then_refused(errors.BeanProtected)


def test_a_harvest_touches_no_offer() -> None:
    """Rules of the house: offers stay open while somebody harvests or buys."""
    rich = seat_with(hand=("stink",), fields=(("red",) * 2, ()), coins=("soy",) * 3)
    offered = given(phase="trade", others={1: rich}).when(c.Offer(0, hand=(1,)), by=1).then_among_others()
    after = offered.when(c.Harvest(0), by=1).then(e.FieldHarvested(1, 0, ("red", "red"), 1)) \
        .when(c.BuyField(), by=1).then(e.ThirdFieldBought(1, ("red", "soy", "soy")))  # fmt: skip
    assert after.state.offers == offered.state.offers
