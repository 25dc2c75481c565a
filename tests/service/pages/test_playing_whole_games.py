"""Whole games in real browsers, to the end, and what the validator says of them."""

import pytest

from tests.service.pages.clicking import Clicker, play_together
from tests.service.pages.test_playing_systems import BESIDE
from tests.service.pages.windows import PHONE, Windows
from tests.support.depth import depth
from tests.support.servers import eventually

MOST_ACTS = 3000
"""No game takes so many: a bound for one that would not end."""


@pytest.mark.deep
@pytest.mark.parametrize("system", depth(("classic",), tuple(BESIDE)))
def test_two_people_play_a_game_to_its_end_by_clicks_alone(windows: Windows, system: str) -> None:
    """At once, on a laptop and a phone: nothing is refused that the page offered, and the worker finds it valid."""
    game = windows.game(system, ("Ada", "Bob"), BESIDE[system])
    both = [windows.open(game, 0), windows.open(game, 1, size=PHONE)]

    play_together([Clicker(window, 11 + seed) for seed, window in enumerate(both)], most=MOST_ACTS)

    assert windows.ask(game)["status"] == "finished"
    assert [window.is_over() for window in both] == [True, True]
    # Whoever was quicker is no fault of the page: it says so (412, and 422 about what is gone), and nothing else is.
    for window in both:
        assert window.complaints == []
        # A table that has moved on: the page asks again by itself.
        assert [each for each in window.refusals if each[0] != 412] == []
    eventually(lambda: windows.ask(game, "/validations")["validation"] == "valid")
