"""The examples of the 154-card booklet, played: with its cards, and the names of its players."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from tests.events.rules.games import Giving
from tests.support.given import Given
from tests.support.tables import rules_of, seat_with

FIVE = Giving(rules_of("extended", 5))

both_games = pytest.mark.parametrize("given", [FIVE, Giving(rules_of("bean-duel", 2))], ids=str)
"""The booklet's game, and its variant for two."""

# --- examples 1, 5 and 6: what a field pays ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("beans", "coins"), [(1, 0), (2, 0), (3, 1), (4, 1), (5, 2), (6, 2), (7, 3), (8, 4), (9, 4), (16, 4)]
)
@both_games
def test_the_booklets_example_1_of_stink_beans(given: Giving, beans: int, coins: int) -> None:
    """Bohnanza (154), example 1: 1 or 2 pay nothing, 3 or 4 one coin, 5 or 6 two, 7 three, 8 and more four."""
    field = ("stink",) * beans
    given(fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, coins))


@both_games
def test_the_booklets_example_5_of_marc_selling_three_chili_beans(given: Giving) -> None:
    """Bohnanza (154), example 5: Marc turns one chili bean over for his coin, and discards the other two."""
    field = ("chili",) * 3
    after = given(fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, 1))
    assert after.state.seats[0].coins == ("chili",)
    assert after.state.discard_pile == ("chili", "chili")


@both_games
def test_the_booklets_example_6_of_marc_selling_two_chili_beans(given: Giving) -> None:
    """Bohnanza (154), example 6: for two chili beans Marc gets nothing, since a coin needs three."""
    field = ("chili",) * 2
    after = given(fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, 0))
    assert after.state.seats[0].coins == ()


# --- examples 2 to 4: a trade ------------------------------------------------------------------------------


def stephane_trades() -> Given:
    """Stéphane (seat 0) has turned up a garden (1) and a soy bean (2), Anne (seat 1) holds a red one."""
    anne = seat_with(hand=("green", "red"))
    table = FIVE(phase="reveal", hand=("chili", "blue"), others={1: anne}, draw_pile=("garden", "soy") * 9)
    return table.when(c.Reveal()).then(e.CardsRevealed(0, ("garden", "soy")), e.PhaseBegan("trade"))


def test_the_booklets_example_2_of_stephane_asking_for_a_red_bean() -> None:
    """Bohnanza (154), example 2: he keeps the garden bean and asks everybody for a red one, for the soy bean."""
    offered = stephane_trades().when(c.Offer(revealed=(2,), want={"red": 1}))
    table = offered.then(e.OfferMade(1, 0, None, revealed=(2,), want={"red": 1}))
    table.when(c.Accept(1, (2,)), by=1).then(e.TradeMade(1, 0, 1, ("soy",), ("red",), (), (2,), (2,)))
    table.when(c.Accept(1, (1,)), by=1).then_refused(errors.PaymentMismatch)


def stephane_has_traded() -> Given:
    """Anne has given her red bean for the soy bean and a blue one of Stéphane's hand."""
    return (
        stephane_trades()
        .when(c.Offer(None, (2,), (2,), {"red": 1}))
        .then(e.OfferMade(1, 0, None, (2,), ("blue",), (2,), {"red": 1}))
        .when(c.Accept(1, (2,)), by=1)
        .then(e.TradeMade(1, 0, 1, ("blue", "soy"), ("red",), (2,), (2,), (2,)))
    )


def test_the_booklets_example_3_of_stephane_adding_a_blue_bean() -> None:
    """Bohnanza (154), example 3: he offers the soy bean and a blue one of his hand for a red bean."""
    table = stephane_has_traded()
    assert table.state.seats[0].hand == ((1, "chili"),)
    assert table.state.seats[1].hand == ((1, "green"),)
    assert table.state.revealed == ((1, "garden"),)


def test_the_booklets_example_4_of_stephane_planting_what_he_got_and_kept() -> None:
    """Bohnanza (154), example 4: he plants the red bean on his first field, the garden bean on his second."""
    planting = (
        stephane_has_traded()
        .when(c.EndTrading())
        .then(e.TradingEnded(0, ("garden",)), e.PhaseBegan("plant_aside"))
    )
    assert planting.state.seats[0].aside == ((1, "red"), (2, "garden"))
    assert [card for _, card in planting.state.seats[1].aside] == ["blue", "soy"]
    after = (
        planting.when(c.PlantAside(1, 0))
        .then(e.AsidePlanted(0, 1, 0, "red"))
        .when(c.PlantAside(2, 1))
        .then(e.AsidePlanted(0, 2, 1, "garden"))
    )
    assert after.state.seats[0].fields == (("red",), ("garden",))
    assert after.state.phase == "plant_aside", "Anne has still to plant her soy and blue beans"
