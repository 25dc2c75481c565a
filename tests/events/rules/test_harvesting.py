"""Harvesting: who, when, for how much, and what becomes of the cards. Sections are those of the 104-card booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.log.disclosure import PUBLIC
from events.rules import errors
from events.rules.evolving.evolve import evolve
from events.rules.table.player_view import player_view
from events.rules.table.state import Field
from tests.events.rules.games import Giving, all_games, standard_games
from tests.support.tables import seat_with


@all_games
def test_a_field_is_sold_whole(given: Giving) -> None:
    """Bohnanza (104), harvest: coins off the top one at a time, the rest to the discards, its bottom lowest."""
    table = (
        given(fields=(("red",) * 4, ("stink",)), coins=("soy",), discard_pile=("blue",))
        .when(c.Harvest(0))
        .then(e.FieldHarvested(0, 0, ("red",) * 4, 3))
    )
    assert table.state.seats[0].coins == ("soy", "red", "red", "red")
    assert table.state.seats[0].fields == ((), ("stink",))
    assert table.state.discard_pile == ("blue", "red")


@all_games
def test_everybody_sees_coins_and_discards(given: Giving) -> None:
    """Bohnanza (104), harvest: the surplus lies bean side up; house: which cards became coins is public too."""
    sold = given(fields=(("stink",) * 4, ())).when(c.Harvest(0)).then_among_others()
    for viewer in (PUBLIC, *given.seats):
        view = player_view(sold.state, viewer)
        assert view["discard_pile"] == ["stink"] * 3
        assert view["seats"][0]["coins"] == ["stink"]


@all_games
def test_coins_and_discards_keep_their_order(given: Giving) -> None:
    """Rules of the house: the top card becomes the first coin; the rest is one packet, the bottom card lowest."""
    state = evolve(
        given(fields=(("a", "b", "c", "d"), ())).state, e.FieldHarvested(0, 0, ("a", "b", "c", "d"), 2)
    )
    assert state.seats[0].coins == ("d", "c")
    assert state.discard_pile == ("a", "b")


@all_games
def test_a_harvest_may_pay_nothing(given: Giving) -> None:
    """Bohnanza (104), aim of the game: sometimes there is nothing to earn, and all beans are discarded."""
    table = (
        given(fields=(("blue",) * 3, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, ("blue",) * 3, 0))
    )
    assert table.state.discard_pile == ("blue",) * 3


@all_games
def test_an_empty_field_cannot_be_harvested(given: Giving) -> None:
    """Bohnanza (104), harvest: there is nothing to sell."""
    given().when(c.Harvest(1)).then_refused(errors.FieldEmpty)


@pytest.mark.parametrize("field", [-1, 2])
@all_games
def test_a_field_that_one_does_not_have_cannot_be_harvested(given: Giving, field: int) -> None:
    """Bohnanza (104), bean fields: only one's own fields are there to sell."""
    given(fields=(("red", "red"), ("soy", "soy"))).when(c.Harvest(field)).then_refused(errors.NoSuchField)


@standard_games
def test_everybody_may_harvest_at_any_time(given: Giving) -> None:
    """Bohnanza (104), other actions: on and off turn, in every phase."""
    own = seat_with(fields=((), ("red",) * 2))
    for phase in given.phases:
        for seat in given.seats:
            given(phase=phase, others={seat: own}).when(c.Harvest(1), by=seat).then(
                e.FieldHarvested(seat, 1, ("red", "red"), 1)
            )


@all_games
def test_any_field_with_two_or_more_beans_may_be_harvested(given: Giving) -> None:
    """Bohnanza (154), harvests and sales: one's choice is free among the fields with two beans or more."""
    table = given(fields=(("red", "red"), ("soy",) * 4, ("stink",) * 9))
    for field, coins in ((0, 1), (1, 2), (2, 4)):
        table.when(c.Harvest(field)).then(
            e.FieldHarvested(0, field, table.state.seats[0].fields[field], coins)
        )


@all_games
def test_among_single_beans_any_one_may_be_sold(given: Giving) -> None:
    """Bohnanza (154), harvests and sales: where all fields hold one bean, the player chooses which to sell."""
    for protection in ("lenient", "strict"):
        singles = given.under(bean_protection=protection)(fields=(("red",), ("soy",), ("stink",)))
        for field, card in enumerate(("red", "soy", "stink")):
            sold = singles.when(c.Harvest(field)).then(e.FieldHarvested(0, field, (card,), 0))
            assert sold.state.seats[0].coins == ()
            assert sold.state.discard_pile == (card,)


@all_games
def test_nobody_harvests_the_fields_of_others(given: Giving) -> None:
    """Bohnanza (154), harvests and sales: beans are sold by whose field they grow on."""
    theirs = seat_with(fields=(("soy",) * 4, ()))
    given(fields=((), ("red", "red")), others={1: theirs}).when(c.Harvest(0)).then_refused(errors.FieldEmpty)


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
@pytest.mark.parametrize("protection", ["lenient", "strict"])
@all_games
def test_a_single_bean_is_protected(
    given: Giving, fields: tuple[Field, ...], sold_under: str, protection: str
) -> None:
    """Bohnanza (104), harvest, note: a single bean is sold only where all fields are like that.

    `lenient` (house): no other field holds two or more. `strict`: an empty field blocks it as well.
    """
    act = given.under(bean_protection=protection)(fields=fields).when(c.Harvest(0))
    if protection in sold_under:
        act.then(e.FieldHarvested(0, 0, fields[0], 1 if len(fields[0]) == 2 else 0))
    else:
        act.then_refused(errors.BeanProtected)


@standard_games
def test_a_harvest_touches_no_offer(given: Giving) -> None:
    """Rules of the house: offers stay open while somebody harvests or buys."""
    rich = seat_with(hand=("stink",), fields=(("red",) * 2, ()), coins=("soy",) * 3)
    offered = given(phase="trade", others={1: rich}).when(c.Offer(0, hand=(1,)), by=1).then_among_others()
    after = offered.when(c.Harvest(0), by=1).then(e.FieldHarvested(1, 0, ("red", "red"), 1)) \
        .when(c.BuyField(), by=1).then_among_others()  # fmt: skip
    assert len(after.state.seats[1].fields) == 3
    assert after.state.offers == offered.state.offers
