"""Step 3: three cards are revealed, discards join them, and the rest is on offer.

Sections are those of the 154-card booklet, the bean duel for two.
"""

import pytest

from events import commands as c
from events import domain_events as e
from events.log.disclosure import PUBLIC
from events.rules import errors
from events.rules.table.player_view import player_view
from tests.events.rules.bean_duel.tables import given, offered


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


def test_revealed_cards_and_those_that_joined_lie_open() -> None:
    """Bean duel, 3: both players see the cards."""
    table = given(phase="reveal", draw_pile=("red", "soy", "blue", "chili"), discard_pile=("green", "soy"))
    after = table.when(c.Reveal()).then_among_others(e.DiscardsJoined(0, ("soy",)))
    for viewer in (PUBLIC, 0, 1):
        shown = player_view(after.state, viewer)["revealed"]
        assert [each["card"] for each in shown] == ["red", "soy", "blue", "soy"]


def test_fields_may_be_sold_between_the_plantings() -> None:
    """Bean duel, 3: the active player sells where that is needed or wanted, and plants on."""
    given(phase="plant_revealed", revealed=("red", "soy"), fields=(("blue",) * 4, ("chili",) * 3)) \
        .when(c.PlantRevealed(1, 0)).then_refused(errors.FieldHoldsOtherBean) \
        .when(c.Harvest(0)).then(e.FieldHarvested(0, 0, ("blue",) * 4, 1)) \
        .when(c.PlantRevealed(1, 0)).then(e.RevealedPlanted(0, 1, 0, "red")) \
        .when(c.Harvest(1)).then(e.FieldHarvested(0, 1, ("chili",) * 3, 1)) \
        .when(c.PlantRevealed(2, 1)).then(e.RevealedPlanted(0, 2, 1, "soy"))  # fmt: skip


def test_only_the_active_player_plants_revealed_cards() -> None:
    """Bean duel, 3: the opponent gets what is left, in the next turn."""
    given(phase="plant_revealed", revealed=("red",)).when(c.PlantRevealed(1, 0), by=1).then_refused(
        errors.NotYourTurn
    )


def test_a_revealed_card_goes_where_its_variety_may_grow() -> None:
    """Bean duel: planting follows the rules of the normal game."""
    table = given(phase="plant_revealed", revealed=("red",), fields=((), ("red",)))
    table.when(c.PlantRevealed(1, 0)).then_refused(errors.VarietyGrowsElsewhere)
    table.when(c.PlantRevealed(1, 1)).then(e.RevealedPlanted(0, 1, 1, "red"))
    table.when(c.PlantRevealed(1, 2)).then_refused(errors.NoSuchField)


@pytest.mark.parametrize("command", [c.Plant(0), c.Discard(1), c.Reveal(), c.DiscardRevealed(1)])
def test_nothing_is_done_again_after_the_reveal(command: c.Command) -> None:
    """Bean duel: the steps are done in the order named; what came before cannot be done any more."""
    given(phase="plant_revealed", revealed=("red",), planted=1).when(command).then_refused(errors.WrongPhase)
