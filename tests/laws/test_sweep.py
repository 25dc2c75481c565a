"""The sweep itself: it checks whole games, always the same ones, and says what it found."""

import pytest

from tests.laws.sweep import check
from tests.laws.swept import PLAYS, Game
from tests.support.second_verifier import SecondVerifier


@pytest.mark.parametrize("play", PLAYS)
def test_a_game_of_each_kind_is_played_to_its_end_and_can_be_repeated(
    second_verifier: SecondVerifier, play: str
) -> None:
    """Nothing is found in it, and the same seed gives the same game."""
    game = Game("bean-duel", 2, play, 3)

    outcome = check(game, second_verifier)

    assert outcome.finding == ""
    assert outcome.commands > 100
    assert outcome == check(game, second_verifier)


def test_what_goes_wrong_is_a_finding_with_the_command_that_repeats_it() -> None:
    """An exception ends one game, not the sweep."""
    game = Game("bean-duel", 9, "random", 4)

    outcome = check(game)

    assert outcome.finding.startswith("WrongPlayers")
    assert game.repeated_by == (
        "python -m tests.laws --system bean-duel --players 9"
        " --random 1 --greedy 0 --made-up 0 --leavers 0 --clocked 0 --seed 4"
    )
