"""Six systems, each played by two people in real browsers: whatever the page offers, the rules accept."""

import pytest

from tests.service.pages.clicking import Clicker, play_together
from tests.service.pages.windows import PHONE, Windows
from tests.support.servers import eventually

BESIDE = {
    "classic": 2,
    "extended": 2,
    "bean-duel": 0,
    "ladybohn": 1,
    "ladybohn-expansion": 1,
    "the-duel": 0,
}
"""How many bots sit beside the two people."""
FIRST_ACTS = 24


@pytest.mark.parametrize("system", BESIDE)
def test_a_game_begins_by_clicks_alone(windows: Windows, system: str) -> None:
    """On a laptop and on a phone: nothing is refused, no script complains, and both see the same table.

    A command that needs no form, and one that does, is what `GET commands` lists (docs/http-api.md, "Look and play").
    """
    game = windows.game(system, ("Ada", "Bob"), BESIDE[system])
    both = [windows.open(game, 0), windows.open(game, 1, size=PHONE)]

    acts = play_together([Clicker(window, seed) for seed, window in enumerate(both)], most=FIRST_ACTS)

    assert acts >= FIRST_ACTS
    for window in both:
        assert (window.refusals, window.complaints) == ([], [])
    eventually(lambda: {window.version() for window in both} == {windows.ask(game)["version"]})


@pytest.mark.parametrize("system", BESIDE)
def test_a_hidden_card_is_in_no_byte_that_another_seat_received(windows: Windows, system: str) -> None:
    """No salt of a value that is not for seat 0 reaches its browser, and no hand but its own.

    What is not public is its owner's alone (docs/rules/classic.md, "What everybody sees").
    """
    game = windows.game(system, ("Ada", "Bob"), BESIDE[system])
    ada, bob = windows.open(game, 0), windows.open(game, 1)
    play_together([Clicker(window, 7 + seed) for seed, window in enumerate((ada, bob))], most=FIRST_ACTS)

    everything = windows.ask(game, "/events?as=all&limit=1000")["events"]
    own = windows.ask(game, "/events?limit=1000", token=game["seats"][0]["token"])["events"]
    salts, own_salts = (
        {salt for event in events for salt in _texts(event["salts"])} for events in (everything, own)
    )
    assert salts > own_salts
    received = ada.received()
    assert [salt for salt in salts - own_salts if salt in received] == []
    assert any(salt in received for salt in own_salts)
    # A hand that was swapped for a fan was seen by all (docs/rules/ladybohn-expansion.md, "Swap the hand").
    entries = [event["entry"] for event in reversed(everything)]
    swapped = {each["data"]["seat"]: each["version"] for each in entries if each["type"] == "hand_swapped"}
    shown = [table for table in ada.tables() if "scene" in table]
    assert shown
    for answer in shown:
        closed = (
            seat for seat in range(1, len(game["seats"])) if answer["version"] < swapped.get(seat, 1000)
        )
        for seat in closed:
            assert isinstance(answer["scene"][f"{seat}.hand"], int)
            assert "cards" not in answer["table"]["seats"][seat]["hand"]


def _texts(value: object) -> list[str]:
    """All texts in a JSON value."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for each in value.values() for text in _texts(each)]
    return [text for each in value for text in _texts(each)] if isinstance(value, list) else []
