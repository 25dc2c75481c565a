"""Phase 2 begins: two cards are turned face up. Sections are those of the 104-card booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.log.disclosure import PUBLIC
from events.rules import errors
from events.rules.table.player_view import player_view
from tests.events.rules.games import Giving, standard_games


@standard_games
def test_two_cards_are_turned_face_up(given: Giving) -> None:
    """Bohnanza (104), phase 2: two cards of the pile are laid out for all to see, and trading begins."""
    table = (
        given(phase="reveal", draw_pile=("red", "soy", "stink"))
        .when(c.Reveal())
        .then(e.CardsRevealed(0, ("red", "soy")), e.PhaseBegan("trade"))
    )
    assert table.state.revealed == ((1, "red"), (2, "soy"))
    assert table.state.draw_pile == ("stink",)
    for viewer in (PUBLIC, *given.seats):
        assert player_view(table.state, viewer)["revealed"] == [
            {"number": 1, "card": "red"},
            {"number": 2, "card": "soy"},
        ]


@standard_games
def test_the_first_bean_of_the_hand_comes_first(given: Giving) -> None:
    """Bohnanza (104), phase 1: the first card is a must."""
    given(planted=0).when(c.Reveal()).then_refused(errors.MustPlantFirst)


@standard_games
def test_the_second_bean_of_the_hand_is_optional(given: Giving) -> None:
    """Bohnanza (104), phase 1: after one card planted, phase 2 may begin."""
    given(planted=1).when(c.Reveal()).then(e.CardsRevealed(0, ("green",) * 2), e.PhaseBegan("trade"))


@standard_games
def test_with_an_empty_hand_the_turn_begins_with_revealing(given: Giving) -> None:
    """Bohnanza (104), phase 1: with no card in hand the first action is skipped."""
    given(phase="draw", others={1: given().state.seats[2]}) \
        .when(c.Draw()).then_among_others(e.TurnBegan(1, 2), e.PhaseBegan("plant"))  # fmt: skip
    given(phase="draw", hand=(), active=1, others={2: given(hand=()).state.seats[0]}) \
        .when(c.Draw()).then_among_others(e.TurnBegan(2, 2), e.PhaseBegan("reveal")) \
        .when(c.Plant(0)).then_refused(errors.WrongPhase) \
        .when(c.Reveal()).then(e.CardsRevealed(2, ("green",) * 2), e.PhaseBegan("trade"))  # fmt: skip


@standard_games
def test_only_the_active_player_reveals(given: Giving) -> None:
    """Bohnanza (104), course of the game: it is the active player's turn."""
    given(phase="reveal").when(c.Reveal(), by=1).then_refused(errors.NotYourTurn)


@pytest.mark.parametrize("phase", ["trade", "plant_aside", "draw"])
@standard_games
def test_revealing_happens_once_a_turn(given: Giving, phase: str) -> None:
    """Bohnanza (104), phase 2: two cards, once, at its beginning."""
    given(phase=phase).when(c.Reveal()).then_refused(errors.WrongPhase)


@standard_games
def test_numbers_of_revealed_cards_are_never_used_twice(given: Giving) -> None:
    """Rules of the house: a revealed card gets the next running number of the game."""
    first = given(phase="reveal").when(c.Reveal()).then_among_others()
    ended = first.when(c.EndTrading()).then_among_others()
    assert ended.state.next_revealed == 3
    assert ended.state.revealed == ()
