"""The Duel, Les cartes Bohnus, and what becomes of them in phase 4."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.catalogue import shipped_catalogue
from events.rules.duel_state import DuelSeat
from events.rules.state import Field
from tests.support.duels import given_duel, side
from tests.support.given import Given

STEP = "c40_123"
"""garden, red, black-eyed."""


def holding(field: Field, bonus: tuple[str, ...] = (STEP,), phase: str = "plant") -> Given:
    """Seat 0 holds bonus cards; the field is the second one of seat 1."""
    gifts = ((0, "blue"),) if phase == "answer_gift" else ()
    return given_duel(
        side(("red", "red")),
        side(("red",), ((), field, ())),
        phase=phase,
        gifts=gifts,
        bonus=(DuelSeat(bonus=bonus), DuelSeat(bonus=("c70_1234",))),
    )


@pytest.mark.parametrize(
    "phase", ["plant", "reveal", "offer_gift", "answer_gift", "plant_aside", "draw", "bonus"]
)
def test_a_sequence_on_top_of_any_field_is_claimed_at_any_moment(phase: str) -> None:
    """Peu importe que le champ soit le vôtre; the beans stay, the card lies open before its owner."""
    claimed = (
        holding(("garden", "red", "black_eyed"), phase=phase)
        .when(c.ClaimBonus(STEP, 1, 1), by=0)
        .then(e.BonusClaimed(0, STEP, 1, 1))
    )
    assert claimed.state.duel is not None
    assert claimed.state.duel.seats[0] == DuelSeat(claimed=(STEP,))
    assert claimed.state.seats[1].fields[1] == ("garden", "red", "black_eyed")


@pytest.mark.parametrize(
    "field",
    [
        (),
        ("red", "black_eyed"),
        ("garden", "red", "black_eyed", "black_eyed"),
        ("garden", "red", "red", "black_eyed"),
        ("garden", "red", "black_eyed", "soy"),
    ],
)
def test_the_topmost_cards_must_be_the_sequence_without_a_gap(field: Field) -> None:
    """La dernière carte plantée doit faire partie de la combinaison; contiguous is a house rule."""
    holding(field).when(c.ClaimBonus(STEP, 1, 1)).then_refused(errors.SequenceNotThere)


def test_what_lies_below_the_sequence_does_not_count() -> None:
    """Only the topmost cards are compared."""
    field = ("garden", "garden", "red", "black_eyed")
    holding(field).when(c.ClaimBonus(STEP, 1, 1)).then(e.BonusClaimed(0, STEP, 1, 1))


def test_a_symbol_may_stand_twice() -> None:
    """House: repeats."""
    table = holding(("garden", "red", "red"), ("c10_122",))
    table.when(c.ClaimBonus("c10_122", 1, 1)).then(e.BonusClaimed(0, "c10_122", 1, 1))


def test_only_a_held_card_of_an_existing_field_is_claimed() -> None:
    """What somebody else holds, or what is claimed already, is not held."""
    table = holding(("garden", "red", "black_eyed"))
    table.when(c.ClaimBonus("c70_1234", 1, 1)).then_refused(errors.BonusNotInHand)
    table.when(c.ClaimBonus("nothing", 1, 1)).then_refused(errors.BonusNotInHand)
    table.when(c.ClaimBonus(STEP, 2, 1)).then_refused(errors.NoSuchSeat)
    table.when(c.ClaimBonus(STEP, -1, 1)).then_refused(errors.NoSuchSeat)
    table.when(c.ClaimBonus(STEP, 1, 3)).then_refused(errors.NoSuchField)
    claimed = table.when(c.ClaimBonus(STEP, 1, 1)).then(e.BonusClaimed(0, STEP, 1, 1))
    claimed.when(c.ClaimBonus(STEP, 1, 1)).then_refused(errors.BonusNotInHand)


def test_the_same_beans_serve_several_cards_of_both_players() -> None:
    """House: a claim removes nothing."""
    table = given_duel(
        side(("red",), ((), ("garden", "red", "black_eyed", "soy"), ())),
        side(),
        bonus=(DuelSeat(bonus=("c70_1234",)), DuelSeat(bonus=("c40_234",))),
    )
    one = table.when(c.ClaimBonus("c70_1234", 0, 1)).then(e.BonusClaimed(0, "c70_1234", 0, 1))
    one.when(c.ClaimBonus("c40_234", 0, 1), by=1).then(e.BonusClaimed(1, "c40_234", 0, 1))


def test_a_harvest_ends_the_chance() -> None:
    """The field is empty then."""
    table = holding(("garden", "red", "black_eyed"))
    sold = table.when(c.Harvest(1), by=1).then(e.FieldHarvested(1, 1, ("garden", "red", "black_eyed"), 1))
    sold.when(c.ClaimBonus(STEP, 1, 1), by=0).then_refused(errors.SequenceNotThere)


def test_the_bonus_deck_has_32_cards_of_four_values() -> None:
    """Contenu: 32 cards; 10, 40, 70 or 100 cents. How many of each, and their sequences, are house."""
    deck = shipped_catalogue("the-duel").bonus
    counts = {cents: sum(1 for each in deck if each.cents == cents) for cents in (10, 40, 70, 100)}
    assert counts == {10: 7, 40: 13, 70: 5, 100: 7}
    assert len({each.sequence for each in deck}) == 32
    assert {each.provenance for each in deck} == {"house"}
