"""When the game ends. Sections are those of the Lady Bohn booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from tests.events.rules.ladybohn_expansion.tables import BLUE, CHILI, GREEN, HAND_OF_FOUR, RED, SOY, table
from tests.support.tables import seat_with


def test_the_turn_in_which_the_pile_runs_out_is_played_to_its_end() -> None:
    """End of the game: exhausted for the third time at the reveal, phases 3 and 4 are still played."""
    at = table(phase="reveal", hand=(), draw_pile=(RED, CHILI), exhaustions=2)
    at = at.when(c.Reveal()).then(
        e.CardsRevealed(0, (RED, CHILI)), e.PileExhausted("draw", 3), e.PhaseBegan("trade")
    )
    at = at.when(c.EndTrading()).then(e.TradingEnded(0, (RED, CHILI)), e.PhaseBegan("plant_aside"))
    at = at.when(c.PlantAside(1, 0)).then_among_others()
    at = at.when(c.PlantAside(2, 1)).then_among_others(e.PhaseBegan("draw"))
    after = at.when(c.Draw()).then_among_others(
        e.GameEnded((0, 0, 0), (0, 1, 2), "exhausted_in_this_turn"), e.DealerCalled("secret")
    )
    assert after.state.status == "ended"


def test_with_nothing_aside_phase_4_still_comes() -> None:
    """End of the game: neither ending of the basic game applies."""
    at = table(phase="trade", exhaustions=3, draw_pile=())
    at.when(c.EndTrading()).then(e.TradingEnded(0, ()), e.PhaseBegan("draw"))


def test_levies_are_still_taken_in_the_last_turn() -> None:
    """End of the game: the turn ends after the levies."""
    at = table(
        phase="draw", draw_pile=(BLUE,), exhaustions=2, levies=(0,), others={1: seat_with(coins=(RED,))}
    )
    at = at.when(c.Draw()).then(e.CardsDrawn(0, (BLUE,)), e.PileExhausted("draw", 3), e.PhaseBegan("levy"))
    at.when(c.Levy((1,))).then_among_others(
        e.CoinsLevied(0, (1,), (RED,)), e.GameEnded((1, 0, 0), (0,), "exhausted_in_this_turn")
    )


def test_the_second_exhaustion_is_not_the_end() -> None:
    """End of the game: emptied for the third time."""
    at = table(phase="draw", draw_pile=(BLUE, BLUE, BLUE), discard_pile=(), exhaustions=1)
    at.when(c.Draw()).then_among_others(e.PileExhausted("draw", 2), e.TurnBegan(1, 2))


@pytest.mark.parametrize("left", [1, 2, 3])
def test_after_the_last_exhaustion_in_phase_4_the_others_draw_nothing(left: int) -> None:
    """End of the game: no fourth pile is made from the discards; the game ends with this turn."""
    at = table(phase="draw", draw_pile=(BLUE, RED, SOY)[:left], discard_pile=(GREEN,) * 9, exhaustions=2)
    after = at.when(c.Draw()).then(
        *(e.CardsDrawn(seat, (card,)) for seat, card in enumerate((BLUE, RED, SOY)[:left])),
        e.PileExhausted("draw", 3),
        e.GameEnded((0, 0, 0), (0, 1, 2), "exhausted_in_this_turn"),
        e.DealerCalled("secret"),
    )
    assert after.state.status == "ended"


def test_a_swap_after_the_last_exhaustion_still_counts_for_nothing() -> None:
    """End of the game: at any time up to the end; hands are worth nothing."""
    at = (
        table(phase="draw", hand=HAND_OF_FOUR, draw_pile=(), exhaustions=3)
        .when(c.SwapHand(1))
        .then_among_others()
    )
    at.when(c.Draw()).then_among_others(e.GameEnded((0, 0, 0), (0, 1, 2), "exhausted_in_this_turn"))


def test_the_active_players_levy_of_the_last_turn_comes_before_the_final_harvest() -> None:
    """End of the game: it belongs to the turn; coins that the final harvest brings cannot be taken by it (house)."""
    at = table(
        phase="draw",
        draw_pile=(),
        exhaustions=3,
        levies=(0,),
        others={1: seat_with(fields=((BLUE,) * 4, ()))},
    )
    at.when(c.Draw()).then(
        e.CoinsLevied(0),
        e.FieldHarvested(1, 0, (BLUE,) * 4, 1, final=True),
        e.GameEnded((0, 1, 0), (1,), "exhausted_in_this_turn"),
        e.DealerCalled("secret"),
    )
