"""Step 4, and what differs in selling and buying; there is no trading.

Sections are those of the 154-card booklet, the bean duel for two.
"""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.table.state import Seat
from tests.events.rules.bean_duel.tables import given
from tests.support.tables import rules_of, seat_with


def test_two_cards_are_drawn_to_the_back_of_the_hand() -> None:
    """Bean duel, 4: two cards, one after the other."""
    after = (
        given(phase="plant_revealed", hand=("blue",), draw_pile=("red", "soy", "chili"))
        .when(c.Draw())
        .then_among_others(e.CardsDrawn(0, ("red", "soy")), e.TurnBegan(1, 2))
    )
    assert [card for _, card in after.state.seats[0].hand] == ["blue", "red", "soy"]


@pytest.mark.parametrize("command", [c.Offer(1, (1,)), c.Accept(1), c.EndTrading(), c.PlantAside(1, 0)])
@pytest.mark.parametrize("phase", ["plant", "plant_revealed"])
def test_there_is_no_trading(
    phase: str,
    command: c.Offer | c.Accept | c.EndTrading,
) -> None:
    """Bean duel: the offer takes the place of trading."""
    given(phase=phase).when(command).then_refused(errors.UnknownCommand)


OPPONENT: dict[int, Seat] = {1: seat_with(fields=(("red", "red"), ()), coins=("soy",) * 3)}


@pytest.mark.parametrize("phase", ["offered", "plant", "discard", "reveal", "plant_revealed"])
def test_beans_are_sold_in_the_own_turn_only(phase: str) -> None:
    """Bean duel, changes: nobody sells in the turn of the other; the third field is bought at any time (house)."""
    revealed = ("red",) if phase == "offered" else ()
    table = given(phase=phase, others=OPPONENT, fields=(("soy", "soy"), ()), planted=1, revealed=revealed)
    table.when(c.Harvest(0), by=1).then_refused(errors.NotYourTurn)
    table.when(c.Harvest(0)).then(e.FieldHarvested(0, 0, ("soy", "soy"), 1))
    table.when(c.BuyField(), by=1).then(e.ThirdFieldBought(1, ("soy",) * 3, boxed=True))


def test_the_coins_for_the_third_field_leave_the_game() -> None:
    """Bean duel, changes: three coins go into the box; rules of the house: the top ones."""
    after = (
        given(coins=("red", "soy", "blue", "chili"))
        .when(c.BuyField())
        .then(e.ThirdFieldBought(0, ("chili", "blue", "soy"), boxed=True))
    )
    assert after.state.box == ("chili", "blue", "soy")
    assert after.state.discard_pile == ()
    assert after.state.seats[0].coins == ("red",)
    after.when(c.BuyField()).then_refused(errors.ThirdFieldOwned)


def test_two_coins_do_not_buy_a_third_field() -> None:
    """Bohnanza (154), buying a third field: it costs three coins."""
    given(coins=("red", "soy")).when(c.BuyField()).then_refused(errors.NotEnoughCoins)


def test_a_single_bean_is_protected() -> None:
    """Bohnanza (154), selling: a field with one bean is not sold while another holds more."""
    given(fields=(("red",), ("soy", "soy"))).when(c.Harvest(0)).then_refused(errors.BeanProtected)
    strict = rules_of("bean-duel", 2, {"bean_protection": "strict"})
    given(rules=strict, fields=(("red",), ())).when(c.Harvest(0)).then_refused(errors.BeanProtected)
    given(fields=(("red",), ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, ("red",), 0))


def test_a_variety_may_have_two_fields_by_option() -> None:
    """Bohnanza (154), Italian booklet, 1: a card may join its field; read so, it may also begin another one."""
    both = rules_of("bean-duel", 2, {"duplicate_fields": True})
    table = given(rules=both, phase="plant_revealed", revealed=("red",), fields=(("red",), ()))
    table.when(c.PlantRevealed(1, 1)).then(e.RevealedPlanted(0, 1, 1, "red"))
    table.when(c.PlantRevealed(1, 0)).then(e.RevealedPlanted(0, 1, 0, "red"))
