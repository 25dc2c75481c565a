"""The tour of every key of the terminal player: whole, and what is kept of it is what the player shows."""

import asyncio
from pathlib import Path

from replay.terminal.player.application import Opening, open_player
from replay.terminal.player.keys import KEYS
from tests.replay.terminal.player_at_keys import NARROW, TIMELINE, screen_of
from tests.replay.terminal.player_tour import AUTHOR, BEGIN, STOPS, kept


def test_the_tour_has_a_stop_for_every_key_and_a_screen_for_every_stop() -> None:
    """Each by the first of the keys that do the same."""
    assert {stop.key for stop in STOPS} == {key.shown.split()[0] for key in KEYS}
    assert list(kept()) == [stop.key for stop in STOPS]


def test_the_screens_of_the_terminal_are_those_that_the_player_draws(tmp_path: Path) -> None:
    """Line by line, after the same keys; after the last one the terminal is as it was."""

    async def toured() -> dict[str, str]:
        opening = Opening(BEGIN, annotations=str(tmp_path / "notes.ndjson"), author=AUTHOR)
        player = open_player(TIMELINE, opening)
        screens = {}
        async with player.run_test(size=NARROW) as pilot:
            for stop in STOPS[:-1]:
                for key in stop.presses:
                    await pilot.press(key)
                    await player.workers.wait_for_complete()
                await pilot.pause()
                screens[stop.key] = screen_of(player)
                for key in stop.back:
                    await pilot.press(key)
        return screens

    terminal = kept()
    for key, drawn in asyncio.run(toured()).items():
        assert terminal[key].rstrip("\n") == drawn.rstrip("\n"), key
    assert terminal["q"].strip() == ""
