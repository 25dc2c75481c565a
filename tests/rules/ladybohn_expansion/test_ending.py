"""When the game ends. Sections are those of the Lady Bohn booklet."""

from events import commands as c
from events import domain_events as e
from tests.rules.ladybohn_expansion.tables import BLUE, CHILI, RED, table
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
