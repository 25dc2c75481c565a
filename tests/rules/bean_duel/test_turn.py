"""A turn of `bean-duel`, step by step. Sections are those of the 154-card booklet, the bean duel for two players."""

from typing import Any

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.state import Seat
from tests.support.given import Given
from tests.support.given import given as given_any
from tests.support.tables import rules_of, seat_with

RULES = rules_of("bean-duel", 2)


def given(**table: Any) -> Given:
    """A table of the bean duel."""
    return given_any(**{"rules": RULES, **table})


# --- 1: what is on offer -----------------------------------------------------------------------------------


def offered(**table: Any) -> Given:
    """A table with a red and a soy bean on offer, cards 1 and 2."""
    return given(**{"phase": "offered", "revealed": ("red", "soy"), **table})


def test_the_turn_begins_with_what_the_opponent_left() -> None:
    """Bean duel, 1: the cards left on offer come first; drawing ends the turn of the opponent."""
    given(phase="plant_revealed", revealed=("red",), active=1).when(c.Draw()).then(
        e.CardsDrawn(1, ("green", "green")), e.TurnBegan(0, 2), e.PhaseBegan("offered")
    )


def test_with_nothing_on_offer_the_turn_begins_with_the_hand() -> None:
    """Bean duel, 1: where nothing was left, as in the very first turn, the step is skipped."""
    given(phase="plant_revealed", active=1).when(c.Draw()).then_among_others(e.PhaseBegan("plant"))


def test_cards_on_offer_are_planted_or_discarded_in_any_order() -> None:
    """Bean duel, 1: each card is planted or discarded; with the last one the hand is due."""
    table = (
        offered(discard_pile=("blue",))
        .when(c.PlantRevealed(2, 0))
        .then(e.RevealedPlanted(0, 2, 0, "soy"))
        .when(c.DiscardRevealed(1))
        .then(e.RevealedDiscarded(0, 1, "red"), e.PhaseBegan("plant"))
    )
    assert table.state.seats[0].fields == (("soy",), ())
    assert table.state.discard_pile == ("blue", "red")


def test_discarding_is_always_allowed() -> None:
    """Bean duel, 1: also a card that could be planted may be discarded."""
    offered(fields=(("red",), ())).when(c.DiscardRevealed(1)).then(e.RevealedDiscarded(0, 1, "red"))


def test_the_opponents_cards_are_refused_to_who_is_not_active() -> None:
    """Bean duel, 1: only the active player plants and discards."""
    offered().when(c.PlantRevealed(1, 0), by=1).then_refused(errors.NotYourTurn)
    offered().when(c.DiscardRevealed(1), by=1).then_refused(errors.NotYourTurn)


def test_a_card_on_offer_goes_where_its_variety_may_grow() -> None:
    """Bean duel, 1: planting follows the rules of fields."""
    offered(fields=(("blue",), ("red",))).when(c.PlantRevealed(1, 0)).then_refused(errors.FieldHoldsOtherBean)
    offered(fields=((), ("red",))).when(c.PlantRevealed(1, 0)).then_refused(errors.VarietyGrowsElsewhere)
    offered().when(c.PlantRevealed(1, 2)).then_refused(errors.NoSuchField)


@pytest.mark.parametrize("command", [c.PlantRevealed(3, 0), c.DiscardRevealed(0)])
def test_only_what_lies_there_can_be_named(command: c.PlantRevealed | c.DiscardRevealed) -> None:
    """Bean duel, 1: cards are named by their numbers."""
    offered().when(command).then_refused(errors.NotRevealed)


@pytest.mark.parametrize("command", [c.Plant(0), c.Reveal(), c.Draw(), c.Discard(1)])
def test_nothing_else_comes_before_what_is_on_offer(command: c.Plant | c.Reveal | c.Draw | c.Discard) -> None:
    """Bean duel: the steps are done in the order named."""
    offered().when(command).then_refused(errors.WrongPhase)


def test_an_empty_hand_skips_planting_and_discarding() -> None:
    """Bean duel, 2; rules of the house: with an empty hand there is nothing to plant first."""
    offered(hand=(), revealed=("red",)).when(c.DiscardRevealed(1)).then(
        e.RevealedDiscarded(0, 1, "red"), e.PhaseBegan("reveal")
    )


# --- 2: the hand -------------------------------------------------------------------------------------------

HAND = ("blue", "chili", "red", "soy")


def test_the_first_planting_is_a_must() -> None:
    """Bean duel, 2: one or two cards are planted as in the normal game, the first is a must."""
    given(hand=HAND).when(c.Reveal()).then_refused(errors.MustPlantFirst)
    given(hand=HAND).when(c.Discard(1)).then_refused(errors.MustPlantFirst)


def test_after_one_planting_a_card_may_be_discarded_from_any_place() -> None:
    """Bean duel, 2: the discard comes after one or two plantings, and ends planting from the hand (house)."""
    table = (
        given(hand=HAND)
        .when(c.Plant(0))
        .then(e.BeanPlanted(0, 0, "blue"))
        .when(c.Discard(3))
        .then(e.HandCardDiscarded(0, 3, "red"), e.PhaseBegan("reveal"))
    )
    assert table.state.discard_pile == ("red",)
    assert table.state.seats[0].hand == ((2, "chili"), (4, "soy"))
    table.when(c.Plant(1)).then_refused(errors.WrongPhase)
    table.when(c.Discard(2)).then_refused(errors.WrongPhase)


def test_after_two_plantings_a_card_may_be_discarded() -> None:
    """Bean duel, 2: not a third card is planted; one may be discarded, or cards are revealed at once."""
    table = (
        given(hand=HAND)
        .when(c.Plant(0))
        .then(e.BeanPlanted(0, 0, "blue"))
        .when(c.Plant(1))
        .then(e.BeanPlanted(0, 1, "chili"), e.PhaseBegan("discard"))
    )
    table.when(c.Plant(0)).then_refused(errors.WrongPhase)
    table.when(c.Discard(4)).then(e.HandCardDiscarded(0, 4, "soy"), e.PhaseBegan("reveal"))
    table.when(c.Reveal()).then_among_others(e.CardsRevealed(0, ("green",) * 3))


def test_only_a_card_in_hand_can_be_discarded() -> None:
    """Bean duel, 2: one card from the own hand."""
    planted = given(hand=HAND, planted=1)
    planted.when(c.Discard(5)).then_refused(errors.NotInHand)
    planted.when(c.Discard(2), by=1).then_refused(errors.NotYourTurn)


def test_with_the_last_card_planted_there_is_nothing_to_discard() -> None:
    """Bean duel, 2; rules of the house: an empty hand ends the step."""
    given(hand=("blue",)).when(c.Plant(0)).then(e.BeanPlanted(0, 0, "blue"), e.PhaseBegan("reveal"))


# --- 3: revealed cards -------------------------------------------------------------------------------------


def test_three_cards_are_revealed_and_discards_join_them() -> None:
    """Bean duel, 3: while the top of the discard pile matches a revealed card it is added to them."""
    table = given(
        phase="reveal",
        draw_pile=("red", "soy", "blue", "chili"),
        discard_pile=("red", "stink", "soy", "red", "red"),
    )
    after = table.when(c.Reveal()).then(
        e.CardsRevealed(0, ("red", "soy", "blue")),
        e.DiscardsJoined(0, ("red", "red", "soy")),
        e.PhaseBegan("plant_revealed"),
    )
    assert after.state.discard_pile == ("red", "stink")
    assert [card for _, card in after.state.revealed] == ["red", "soy", "blue", "red", "red", "soy"]
    assert [number for number, _ in after.state.revealed] == [1, 2, 3, 4, 5, 6]


def test_where_the_top_discard_matches_nothing_none_joins() -> None:
    """Bean duel, 3: it stops at the first card that does not match."""
    given(phase="reveal", draw_pile=("red", "soy", "blue", "red"), discard_pile=("red", "stink")).when(
        c.Reveal()
    ).then(e.CardsRevealed(0, ("red", "soy", "blue")), e.PhaseBegan("plant_revealed"))


def test_the_whole_discard_pile_may_join() -> None:
    """Bean duel, 3: as long as the top card matches."""
    after = (
        given(phase="reveal", draw_pile=("red",) * 4, discard_pile=("red", "red"))
        .when(c.Reveal())
        .then(
            e.CardsRevealed(0, ("red",) * 3),
            e.DiscardsJoined(0, ("red", "red")),
            e.PhaseBegan("plant_revealed"),
        )
    )
    assert after.state.discard_pile == ()


def test_cards_discarded_later_do_not_join() -> None:
    """Bean duel, 3; rules of the house: discards join once, directly after the reveal."""
    table = given(phase="plant_revealed", revealed=("red",), fields=(("red", "red"), ()))
    after = table.when(c.Harvest(0)).then(e.FieldHarvested(0, 0, ("red", "red"), 1))
    assert after.state.discard_pile == ("red",)
    assert [card for _, card in after.state.revealed] == ["red"]


def test_as_many_cards_as_wanted_are_planted_and_the_rest_is_the_offer() -> None:
    """Bean duel, 3: cards from draw pile and discard pile may be planted; what is left is for the opponent."""
    after = (
        given(phase="plant_revealed", revealed=("red", "soy", "red"))
        .when(c.PlantRevealed(3, 1))
        .then(e.RevealedPlanted(0, 3, 1, "red"))
        .when(c.PlantRevealed(1, 1))
        .then(e.RevealedPlanted(0, 1, 1, "red"))
        .when(c.Draw())
        .then_among_others(e.TurnBegan(1, 2), e.PhaseBegan("offered"))
    )
    assert after.state.revealed == ((2, "soy"),)
    after.when(c.PlantRevealed(2, 0)).then_among_others(e.RevealedPlanted(1, 2, 0, "soy"))


def test_no_revealed_card_need_be_planted() -> None:
    """Bean duel, 3: planting none is allowed; drawing ends the step (house)."""
    given(phase="plant_revealed", revealed=("red", "soy")).when(c.Draw()).then_among_others(
        e.CardsDrawn(0, ("green", "green")), e.PhaseBegan("offered")
    )


def test_revealed_cards_cannot_be_discarded_by_who_revealed_them() -> None:
    """Bean duel, 3: what is not planted is left on offer."""
    given(phase="plant_revealed", revealed=("red",)).when(c.DiscardRevealed(1)).then_refused(
        errors.WrongPhase
    )


def test_numbers_go_on_from_what_was_on_offer() -> None:
    """Rules of the house: a revealed card has a number of its own, so a command never means another one."""
    table = offered(hand=()).when(c.DiscardRevealed(1)).then(e.RevealedDiscarded(0, 1, "red"))
    revealing = table.when(c.PlantRevealed(2, 0)).then_among_others(e.PhaseBegan("reveal"))
    after = revealing.when(c.Reveal()).then_among_others(e.PhaseBegan("plant_revealed"))
    assert [number for number, _ in after.state.revealed] == [3, 4, 5]


# --- 4: drawing, and no trading ----------------------------------------------------------------------------


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
