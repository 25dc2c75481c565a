"""The Duel, Fin de la partie: when the game ends."""

import msgspec
import pytest

from events import commands as c
from events import domain_events as e
from tests.support.duels import given_duel, side
from tests.support.given import Given

REASON = "exhausted_before_drawing"


def test_the_pile_running_out_in_phase_2_ends_the_game_after_phase_3() -> None:
    """The gifts and plantings of this turn are still played; phase 4 is not."""
    table = given_duel(side(("red",)), side(), phase="reveal", draw_pile=("blue", "blue"))
    offering = table.when(c.Reveal()).then(
        e.CardsRevealed(0, ("blue", "blue")), e.PileExhausted("draw", 1), e.PhaseBegan("offer_gift")
    )
    given = (
        offering.when(c.OfferGift("blue"))
        .then_among_others(e.GiftOffered(0, "blue"))
        .when(c.AcceptGift(), by=1)
        .then_among_others(e.PhaseBegan("plant_aside"))
        .when(c.PlantRevealed(2, 0))
        .then(e.RevealedPlanted(0, 2, 0, "blue"))
    )
    given.when(c.PlantAside(1, 0), by=1).then(
        e.AsidePlanted(1, 1, 0, "blue"),
        e.FieldHarvested(0, 0, ("blue",), 0, final=True),
        e.FieldHarvested(1, 0, ("blue",), 0, final=True),
        e.GameEnded((0, 0), (1,), REASON, "cents"),
        e.DealerCalled("secret"),
    )


def test_the_pile_running_out_in_phase_4_ends_the_game_after_phase_3_of_the_next_turn() -> None:
    """House: bonus hands are still refilled, and the next turn is played with what there is."""
    table = given_duel(side(("red",)), side(("soy",)), phase="draw", draw_pile=("blue",), bonus_pile=())
    drawn = table.when(c.Draw()).then(
        e.CardsDrawn(0, ("blue",)), e.PileExhausted("draw", 1), e.PhaseBegan("bonus")
    )
    begun = (
        drawn.when(c.KeepBonus(), by=0)
        .then(e.BonusKept(0))
        .when(c.KeepBonus(), by=1)
        .then(e.BonusKept(1), e.TurnBegan(1, 2), e.PhaseBegan("plant"))
    )
    planted = begun.when(c.Plant(0)).then(e.BeanPlanted(1, 0, "soy"), e.PhaseBegan("reveal"))
    planted.when(c.Reveal()).then_among_others(
        e.CardsRevealed(1, ()), e.GameEnded((0, 0), (1,), REASON, "cents")
    )


@pytest.mark.parametrize(("pile", "phase"), [(1, "reveal"), (3, "reveal"), (1, "draw"), (2, "draw")])
def test_the_bean_pile_is_never_refilled_from_its_discards(pile: int, phase: str) -> None:
    """Lorsque la pioche est vide: once, whether a card is still owed or just not; discards stay where they are."""
    table = given_duel(side(("red",)), side(("soy",)), phase=phase, draw_pile=("blue",) * pile)
    state = msgspec.structs.replace(table.state, discard_pile=("chili",) * 5)
    command = c.Reveal() if phase == "reveal" else c.Draw()
    taken = Given(table.rules, state).when(command).then_among_others(e.PileExhausted("draw", 1))
    assert (taken.state.draw_pile, taken.state.discard_pile) == ((), ("chili",) * 5)
    assert taken.state.due is None
    assert taken.state.phase == ("offer_gift" if phase == "reveal" else "bonus")


def test_a_pile_with_one_card_left_has_not_run_out() -> None:
    """Lorsque la pioche est vide: the last card counts, so phase 4 is still played."""
    table = given_duel(side(("red",)), side(), phase="plant_aside", revealed=("blue",), draw_pile=("soy",))
    table.when(c.PlantRevealed(1, 0)).then(e.RevealedPlanted(0, 1, 0, "blue"), e.PhaseBegan("draw"))


def test_the_game_ends_only_when_both_have_planted() -> None:
    """Après la phase 3: whoever plants the last card that lies aside ends the game."""
    table = given_duel(
        side(("red",)),
        side((), aside=("soy",)),
        phase="plant_aside",
        revealed=("blue",),
        draw_pile=(),
        exhaustions=1,
    )
    one = table.when(c.PlantRevealed(1, 0)).then(e.RevealedPlanted(0, 1, 0, "blue"))
    assert one.state.status == "running"
    one.when(c.PlantAside(1, 0), by=1).then_among_others(e.GameEnded((0, 0), (1,), REASON, "cents"))


def test_an_accepted_bluff_with_nothing_to_plant_ends_the_last_turn() -> None:
    """Après la phase 3: there is nothing in it, and the coin paid counts for its new owner."""
    table = given_duel(
        side(("red",), coins=("blue",)),
        side(),
        phase="answer_gift",
        gifts=((0, "soy"),),
        draw_pile=(),
        exhaustions=1,
    )
    table.when(c.AcceptGift(), by=1).then_among_others(
        e.BluffPaid(0, 1), e.GameEnded((0, 100), (1,), REASON, "cents")
    )
