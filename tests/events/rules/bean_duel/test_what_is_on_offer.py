"""Step 1: what the opponent left is planted or discarded.

Sections are those of the 154-card booklet, the bean duel for two.
"""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from tests.events.rules.bean_duel.tables import given, offered


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
