"""Phase 4, and what happens when the draw pile runs out. Sections are those of the 104-card booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.move import DEALER
from tests.events.rules.games import Giving, standard_games
from tests.support.given import Given
from tests.support.tables import seat_with


def owed(given: Giving) -> int:
    """How many cards are drawn in phase 4: three, with six and seven players four."""
    return 4 if given.rules.players > 5 else 3


@standard_games
def test_three_cards_join_the_back_of_the_hand(given: Giving) -> None:
    """Bohnanza (104), phase 3 (drawing): three cards, one by one, behind the others; then the next player's turn.

    Bohnanza (154), number of players: four with six and seven.
    """
    pile = ("red", "soy", "stink", "blue", "chili")
    drawn = pile[: owed(given)]
    table = (
        given(phase="draw", draw_pile=pile)
        .when(c.Draw())
        .then(e.CardsDrawn(0, drawn), e.TurnBegan(1, 2), e.PhaseBegan("plant"))
    )
    assert table.state.seats[0].hand == ((1, "blue"), (2, "chili"), *enumerate(drawn, 3))
    assert table.state.seats[0].next_number == 3 + len(drawn)


@standard_games
def test_the_turn_passes_clockwise(given: Giving) -> None:
    """Bohnanza (104), phase 3 (drawing): after the last seat comes the first."""
    last = given.seats[-1]
    given(phase="draw", active=last).when(c.Draw()).then_among_others(e.TurnBegan(0, 2))


@standard_games
def test_only_the_active_player_draws(given: Giving) -> None:
    """Bohnanza (104), phase 3 (drawing): the cards are the active player's."""
    given(phase="draw").when(c.Draw(), by=1).then_refused(errors.NotYourTurn)


@pytest.mark.parametrize("phase", ["plant", "reveal", "trade", "plant_aside"])
@standard_games
def test_drawing_comes_last(given: Giving, phase: str) -> None:
    """Bohnanza (104), course of the game: actions come in their order."""
    given(phase=phase).when(c.Draw()).then_refused(errors.WrongPhase)


@standard_games
def test_harvests_and_purchases_may_precede_the_draw(given: Giving) -> None:
    """Rules of the house: phase 4 begins with the draw, and until then the turn is not over."""
    given(phase="draw", fields=(("red",) * 5, ()), coins=()) \
        .when(c.Harvest(0)).then(e.FieldHarvested(0, 0, ("red",) * 5, 4)) \
        .when(c.BuyField()).then_among_others() \
        .when(c.Draw()).then_among_others(e.TurnBegan(1, 2))  # fmt: skip


# --- the pile runs out -------------------------------------------------------------------------------------


@standard_games
def test_a_draw_under_way_goes_on_from_the_new_pile(given: Giving) -> None:
    """Bohnanza (104), end of the game: the discards are shuffled as soon as the pile is empty."""
    left = owed(given) - 1
    shuffled = ("soy", "blue", "stink", "green", "soy")
    table = given(phase="draw", draw_pile=("red",), discard_pile=tuple(sorted(shuffled)), exhaustions=0) \
        .when(c.Draw()).then(
            e.CardsDrawn(0, ("red",)), e.PileExhausted("draw", 1), e.DealerCalled("shuffle", "draw", "draw", 0, left)
        ) \
        .when(c.Shuffle("draw", shuffled), by=DEALER).then(
            e.PileShuffled("draw", 2, shuffled), e.CardsDrawn(0, shuffled[:left]),
            e.TurnBegan(1, 2), e.PhaseBegan("plant"),
        )  # fmt: skip
    assert table.state.draw_pile == shuffled[left:]
    assert table.state.discard_pile == ()
    assert tuple(card for _, card in table.state.seats[0].hand) == ("blue", "chili", "red", *shuffled[:left])


@standard_games
def test_the_last_owed_card_exhausts_the_pile_too(given: Giving) -> None:
    """Bohnanza (104), end of the game: the pile is shuffled at once, though nothing more is owed."""
    pile = ("red",) * owed(given)
    given(phase="draw", draw_pile=pile, discard_pile=("stink",)) \
        .when(c.Draw()).then(
            e.CardsDrawn(0, pile), e.PileExhausted("draw", 1), e.DealerCalled("shuffle", "draw", "draw", 0, 0)
        ) \
        .when(c.Shuffle("draw", ("stink",)), by=DEALER).then(
            e.PileShuffled("draw", 2, ("stink",)), e.TurnBegan(1, 2), e.PhaseBegan("plant")
        )  # fmt: skip


@standard_games
def test_revealing_goes_on_from_the_new_pile(given: Giving) -> None:
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


@standard_games
def test_a_new_pile_can_be_exhausted_by_the_same_draw(given: Giving) -> None:
    """Bohnanza (104), end of the game: a small new pile runs out at once and counts again."""
    given(phase="draw", draw_pile=("red",), discard_pile=("stink",), exhaustions=0) \
        .when(c.Draw()).then_among_others(e.PileExhausted("draw", 1)) \
        .when(c.Shuffle("draw", ("stink",)), by=DEALER).then(
            e.PileShuffled("draw", 2, ("stink",)), e.CardsDrawn(0, ("stink",)), e.PileExhausted("draw", 2),
            e.TurnBegan(1, 2), e.PhaseBegan("plant"),
        )  # fmt: skip


def nothing_to_shuffle(given: Giving) -> Given:
    """The pile is empty, was counted, and there are no discards."""
    fields = (("red", "red", "red"), ())
    return given(phase="draw", draw_pile=(), exhaustions=1, others={1: seat_with(("stink",), fields)})


@standard_games
def test_with_nothing_to_shuffle_draws_yield_what_there_is(given: Giving) -> None:
    """Rules of the house: an empty pile and no discards: nothing is drawn, and the game goes on."""
    given(phase="draw", draw_pile=("red",)).when(c.Draw()).then(
        e.CardsDrawn(0, ("red",)), e.PileExhausted("draw", 1), e.TurnBegan(1, 2), e.PhaseBegan("plant")
    )
    nothing_to_shuffle(given).when(c.Draw()).then(e.TurnBegan(1, 2), e.PhaseBegan("plant"))
    given(phase="reveal", draw_pile=(), exhaustions=2).when(c.Reveal()).then(
        e.CardsRevealed(0, ()), e.PhaseBegan("trade")
    )


@standard_games
def test_discards_made_later_refill_the_pile_uncounted(given: Giving) -> None:
    """Rules of the house: the next draw that finds discards has them shuffled, and that is no new exhaustion."""
    table = nothing_to_shuffle(given) \
        .when(c.Harvest(0), by=1).then(e.FieldHarvested(1, 0, ("red",) * 3, 2)) \
        .when(c.Draw()).then(e.DealerCalled("shuffle", "draw", "draw", 0, owed(given))) \
        .when(c.Shuffle("draw", ("red",)), by=DEALER).then(
            e.PileShuffled("draw", 2, ("red",)), e.CardsDrawn(0, ("red",)), e.PileExhausted("draw", 2),
            e.TurnBegan(1, 2), e.PhaseBegan("plant"),
        )  # fmt: skip
    assert table.state.exhaustions == 2


@standard_games
def test_a_pile_of_exactly_the_owed_cards_leaves_the_discards_to_be_shuffled(given: Giving) -> None:
    """Bohnanza (104), end of the game: the last revealed card exhausts the pile, the new one waits for phase 4."""
    given(phase="reveal", draw_pile=("red", "soy"), discard_pile=("stink",), exhaustions=1) \
        .when(c.Reveal()).then(
            e.CardsRevealed(0, ("red", "soy")), e.PileExhausted("draw", 2),
            e.DealerCalled("shuffle", "draw", "reveal", 0, 0),
        ) \
        .when(c.Shuffle("draw", ("stink",)), by=DEALER).then(
            e.PileShuffled("draw", 2, ("stink",)), e.PhaseBegan("trade")
        )  # fmt: skip
