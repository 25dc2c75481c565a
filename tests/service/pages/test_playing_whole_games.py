"""Whole games in real browsers, to the end, and what the validator says of them."""

import pytest

from tests.service.pages.clicking import Clicker, play_together
from tests.service.pages.test_playing_systems import BESIDE
from tests.service.pages.windows import LAPTOP, PHONE, Windows
from tests.support.chromium import SCREEN
from tests.support.depth import depth
from tests.support.servers import eventually

NAMES = ("Ada", "Bob", "Cleo", "Dora")
SIZES = (LAPTOP, PHONE, SCREEN, LAPTOP)
MOST_ACTS = 3000
"""No game takes so many: a bound for one that would not end."""


@pytest.mark.deep
@pytest.mark.parametrize(
    ("system", "people"),
    depth((("classic", 2),), (*((system, 2) for system in BESIDE), ("classic", 4), ("ladybohn", 3))),
)
def test_people_play_a_game_to_its_end_by_clicks_alone(windows: Windows, system: str, people: int) -> None:
    """At once, on laptops, a phone and a wide screen: nothing is refused that the page offered, alone or beside bots.

    The worker finds the game valid.
    """
    game = windows.game(system, NAMES[:people], BESIDE[system] if people == 2 else 0)
    all_of_them = [windows.open(game, seat, size=SIZES[seat]) for seat in range(people)]

    play_together([Clicker(window, 11 + seed) for seed, window in enumerate(all_of_them)], most=MOST_ACTS)

    assert windows.ask(game)["status"] == "finished"
    assert [window.is_over() for window in all_of_them] == [True] * people
    # Whoever was quicker is no fault of the page: it says so (412, and 422 about what is gone), and nothing else is.
    for window in all_of_them:
        assert window.complaints == []
        # A table that has moved on: the page asks again by itself.
        assert [each for each in window.refusals if each[0] != 412] == []
    eventually(lambda: windows.ask(game, "/validations")["validation"] == "valid")
