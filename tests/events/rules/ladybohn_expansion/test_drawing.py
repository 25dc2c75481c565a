"""Phase 4: one card for everybody. Sections are those of the Lady Bohn booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules.move import DEALER
from tests.events.rules.ladybohn_expansion.tables import BLUE, CHILI, GREEN, RED, SOY, STINK, table


@pytest.mark.parametrize("active", [0, 2])
def test_everybody_draws_exactly_one_card_the_active_player_first(active: int) -> None:
    """The play course, C: clockwise from the player in turn, to the back of the hand."""
    at = table(phase="draw", active=active, draw_pile=(BLUE, RED, SOY, GREEN))
    second, third = (active + 1) % 3, (active + 2) % 3
    after = at.when(c.Draw()).then(
        e.CardsDrawn(active, (BLUE,)),
        e.CardsDrawn(second, (RED,)),
        e.CardsDrawn(third, (SOY,)),
        e.TurnBegan(second, 2),
        e.PhaseBegan("plant"),
    )
    assert [seat.hand[-1][1] for seat in after.state.seats][active] == BLUE


@pytest.mark.parametrize("left", [1, 2, 3])
def test_a_shuffle_in_the_middle_goes_on_with_who_is_next(left: int) -> None:
    """House: the pile is refilled the moment it empties, and the draw under way goes on."""
    pile, fresh = (BLUE, RED, SOY)[:left], (STINK, CHILI, GREEN, GREEN)
    at = table(phase="draw", draw_pile=pile, discard_pile=fresh)
    drawn = [e.CardsDrawn(seat, (card,)) for seat, card in enumerate(pile)]
    called = e.DealerCalled("shuffle", "draw", "draw", left - 1, 0)
    at = at.when(c.Draw()).then(*drawn, e.PileExhausted("draw", 1), called)
    rest = [e.CardsDrawn(seat, (fresh[seat - left],)) for seat in range(left, 3)]
    at.when(c.Shuffle("draw", fresh), by=DEALER).then(
        e.PileShuffled("draw", 2, fresh), *rest, e.TurnBegan(1, 2), e.PhaseBegan("plant")
    )


def test_empty_draws_yield_nothing() -> None:
    """House: with nothing to draw and nothing to shuffle the others get nothing."""
    at = table(phase="draw", draw_pile=(BLUE,), discard_pile=(), exhaustions=0)
    at.when(c.Draw()).then(
        e.CardsDrawn(0, (BLUE,)), e.PileExhausted("draw", 1), e.TurnBegan(1, 2), e.PhaseBegan("plant")
    )
