"""Whole games in real browsers, to the end, and what the validator says of them."""

import pytest

from tests.service.pages.clicking import Clicker, play_together
from tests.service.pages.windows import LAPTOP, PHONE, Windows
from tests.support.depth import depth
from tests.support.servers import eventually

PLAYED = {
    "classic": (2, 2),
    "extended": (3, 1),
    "bean-duel": (2, 0),
    "ladybohn": (4, 0),
    "ladybohn-expansion": (2, 1),
    "the-duel": (2, 0),
}
"""How many people play each system, and how many bots beside them."""
MOST_ACTS = 3000
"""No game takes so many: a bound for one that would not end."""


@pytest.mark.deep
@pytest.mark.parametrize("system", depth(("classic",), tuple(PLAYED)))
def test_people_play_a_game_to_its_end_by_clicks_alone(windows: Windows, system: str) -> None:
    """At once, on laptops and phones: nothing is refused that the page offered, and the worker finds it valid."""
    people, bots = PLAYED[system]
    game = windows.game(system, ("Ada", "Bob", "Cleo", "Dora")[:people], bots)
    all_of_them = [windows.open(game, seat, size=PHONE if seat % 2 else LAPTOP) for seat in range(people)]

    play_together([Clicker(window, 11 + seed) for seed, window in enumerate(all_of_them)], most=MOST_ACTS)

    assert windows.ask(game)["status"] == "finished"
    for window in all_of_them:
        assert window.is_over()
        assert window.complaints == []
        # Whoever was quicker is no fault of the page: the table has moved on (412), and it asks again by itself.
        assert [each for each in window.refusals if each[0] != 412] == []
    eventually(lambda: windows.ask(game, "/validations")["validation"] == "valid")
