"""The Duel, Les cartes Bohnus: which field a bonus card is claimed for, by whom and when."""

import msgspec
import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.catalogues.catalogue import BonusCard, shipped_catalogue
from events.rules.systems.the_duel.errors import BonusNotInHand, SequenceNotThere
from events.rules.systems.the_duel.table import DuelSeat
from events.rules.table.player_view import player_view
from events.rules.table.state import Field
from tests.support.duels import given_duel, side
from tests.support.given import Given

STEP = "c40_123"
"""garden, red, black-eyed."""


def holding(field: Field, bonus: tuple[str, ...] = (STEP,)) -> Given:
    """Seat 0 holds bonus cards; the field is the second one of seat 1."""
    return given_duel(
        side(("red", "red")),
        side(("red",), ((), field, ())),
        bonus=(DuelSeat(bonus=bonus), DuelSeat(bonus=("c70_1234",))),
    )


@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "phase", ["plant", "reveal", "offer_gift", "answer_gift", "plant_aside", "draw", "bonus"]
)
def test_a_sequence_on_top_of_any_field_is_claimed_at_any_moment(phase: str, seat: int, owner: int) -> None:
    """À tout moment, peu importe que le champ soit le vôtre: either player, either player's field, any phase.

    The beans stay, the bonus card lies open before who claimed it.
    """
    grown: tuple[Field, ...] = ((), ("garden", "red", "black_eyed"), ())
    sides = [side(("red", "red")), side(("red",), aside=("blue",) if phase == "plant_aside" else ())]
    sides[owner] = msgspec.structs.replace(sides[owner], fields=grown)
    held = [DuelSeat(bonus=("c10_122",)), DuelSeat(bonus=("c10_122",))]
    held[seat] = DuelSeat(bonus=(STEP, "c10_788"))
    gifts = ((0, "blue"),) if phase == "answer_gift" else ()
    table = given_duel(sides[0], sides[1], phase=phase, gifts=gifts, bonus=(held[0], held[1]))
    claimed = table.when(c.ClaimBonus(STEP, owner, 1), by=seat).then(e.BonusClaimed(seat, STEP, owner, 1))
    assert claimed.state.duel is not None
    assert claimed.state.duel.seats[seat] == DuelSeat(bonus=("c10_788",), claimed=(STEP,))
    assert claimed.state.duel.seats[1 - seat] == held[1 - seat]
    assert claimed.state.seats == table.state.seats
    for viewer in (-1, 0, 1):
        assert player_view(claimed.state, viewer)["duel"]["seats"][seat]["claimed"] == [STEP]


@pytest.mark.parametrize("bonus", ["c40_123", "c10_233", "c70_1234"])
def test_any_card_of_the_bonus_hand_may_be_claimed(bonus: str) -> None:
    """Règle fondamentale: the order of bonus cards binds nobody."""
    table = given_duel(
        side(("red",), (("garden", "red", "black_eyed", "soy"), ("garden", "red", "black_eyed"), ())),
        side((), (("red", "black_eyed", "black_eyed"), (), ())),
        bonus=(DuelSeat(bonus=("c40_123", "c10_233", "c70_1234")), DuelSeat()),
    )
    owner, field = {"c40_123": (0, 1), "c10_233": (1, 0), "c70_1234": (0, 0)}[bonus]
    claimed = table.when(c.ClaimBonus(bonus, owner, field)).then(e.BonusClaimed(0, bonus, owner, field))
    assert claimed.state.duel is not None
    assert len(claimed.state.duel.seats[0].bonus) == 2


@pytest.mark.parametrize("bonus", shipped_catalogue("the-duel").bonus, ids=lambda bonus: bonus.card)
def test_every_bonus_card_is_claimed_for_its_symbols_in_their_order(bonus: BonusCard) -> None:
    """L'ordre des symboles: grown bean by bean as fields grow; not before the last symbol, nor a bean later."""
    *first, last = bonus.sequence
    growing = given_duel(
        side((last, "blue"), (tuple(first), (), ())),
        side(),
        bonus=(DuelSeat(bonus=(bonus.card,)), DuelSeat()),
    )
    growing.when(c.ClaimBonus(bonus.card, 0, 0)).then_refused(SequenceNotThere)
    grown = growing.when(c.Plant(0)).then(e.BeanPlanted(0, 0, last))
    grown.when(c.ClaimBonus(bonus.card, 0, 0)).then(e.BonusClaimed(0, bonus.card, 0, 0))
    past = ("blue", *bonus.sequence, "blue") if last != "blue" else (*bonus.sequence, "garden")
    holding(past, (bonus.card,)).when(c.ClaimBonus(bonus.card, 1, 1)).then_refused(SequenceNotThere)


def test_each_symbol_stands_for_its_own_variety() -> None:
    """Chaque symbole représente une variété: a step of other varieties is another card's (house: particular ones)."""
    other = ("red", "black_eyed", "soy")
    holding(other, (STEP,)).when(c.ClaimBonus(STEP, 1, 1)).then_refused(SequenceNotThere)
    holding(other, ("c40_234",)).when(c.ClaimBonus("c40_234", 1, 1)).then_among_others(
        e.BonusClaimed(0, "c40_234", 1, 1)
    )


def test_it_does_not_matter_when_the_top_card_was_planted() -> None:
    """La dernière carte plantée: the last one of that field (house), even if other fields have grown since."""
    table = given_duel(
        side(("red", "red"), (("garden", "red", "black_eyed"), (), ())),
        side(),
        bonus=(DuelSeat(bonus=(STEP,)), DuelSeat()),
    )
    later = table.when(c.Plant(1)).then(e.BeanPlanted(0, 1, "red"))
    later.when(c.ClaimBonus(STEP, 0, 0)).then(e.BonusClaimed(0, STEP, 0, 0))


@pytest.mark.parametrize(
    "field",
    [
        (),
        ("red", "black_eyed"),
        ("garden", "red", "black_eyed", "black_eyed"),
        ("garden", "red", "red", "black_eyed"),
        ("garden", "red", "black_eyed", "soy"),
        ("black_eyed", "red", "garden"),
        ("garden", "black_eyed", "red"),
    ],
)
def test_the_topmost_cards_must_be_the_sequence_without_a_gap(field: Field) -> None:
    """La dernière carte plantée doit faire partie de la combinaison; contiguous is a house rule."""
    holding(field).when(c.ClaimBonus(STEP, 1, 1)).then_refused(SequenceNotThere)


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
    table.when(c.ClaimBonus("c70_1234", 1, 1)).then_refused(BonusNotInHand)
    table.when(c.ClaimBonus("nothing", 1, 1)).then_refused(BonusNotInHand)
    table.when(c.ClaimBonus(STEP, 2, 1)).then_refused(errors.NoSuchSeat)
    table.when(c.ClaimBonus(STEP, -1, 1)).then_refused(errors.NoSuchSeat)
    table.when(c.ClaimBonus(STEP, 1, 3)).then_refused(errors.NoSuchField)
    claimed = table.when(c.ClaimBonus(STEP, 1, 1)).then(e.BonusClaimed(0, STEP, 1, 1))
    claimed.when(c.ClaimBonus(STEP, 1, 1)).then_refused(BonusNotInHand)


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
    sold.when(c.ClaimBonus(STEP, 1, 1), by=0).then_refused(SequenceNotThere)


def test_the_bonus_deck_has_32_cards_of_four_values() -> None:
    """Contenu: 32 cards; 10, 40, 70 or 100 cents. How many of each, and their sequences, are house."""
    deck = shipped_catalogue("the-duel").bonus
    counts = {cents: sum(1 for each in deck if each.cents == cents) for cents in (10, 40, 70, 100)}
    assert counts == {10: 7, 40: 13, 70: 5, 100: 7}
    assert len({each.sequence for each in deck}) == 32
    assert {each.provenance for each in deck} == {"house"}
