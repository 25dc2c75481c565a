"""Phase 4, and what happens when the draw pile runs out. Sections are those of the 104-card booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.move import DEALER
from tests.support.given import Given, given
from tests.support.tables import seat_with


def test_three_cards_join_the_back_of_the_hand() -> None:
    """Bohnanza (104), phase 3 (drawing): three cards, one by one, behind the others; then the next player's turn."""
    table = (
        given(phase="draw", draw_pile=("red", "soy", "stink", "blue"))
        .when(c.Draw())
        .then(e.CardsDrawn(0, ("red", "soy", "stink")), e.TurnBegan(1, 2), e.PhaseBegan("plant"))
    )
    assert table.state.seats[0].hand == ((1, "blue"), (2, "chili"), (3, "red"), (4, "soy"), (5, "stink"))
    assert table.state.seats[0].next_number == 6


def test_the_turn_passes_clockwise() -> None:
    """Bohnanza (104), phase 3 (drawing): after the last seat comes the first."""
    given(phase="draw", active=2).when(c.Draw()).then_among_others(e.TurnBegan(0, 2))


def test_only_the_active_player_draws() -> None:
    """Bohnanza (104), phase 3 (drawing): the cards are the active player's."""
    given(phase="draw").when(c.Draw(), by=1).then_refused(errors.NotYourTurn)


@pytest.mark.parametrize("phase", ["plant", "reveal", "trade", "plant_aside"])
def test_drawing_comes_last(phase: str) -> None:
    """Bohnanza (104), course of the game: actions come in their order."""
    given(phase=phase).when(c.Draw()).then_refused(errors.WrongPhase)


def test_harvests_and_purchases_may_precede_the_draw() -> None:
    """Rules of the house: phase 4 begins with the draw, and until then the turn is not over."""
    given(phase="draw", fields=(("red",) * 5, ()), coins=()) \
        .when(c.Harvest(0)).then(e.FieldHarvested(0, 0, ("red",) * 5, 4)) \
        .when(c.BuyField()).then(e.ThirdFieldBought(0, ("red",) * 3)) \
        .when(c.Draw()).then_among_others(e.TurnBegan(1, 2))  # fmt: skip


# --- the pile runs out -------------------------------------------------------------------------------------


def test_a_draw_under_way_goes_on_from_the_new_pile() -> None:
    """Bohnanza (104), end of the game: the discards are shuffled as soon as the pile is empty."""
    table = given(phase="draw", draw_pile=("red",), discard_pile=("stink", "soy", "blue"), exhaustions=0) \
        .when(c.Draw()).then(
            e.CardsDrawn(0, ("red",)), e.PileExhausted("draw", 1), e.DealerCalled("shuffle", "draw", "draw", 0, 2)
        ) \
        .when(c.Shuffle("draw", ("soy", "blue", "stink")), by=DEALER).then(
            e.PileShuffled("draw", 2, ("soy", "blue", "stink")), e.CardsDrawn(0, ("soy", "blue")),
            e.TurnBegan(1, 2), e.PhaseBegan("plant"),
        )  # fmt: skip
    assert table.state.draw_pile == ("stink",)
    assert table.state.discard_pile == ()
    assert [card for _, card in table.state.seats[0].hand] == ["blue", "chili", "red", "soy", "blue"]


def test_the_last_owed_card_exhausts_the_pile_too() -> None:
    """Bohnanza (104), end of the game: the pile is shuffled at once, though nothing more is owed."""
    given(phase="draw", draw_pile=("red",) * 3, discard_pile=("stink",)) \
        .when(c.Draw()).then(
            e.CardsDrawn(0, ("red",) * 3), e.PileExhausted("draw", 1), e.DealerCalled("shuffle", "draw", "draw", 0, 0)
        ) \
        .when(c.Shuffle("draw", ("stink",)), by=DEALER).then(
            e.PileShuffled("draw", 2, ("stink",)), e.TurnBegan(1, 2), e.PhaseBegan("plant")
        )  # fmt: skip


def test_revealing_goes_on_from_the_new_pile() -> None:
    """Bohnanza (104), end of the game: shuffled in the middle of revealing as well."""
    table = given(phase="reveal", draw_pile=("red",), discard_pile=("stink", "soy")) \
        .when(c.Reveal()).then(
            e.CardsRevealed(0, ("red",)), e.PileExhausted("draw", 1),
            e.DealerCalled("shuffle", "draw", "reveal", 0, 1),
        ) \
        .when(c.Shuffle("draw", ("soy", "stink")), by=DEALER).then(
            e.PileShuffled("draw", 2, ("soy", "stink")), e.CardsRevealed(0, ("soy",)), e.PhaseBegan("trade")
        )  # fmt: skip
    assert table.state.revealed == ((1, "red"), (2, "soy"))


def test_a_new_pile_can_be_exhausted_by_the_same_draw() -> None:
    """Bohnanza (104), end of the game: a small new pile runs out at once and counts again."""
    given(phase="draw", draw_pile=("red",), discard_pile=("stink",), exhaustions=0) \
        .when(c.Draw()).then_among_others(e.PileExhausted("draw", 1)) \
        .when(c.Shuffle("draw", ("stink",)), by=DEALER).then(
            e.PileShuffled("draw", 2, ("stink",)), e.CardsDrawn(0, ("stink",)), e.PileExhausted("draw", 2),
            e.TurnBegan(1, 2), e.PhaseBegan("plant"),
        )  # fmt: skip


def nothing_to_shuffle() -> Given:
    """The pile is empty, was counted, and there are no discards."""
    fields = (("red", "red", "red"), ())
    return given(phase="draw", draw_pile=(), exhaustions=1, others={1: seat_with(("stink",), fields)})


def test_with_nothing_to_shuffle_draws_yield_what_there_is() -> None:
    """Rules of the house: an empty pile and no discards: nothing is drawn, and the game goes on."""
    given(phase="draw", draw_pile=("red",)).when(c.Draw()).then(
        e.CardsDrawn(0, ("red",)), e.PileExhausted("draw", 1), e.TurnBegan(1, 2), e.PhaseBegan("plant")
    )
    nothing_to_shuffle().when(c.Draw()).then(e.TurnBegan(1, 2), e.PhaseBegan("plant"))
    given(phase="reveal", draw_pile=(), exhaustions=2).when(c.Reveal()).then(
        e.CardsRevealed(0, ()), e.PhaseBegan("trade")
    )


def test_discards_made_later_refill_the_pile_uncounted() -> None:
    """Rules of the house: the next draw that finds discards has them shuffled, and that is no new exhaustion."""
    table = nothing_to_shuffle() \
        .when(c.Harvest(0), by=1).then(e.FieldHarvested(1, 0, ("red",) * 3, 2)) \
        .when(c.Draw()).then(e.DealerCalled("shuffle", "draw", "draw", 0, 3)) \
        .when(c.Shuffle("draw", ("red",)), by=DEALER).then(
            e.PileShuffled("draw", 2, ("red",)), e.CardsDrawn(0, ("red",)), e.PileExhausted("draw", 2),
            e.TurnBegan(1, 2), e.PhaseBegan("plant"),
        )  # fmt: skip
    assert table.state.exhaustions == 2


def test_a_pile_of_exactly_the_owed_cards_leaves_the_discards_to_be_shuffled() -> None:
    """Bohnanza (104), end of the game: the last revealed card exhausts the pile, the new one waits for phase 4."""
    given(phase="reveal", draw_pile=("red", "soy"), discard_pile=("stink",), exhaustions=1) \
        .when(c.Reveal()).then(
            e.CardsRevealed(0, ("red", "soy")), e.PileExhausted("draw", 2),
            e.DealerCalled("shuffle", "draw", "reveal", 0, 0),
        ) \
        .when(c.Shuffle("draw", ("stink",)), by=DEALER).then(
            e.PileShuffled("draw", 2, ("stink",)), e.PhaseBegan("trade")
        )  # fmt: skip
