"""Step 2: one or two cards are planted from the hand, one may be discarded.

Sections are those of the 154-card booklet, the bean duel for two.
"""

import pytest

from events import commands as c
from events import domain_events as e
from events.log.disclosure import PUBLIC
from events.rules import errors
from events.rules.table.player_view import player_view
from tests.events.rules.bean_duel.tables import given
from tests.events.rules.games import Giving
from tests.support.tables import rules_of

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


@pytest.mark.parametrize("command", [c.Draw(), c.PlantRevealed(1, 0), c.DiscardRevealed(1)])
def test_cards_are_revealed_before_anything_else_is_done(command: c.Command) -> None:
    """Bean duel: the steps are done in the order named."""
    for phase, planted in (("plant", 0), ("plant", 1), ("discard", 2), ("reveal", 2)):
        given(hand=HAND, phase=phase, planted=planted).when(command).then_refused(errors.WrongPhase)


def test_a_discarded_hand_card_lies_open() -> None:
    """Bean duel, 2: it goes face up to the discard pile; house: from which place it came is not shown."""
    table = given(hand=HAND, planted=1).when(c.Discard(3)).then_among_others(e.HandCardDiscarded(0, 3, "red"))
    for viewer in (PUBLIC, 0, 1):
        assert player_view(table.state, viewer)["discard_pile"] == ["red"]
    assert "number" in e.HandCardDiscarded.private


def test_every_card_of_the_hand_may_be_discarded() -> None:
    """Bean duel, 2: a card from any place of the hand."""
    for number, card in enumerate(HAND[1:], 2):
        planted = given(hand=HAND).when(c.Plant(0)).then_among_others()
        planted.when(c.Discard(number)).then_among_others(e.HandCardDiscarded(0, number, card))


def test_the_option_for_two_fields_of_a_variety_holds_for_the_hand_too() -> None:
    """Bohnanza (154), Italian booklet, 1: a card may join its field, so it may also begin another one."""
    both = Giving(rules_of("bean-duel", 2, {"duplicate_fields": True}))
    for field in (0, 1):
        both(fields=(("blue",), ())).when(c.Plant(field)).then(e.BeanPlanted(0, field, "blue"))
